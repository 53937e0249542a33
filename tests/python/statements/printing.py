# How tensors and modules print.
x = torch.arange(6.0).reshape(2, 3).requires_grad_()
x.max(1).values, x.max(1).indices.tolist(), "values" in repr(x.max(1)), repr(x.detach().min(0)).replace("\n", " ")
