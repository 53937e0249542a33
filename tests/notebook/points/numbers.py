# Numbers: dtypes of results, in place too; what a dtype holds; comparisons, division, reductions, nothing.
import torch, math, numpy as np
b = torch.tensor([True, False, True])
i = torch.tensor([1, -2, 3])
f = torch.tensor([1.5, -2.5, 0.0])
u = torch.tensor([250, 3], dtype=torch.uint8)
s = torch.tensor(5)
z = torch.tensor(2.5)
e = torch.zeros(0)
e2 = torch.zeros(2, 0)
i32 = i.int()
i.mean()
b.mean()
b - b
-b
1 - b
i % 0
i ** -1
torch.tensor([2, 4]) ** -1
b // b
i < None
b.max(), b.any(), b.all(), i.any(), f.all(), f.any(), e.sum(), e.mean(), e.prod(), e.std(), e.any(), e.all()
e.max()
e.argmax()
e2.max(1)
e2.max(0), e2.argmax(0), e2.softmax(1), e2.log_softmax(0), torch.ones(1).std(), torch.ones(1).var()
i.std()
b.std()
torch.tensor([1., float('nan'), 3.]).argmax(), torch.tensor([1., float('nan'), 3.]).min(0)
f.sum(1)
f.sum(-2)
torch.ones(2, 3).sum((0, 0))
s.sum(0), s.sum(-1), s.max(0), s.argmax(), s.argmax(0), s.unsqueeze(-1), s.squeeze(0), z.softmax(0)
s.sum(1)
i.add_(1.5)
i.div_(2)
i += 0.5
i += 1
i *= torch.tensor(2)
i -= torch.tensor(1.0)
b += 1
b += True
b &= torch.tensor([1, 0, 1])
f &= b
i32 += i
i.clamp_(0.5)
i[0] = 3.9
b[0] = 2
f[0] = True
u[0] = -1
u[0] = 300
u + u, u * 2, u - 1, u / 2, -u, u.float(), u // 2, u % 2, u.sum().dtype, u > 2, u.int() + 1, u + i32[:2]
i.abs(), i.sign(), i.exp(), i.sqrt(), i.sigmoid(), b.exp(), i.floor(), i.round(), i.relu(), i.tanh()
i.log(), i.reciprocal(), i.rsqrt(), i.square(), i.neg(), b.float().round()
b.abs()
b.sign()
b.floor()
b.relu()
i.trunc(), i.isnan(), i.isfinite(), i.isinf(), b.isnan(), i.logical_not(), f.logical_not(), f.logical_and(i)
f.logical_xor(b), f.round(), torch.tensor([0.5, 1.5, 2.5, -0.5]).round()
torch.tensor(1.2345).round(decimals=2), i.bitwise_and(1), i & 1, i | 2, i ^ 3
f & 1
i.softmax(0)
torch.arange(2, 0)
torch.arange(0, 3, 0)
torch.zeros(-1)
torch.zeros(2, -1)
torch.zeros(1.5)
torch.zeros("a")
torch.zeros()
torch.zeros(2, dtype=torch.int64, requires_grad=True)
torch.tensor([1, 2], requires_grad=True)
torch.tensor(None)
torch.tensor("a")
torch.tensor([1, "a"])
torch.tensor([[1, 2], [3]])
torch.tensor({1: 2})
torch.tensor({1, 2})
torch.LongTensor([1]), torch.LongTensor(2).shape, torch.FloatTensor(2, 1).shape, torch.LongTensor([1.5])
torch.IntTensor([1, 2]).dtype
torch.Tensor(1.5)
