# How tensors and modules print.
repr(torch.arange(120000.0).reshape(400, 300) / 7)
x = torch.arange(12.).reshape(3, 4)
# Refused
f"{x:.2f}"
# Not refused
torch.set_printoptions(linewidth=80.5, edgeitems=3., profile="unknown"), torch.ones(3)
x = torch.arange(6.0).reshape(2, 3).requires_grad_()
x.max(1).values, x.max(1).indices.tolist(), "values" in repr(x.max(1)), repr(x.detach().min(0)).replace("\n", " ")
