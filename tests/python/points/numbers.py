# Numbers: dtypes of results, in place too; what a dtype holds; comparisons, division, reductions, nothing.
b = torch.tensor([True, False, True])
i = torch.tensor([1, -2, 3])
f = torch.tensor([1.5, -2.5, 0.0])
e = torch.zeros(0)
nan, inf = math.nan, math.inf
i.trunc(), i.isnan(), i.isfinite(), i.isinf(), b.isnan(), i.logical_not(), f.logical_not(), f.logical_and(i)
f.round()
torch.tensor(1.2345).round(decimals=2), i.bitwise_and(1), i | 2, i ^ 3
u = torch.tensor([1, 2, 3], dtype=torch.uint8)
u.clamp(min=-1), u.clamp(max=-1), u.clamp(-1, 2), u.clip(-2), u.clone().clamp_(max=-1), u.clamp_max(-1), u.clamp(-1.)
torch.tensor(2**24), torch.tensor(1 - 2**24)
torch.tensor([-8, 7, 1]) << 64  # here: torch.int64 (3,) [0, 0, 0] (in C++, and so in torch, anything may come)
# NumPy's numbers
[torch.tensor(v(2)) for v in (np.int8, np.uint8, np.int16, np.int32, np.int64, np.float16, np.float32)]
torch.tensor([np.int8(1), np.uint8(2)]), torch.tensor([np.int16(1), True]), torch.tensor([np.uint8(1)]), torch.tensor([np.int8(1), 3])
torch.full([2], np.int32(3)), torch.full([2], np.float32(3)), torch.arange(np.int32(1), np.int8(4)), torch.arange(0, 3, np.float32(1))
torch.arange(9000.).argsort().float().sum()
# NaNs, and nothing
n = torch.tensor([nan, 1., -inf, nan, inf])
n.unique(), e.unique(), torch.tensor([[nan, 1.], [0., 2.]])[:, 0].unique(), torch.tensor([0, 2]).nonzero(as_tuple=True), torch.tensor(2).nonzero(as_tuple=True), torch.tensor(0.).nonzero(as_tuple=True)
u.cumprod(0), (u * 100).cumprod(-1), b.cumprod(0), u.cumprod(0, dtype=torch.uint8), f.cumprod(0, dtype=torch.int64)
(u * 100).dot(u), u.int().dot(u.int()), torch.xlogy(u, 300), torch.xlogy(u, 0.5), torch.xlogy(u, u)
k = leaf([[1., 2., 3.], [3., 1., 2.]])
F.cosine_similarity(k, k[:, :1])
F.cosine_similarity(k, k[0]), F.cosine_similarity(k[0], k, -1), F.cosine_similarity(k[0], k[0, :1], 0)
w = leaf([nan, 2.])
m = torch.tensor([[1., 2.], [3., 4.]])
# Refused
torch.einsum("ii", torch.ones(2, 3))
e.argmax()
torch.ones(2, 3).sum((0, 0))
i.softmax(0)
torch.zeros(-1)
torch.zeros(1.5)
torch.zeros()
torch.tensor("a")
torch.tensor([[1, 2], [3]])
torch.Tensor(1.5)
