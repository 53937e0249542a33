# Written and taken by an index along a dimension, and losses of classes, with their gradients.
x = leaf([[1.0, -2.5, 3.5], [4.0, 0.5, -6.0]])
s = leaf([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
j = torch.tensor([[2, 0], [1, 1]])
torch.zeros(3, 5, dtype=torch.int64).scatter_(1, torch.tensor([[1], [4], [0]]), 1)
torch.take_along_dim(x, torch.tensor([4, 0]))
t = torch.tensor([2, 0])
nn.NLLLoss(reduction="sum")(x.log_softmax(1), t)
nn.KLDivLoss(size_average=False)(x.log_softmax(1), s)
# As in an annotated Transformer
torch.triu(torch.ones(1, 3, 3), diagonal=1).type(torch.uint8) == 0, torch.zeros(1, 1).type_as(j.data).fill_(j.data[0, 0])
places = torch.arange(4).unsqueeze(1) * torch.exp(torch.arange(0, 6, 2) * -(math.log(10000.0) / 6))
pe = torch.zeros(4, 6); pe[:, 0::2], pe[:, 1::2] = places.sin(), places.cos(); pe.unsqueeze(0)[:, :2].requires_grad_(False)
true = x.data.clone().fill_(0.1); true.scatter_(1, t.data.unsqueeze(1), 0.8); true[:, 0] = 0; true.index_fill_(0, torch.nonzero(t.data == 0).squeeze(), 0.0)
nn.KLDivLoss(reduction="sum")(x.log_softmax(1), true.clone().detach()) / (t != 0).data.sum()
logits = x.data[0].clone(); logits[logits < torch.topk(logits, 2)[0][[-1]]] = -float("Inf"); logits
ids = j.clone(); ids = torch.roll(ids, 1, 1); ids[:, 0] = 3; torch.cat([torch.zeros(3, 2)[j[:, 0]], ids], -1)
# Refused
x.scatter(7, j, s)
x.scatter(1, j, s.long())
x.index_select(0, j)
