# Written and taken by an index along a dimension, and losses of classes, with their gradients.
x = leaf([[1.0, -2.5, 3.5], [4.0, 0.5, -6.0]])
s = leaf([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
j = torch.tensor([[2, 0], [1, 1]])
t = torch.tensor([2, 0])
nn.NLLLoss(reduction="sum")(x.log_softmax(1), t)
nn.KLDivLoss(size_average=False)(x.log_softmax(1), s)
# Refused
x.scatter(7, j, s)
x.index_select(0, j)
