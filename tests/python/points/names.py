# NumPy's names of arguments, Python's types as dtypes, and what else goes by several names.
x = leaf([[1.0, -2.5, 3.5], [4.0, 5.0, -6.0]])
i = torch.tensor([[1, -2, 3], [4, 5, -6]])
torch.sum(input=x, dim=0)
torch.std(x, axis=1, keepdims=True)
x.max(axis=1, keepdims=True).values
i.type("torch.FloatTensor")
isinstance(x, torch.FloatTensor), isinstance(x, torch.LongTensor)
x.to(dtype=torch.int64, device="cpu", non_blocking=True)
x.mT, torch.movedim(x, 0, 1), x.broadcast_to((2, 2, 3))
F.prelu(x, leaf([.5, 1, 2])), nn.PReLU()(x), nn.PReLU(3), F.prelu(x[None], torch.ones(2)).shape
torch.eye(2, dtype=int)
# Refused
torch.ones(3).mT
F.prelu(x, torch.ones(2))
x.sum(axis=5)
