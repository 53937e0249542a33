# How tensors and modules print.
repr(torch.arange(120000.0).reshape(400, 300) / 7)
x = torch.arange(12.).reshape(3, 4)
# Refused
f"{x:.2f}"
# Not refused
torch.set_printoptions(linewidth=80.5, edgeitems=3., profile="unknown"), torch.ones(3)
x = torch.arange(6.0).reshape(2, 3).requires_grad_()
x.max(1).values, x.max(1).indices.tolist(), "values" in repr(x.max(1)), repr(x.detach().min(0)).replace("\n", " ")
nan = torch.tensor([1.0, float("nan"), float("inf")])
torch.allclose(nan, torch.tensor([float("nan"), 1.0, float("inf")]), equal_nan=True)
listed = nn.ParameterList([nn.Parameter(torch.ones(2)), nn.Parameter(torch.zeros(3))])
listed[-1] = nn.Parameter(torch.full((2,), 5.0))
listed[0].shape, repr(listed).count("Parameter containing")
y = torch.tensor([[0.5, 2.0, -1.5], [3.0, -0.5, 2.5]])
[y.norm(p) for p in (0, 0.5, 1, 1.5, 2, 3, 4)], y.norm(3, 0), y.norm(3, 1, True), y.norm(float("-inf"), 1)
