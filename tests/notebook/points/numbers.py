# Numbers: dtypes of results, in place too; what a dtype holds; comparisons, division, reductions, nothing.
import torch, math, numpy as np
import torch.nn.functional as F
from torch import nn
b = torch.tensor([True, False, True])
i = torch.tensor([1, -2, 3])
f = torch.tensor([1.5, -2.5, 0.0])
u = torch.tensor([250, 3], dtype=torch.uint8)
s = torch.tensor(5)
z = torch.tensor(2.5)
e = torch.zeros(0)
e2 = torch.zeros(2, 0)
i32 = i.int()
h = f.half()
b.sum(), b.sum().dtype, b.sum(0), b.cumsum(0), b.prod(), i32.sum(), i32.cumsum(0), i32.prod(), u.sum()
i.mean()
b.mean()
i.float().mean(), h.sum().dtype, h.mean().dtype, i.sum(dtype=torch.float32), b.sum(dtype=torch.int32)
b - b
-b
1 - b
i % 0
i ** 2, 2 ** i.abs(), i ** 2.0, f ** 2, i ** 0.5
i ** -1
torch.tensor([2, 4]) ** -1
b // b
i < None
b.max(), b.any(), b.all(), i.any(), f.all(), f.any(), e.sum(), e.mean(), e.prod(), e.std(), e.any(), e.all()
e.norm(), e.cumsum(0)
e.max()
e.argmax()
e2.sum(0), e2.sum(1), e2.mean(1), e2.prod(1), e2.any(1), e2.all(1)
e2.max(1)
e2.max(0), e2.argmax(0), e2.softmax(1), e2.log_softmax(0), torch.ones(1).std(), torch.ones(1).var()
torch.ones(3, 1).std(1), torch.tensor(1.0).std(), torch.ones(1).std(unbiased=False)
i.std()
b.std()
torch.tensor([1, 3, 3]).max(0), torch.tensor([1., float('nan'), 3.]).max()
torch.tensor([1., float('nan'), 3.]).argmax(), torch.tensor([1., float('nan'), 3.]).min(0)
torch.tensor([1., float('nan')]).sort(), torch.tensor([1., float('nan'), 2.]).topk(1)
torch.tensor([True, False]).sort(), torch.tensor([2.0, 2.0, 1.0]).topk(2), f.sum(-1)
f.sum(1)
f.sum(-2)
torch.ones(2, 3).sum((0, 0))
s.sum(0), s.sum(-1), s.max(0), s.argmax(), s.argmax(0), s.unsqueeze(-1), s.squeeze(0), z.softmax(0)
s.sum(1)
s + i, s + f, s * 1.5, z + i, z * 2, z + h, s + h, h + f, h + i, h + 1.5, h * torch.tensor(2.0), i32 + s
i.add_(1.5)
i.add_(True), i.mul_(2), i.sub_(1)
i.div_(2)
i += 0.5
i += 1
i *= torch.tensor(2)
i -= torch.tensor(1.0)
b += 1
b += True
b &= torch.tensor([1, 0, 1])
f &= b
h += f
i32 += i
i32, f.add_(i), f.mul_(b), f.copy_(i), i.copy_(f), b.copy_(f), i.fill_(2.7), b.fill_(3)
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
torch.arange(3) * 1.0, torch.arange(0, 1, 0.3), torch.arange(3.0), torch.arange(5, 0, -2), torch.arange(0)
torch.arange(2, 2), torch.arange(1, 2.5, 0.5)
torch.arange(2, 0)
torch.arange(0, 3, 0)
torch.linspace(0, 1, 0), torch.linspace(0, 1, 1), torch.linspace(1, 0, 3), torch.full((2,), 1)
torch.full((2,), True), torch.full((2,), 1.5), torch.full((), 3), torch.full_like(i, 2.7)
torch.ones(2, dtype=torch.uint8)
torch.eye(2, 3)
torch.eye(2, dtype=torch.int64)
torch.tensor([]), torch.tensor([[]]), torch.tensor([[], []]), torch.tensor(True), torch.tensor([1, 2.5])
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
torch.tensor(np.arange(3)), torch.tensor(np.float32([1])), torch.tensor([np.float32(1), 2])
torch.tensor((1, 2)), torch.tensor([torch.tensor(1), torch.tensor(2)]), torch.tensor(torch.tensor([1, 2]))
torch.LongTensor([1]), torch.LongTensor(2).shape, torch.FloatTensor(2, 1).shape, torch.LongTensor([1.5])
torch.IntTensor([1, 2]).dtype
torch.Tensor(1.5)
