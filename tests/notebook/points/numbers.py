# Numbers: dtypes of results, in place too; what a dtype holds; comparisons, division, reductions, nothing.
b = torch.tensor([True, False, True])
i = torch.tensor([1, -2, 3])
f = torch.tensor([1.5, -2.5, 0.0])
e = torch.zeros(0)
e2 = torch.zeros(2, 0)
i.trunc(), i.isnan(), i.isfinite(), i.isinf(), b.isnan(), i.logical_not(), f.logical_not(), f.logical_and(i)
f.logical_xor(b), f.round()
torch.tensor(1.2345).round(decimals=2), i.bitwise_and(1), i | 2, i ^ 3
torch.LongTensor(2).shape, torch.FloatTensor(2, 1).shape
torch.IntTensor([1, 2]).dtype
# Refused
e.argmax()
torch.ones(2, 3).sum((0, 0))
i.softmax(0)
torch.zeros(-1)
torch.zeros(1.5)
torch.zeros()
torch.tensor("a")
torch.tensor([[1, 2], [3]])
torch.Tensor(1.5)
