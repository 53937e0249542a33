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
u.cumsum(0)
i.mean()
b.mean()
i.float().mean(), h.sum().dtype, h.mean().dtype, i.sum(dtype=torch.float32), b.sum(dtype=torch.int32)
i.mean(dtype=torch.float32), b + b, b * b, b | b, b & b, b ^ b
b - b
~b, -i, ~i
-b
b + 1, b * 2, b + 1.5, b + True, 1 - b.int()
1 - b
b / b, b / 2, i / 2, i / i, 2 / i, i // 2, i % 2, -i // 2, i // 2.0, f // 1, f % 2, i % -2
-7 // torch.tensor(2), torch.tensor(-7) % 3
i // 0
f // 0, f % 0, f / 0
i % 0
i ** 2, 2 ** i.abs(), i ** 2.0, f ** 2, i ** 0.5
i ** -1
torch.tensor([2, 4]) ** -1
b ** 2
b // b
i == 1, i == 1.0, i == True, b == 1, b == True, f == 1.5, i > 1.5, f > b, b < 1, i == None, i != None
i == "a"
i < None
f == [1, 2, 3], i == np.int64(1), f * np.float32(2), i * np.float64(1.5), i + np.int64(3), i.max(), i.min()
b.max(), b.any(), b.all(), i.any(), f.all(), f.any(), e.sum(), e.mean(), e.prod(), e.std(), e.any(), e.all()
e.norm(), e.cumsum(0)
e.max()
e.argmax()
e2.sum(0), e2.sum(1), e2.mean(1), e2.prod(1), e2.any(1), e2.all(1)
e2.max(1)
e2.max(0), e2.argmax(0), e2.softmax(1), e2.log_softmax(0), torch.ones(1).std(), torch.ones(1).var()
torch.ones(3, 1).std(1), torch.tensor(1.0).std(), torch.ones(1).std(unbiased=False)
torch.ones(3).std(0, keepdim=True), torch.ones(2, 3).std((0, 1))
i.std()
b.std()
torch.tensor([1., 3., 3., 1.]).argmax(), torch.tensor([1., 3., 3., 1.]).argmin()
torch.tensor([[1, 1], [2, 2]]).argmax(1), torch.tensor([[1, 1], [2, 2]]).argmax(0)
torch.tensor([1, 3, 3]).max(0), torch.tensor([1., float('nan'), 3.]).max()
torch.tensor([1., float('nan'), 3.]).argmax(), torch.tensor([1., float('nan'), 3.]).min(0)
torch.tensor([1., float('nan')]).sort(), torch.tensor([1., float('nan'), 2.]).topk(1)
torch.tensor([3, 1, 3]).sort(descending=True), torch.tensor([3, 1, 3]).argsort()
torch.tensor([True, False]).sort(), torch.tensor([2.0, 2.0, 1.0]).topk(2), f.sum(-1)
f.sum(-1, keepdim=True), f.sum((0,)), f.sum([]), f.mean(()), torch.ones(2, 3).sum((0, -1))
torch.ones(2, 3).sum(())
f.sum(1)
f.sum(-2)
torch.ones(2, 3).sum((0, 0))
s.sum(0), s.sum(-1), s.max(0), s.argmax(), s.argmax(0), s.unsqueeze(-1), s.squeeze(0), z.softmax(0)
z.cumsum(0), s.sort(), z.mean(0), z.topk(1)
s.sum(1)
s + i, s + f, s * 1.5, z + i, z * 2, z + h, s + h, h + f, h + i, h + 1.5, h * torch.tensor(2.0), i32 + s
u + s, u + 300, i32 * 2.5, torch.tensor(2.0) * h
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
h
i32 += i
i32, f.add_(i), f.mul_(b), f.copy_(i), i.copy_(f), b.copy_(f), i.fill_(2.7), b.fill_(3)
i.clamp_(0.5)
i.clamp(min=0.5), i.clamp(max=1), f.clamp(0, 1)
i[0] = 3.9
i
b[0] = 2
b
f[0] = True
f
u[0] = -1
u
u[0] = 300
u + u, u * 2, u - 1, u / 2, -u, u.float(), u // 2, u % 2, u.sum().dtype, u > 2, u.int() + 1, u + i32[:2]
u + torch.tensor([1], dtype=torch.int8)
u + torch.tensor([1], dtype=torch.int16)
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
i.float().softmax(0)
i.softmax(0, dtype=torch.float32)
F.softmax(i, 0, dtype=torch.float32)
torch.arange(3) * 1.0, torch.arange(0, 1, 0.3), torch.arange(3.0), torch.arange(5, 0, -2), torch.arange(0)
torch.arange(2, 2), torch.arange(1, 2.5, 0.5)
torch.arange(3, dtype=torch.float32)
torch.arange(2, 0)
torch.arange(0, 3, 0)
torch.linspace(0, 1, 0), torch.linspace(0, 1, 1), torch.linspace(1, 0, 3), torch.full((2,), 1)
torch.full((2,), True), torch.full((2,), 1.5), torch.full((), 3), torch.full_like(i, 2.7)
torch.full((2,), 3, dtype=torch.float32)
torch.zeros(2, dtype=torch.bool)
torch.ones(2, dtype=torch.uint8)
torch.eye(2, 3)
torch.eye(2, dtype=torch.int64)
torch.tensor([]), torch.tensor([[]]), torch.tensor([[], []]), torch.tensor(True), torch.tensor([1, 2.5])
torch.tensor([1, True]), torch.tensor([True, 2.0])
torch.zeros(-1)
torch.zeros(2, -1)
torch.zeros(1.5)
torch.zeros("a")
torch.zeros([2, 3]), torch.zeros((2,)), torch.zeros(()), torch.zeros(size=(2,))
torch.zeros(torch.Size([1]))
torch.zeros()
torch.zeros(2, requires_grad=True)
torch.zeros(2, dtype=torch.float32, requires_grad=True)
torch.zeros(2, dtype=torch.int64, requires_grad=True)
torch.tensor([1, 2], requires_grad=True)
torch.tensor([1., 2.], requires_grad=True)
torch.tensor(None)
torch.tensor("a")
torch.tensor([1, "a"])
torch.tensor([[1, 2], [3]])
torch.tensor({1: 2})
torch.tensor({1, 2})
torch.tensor(np.arange(3)), torch.tensor(np.float32([1])), torch.tensor([np.float32(1), 2])
torch.tensor((1, 2)), torch.tensor([torch.tensor(1), torch.tensor(2)]), torch.tensor(torch.tensor([1, 2]))
torch.Tensor([1, 2]), torch.Tensor(2).shape, torch.Tensor(), torch.Tensor(2, 3).shape, torch.Tensor([True])
torch.LongTensor([1]), torch.LongTensor(2).shape, torch.FloatTensor(2, 1).shape, torch.LongTensor([1.5])
torch.IntTensor([1, 2]).dtype
torch.Tensor(1.5)
torch.Tensor(torch.ones(2).long())
import torch, math, copy, numpy as np
import torch.nn as nn, torch.nn.functional as F
h = torch.tensor([1.0, 2.5, -3.0]).half()
bf = h.bfloat16()
f = torch.tensor([0.5, -1.5, 2.0])
i = torch.tensor([3, -1, 2])
b = i > 0
i8 = torch.tensor([100, -100], dtype=torch.int8)
i16 = torch.tensor([30000, 5], dtype=torch.int16)
u = torch.tensor([200, 100], dtype=torch.uint8)
i8 + i8, i8 * 2, -i8, i8.abs(), i16 + i16, u + u, u - 201, i8 + u, i8 + i16, u.sum(), i8.sum(), i8.float()
i8 / 2, i8 // 3, i8 % 7, i8 ** 2, u.to(torch.int8), i16.to(torch.uint8), i.to(torch.int8), f.to(torch.int8)
i8 == 100, i8 > u, i8.max(), i8.bool(), ~u, ~i8, u & 15, i8 | 1, u.float().mean(), i8.cumsum(0), u.prod()
i8.argmax(), i8.sort(), i8.tolist(), u.clamp(max=150), u.min(), torch.cat([u, i8]), torch.stack([u, u])
torch.where(u > 150, u, u), u[0] + 1, u[0] * 1.5, i8[0] + i16[1], h + 1, h * 2.5, h + i, h * b, h + f, h / 3
h ** 2, h.sum(), h.mean(), h.max(), h.std(), h.norm(), -h, h.abs(), h > 1, h == h, h.float(), h.tolist()
h + torch.tensor(1e-4), h + torch.tensor(2.0), torch.cat([h, f]), h.sort(), h.argmax(), h.unsqueeze(0).t()
h.repeat(2), h[h > 0], torch.where(h > 0, h, f), torch.where(h > 0, h, 0.1), h.masked_fill(h > 0, 0.1)
h.new_tensor([0.1]), torch.full_like(h, 0.1), torch.zeros_like(h), h.sum(dtype=torch.float32)
h.mean(dtype=torch.float32), h % 2, h // 2, 1 / h, 2 ** h, h.outer(h), bf + 1, bf * 2.5, bf + h, bf.sum()
bf.exp(), bf * 0.1, bf.softmax(0), bf.mean(), bf.float(), bf / 3, bf.tolist(), bf.sqrt(), bf.clamp(0, 2)
bf > 1, bf.cumsum(0), bf.half(), bf + i, bf + f, bf.norm(), bf.std()
torch.ones(2, 2).bfloat16() @ torch.ones(2, 2).bfloat16(), h.add_(1), h.mul_(0.1), h.add_(f), h.div_(3)
h.sub_(i), h.copy_(f), h.fill_(0.1), h.zero_(), h.add_(torch.tensor(2.0)), bf.add_(h), bf.mul_(f)
bf.copy_(i), f.add_(h), f.mul_(i), f.copy_(b), f.add_(b), f.div_(i), f.pow_(2), f.clamp_(0, 1), f.floor_()
f.neg_(), f.abs_(), f.sqrt_(), f.exp_(), f.sigmoid_(), f.relu_(), f.round_(), f.tanh_(), f.log_()
f.fmod_(2), f.remainder_(2), f.floor_divide_(1), i.float().mean(), i.add_(b), i.mul_(b), i.floor_divide_(2)
i.remainder_(2), i.abs_(), i.neg_(), i.pow_(2), i.clamp_(0, 5), i.bitwise_and_(3), i.sub_(1), i.copy_(f)
i.fill_(True), i.zero_(), i.relu_()
i.exp_()
i.sqrt_()
i.mul_(1.5)
i.true_divide_(2)
i.add_(h)
i.lt_(2), i
b.add_(i)
b.mul_(True), b.logical_not_(), b.copy_(i), b.fill_(1), b.zero_(), b.eq_(False), b
b.sub_(True)
b.neg_()
f.masked_fill_(b, 3), f.masked_fill_(b, True), i.masked_fill_(b, 2.9), i
i.masked_fill_(i, 3)
x = torch.arange(6.).view(2, 3)
x.mean(None), x.sum(None, True), x.mean(dim=None, keepdim=True), x.sum(dim=[0, 1], keepdim=True)
x.sum(dim=()), x.max(dim=0)[0], x.min(0)[1]
torch.max(x, dim=1)[0]
x.std(), x.var(0), x.std(1, unbiased=False), x.std(1, True), x.std(False), x.std(dim=(0, 1), keepdim=True)
torch.std(x, 0, False)
torch.var(x, dim=1, unbiased=False, keepdim=True)
x.norm(1), x.norm(p=3), x.norm(dim=0), x.norm(float('inf')), x.norm(0), x.norm('fro'), x.norm(2, 1, True)
x.norm(2, dim=(0, 1))
torch.norm(x), torch.norm(x, 2, 1), x.norm(-float('inf')), x.norm(0.5), x.cumsum(1)
x.cumsum(0, dtype=torch.int64)
x.cumprod(1), x.logsumexp(1), x.logsumexp((0, 1)), x.logsumexp(0, True), x.prod(), x.prod(0)
x.prod(1, True), x.any(), x.all(1), x.any(0, keepdim=True), x.count_nonzero(), x.count_nonzero(0)
x.median(), x.median(1), x.quantile(0.5)
x.quantile(torch.tensor([0.1, 0.9]), dim=1)
x.amax(1), x.amin((0, 1)), x.argmax(), x.argmax(0), x.argmin(1, keepdim=True)
x.argsort(1, descending=True)
x.sort(0, descending=True)
x.topk(2, 1, False)
x.topk(1, dim=0)
torch.clamp(x, torch.tensor(1.), torch.tensor(3.)), x.clamp(min=torch.tensor([1., 2., 3.])), x.clamp(max=2)
torch.clip(x, 1, 2), x.clamp(1), x.clamp(min=1, max=0)
x.clamp()
x.clamp("a")
torch.eq(x, 1), torch.ne(x, x), torch.gt(x, 2), torch.logical_and(x > 1, x < 4), torch.logical_or(x, x)
torch.logical_not(x), torch.logical_xor(x, x), (x > 1) & (x < 4), (x > 1) | (x < 0), ~(x > 1)
(x > 1) ^ (x > 2), (x > 1) == (x > 2), (x > 1).sum(), (x > 1).float().mean(), (x > 1).long(), (x > 1) * x
(x > 1) + 0, -(x > 1).int(), (x > 1).any() and True, not (x > 9).any(), bool((x > 1).all())
-(x > 1)
(x > 1) - (x > 2)
1 - (x > 1)
(x > 1) + (x > 2), (x > 1) * (x > 2), (x > 1) / (x > 0), (x > 1) ** 2, (x > 1) + 1.5, (x > 1) * 2
True + (x > 1), 3 - x, 3 / (x + 1), 3 // (x + 1), 3 % (x + 1), 2 ** x, 3 > x, 3 == x, x - 3, x // 2, x % 2
-x // 2, -x % 2, x.remainder(-2), x.fmod(-2), (-x).fmod(2), torch.div(x, 2, rounding_mode="floor")
torch.div(-x, 2, rounding_mode="trunc"), torch.div(torch.tensor([7, -7]), 2)
torch.div(torch.tensor([7, -7]), 2, rounding_mode="trunc")
torch.div(torch.tensor([7, -7]), 2, rounding_mode="floor"), torch.floor_divide(torch.tensor([7, -7]), 2)
torch.remainder(torch.tensor([7, -7]), 3), torch.fmod(torch.tensor([7, -7]), 3)
torch.true_divide(torch.tensor([7]), 2), torch.tensor([7, -7]) // torch.tensor([2, 2]), torch.tensor(7) // 2
torch.tensor(-7) // 2, torch.tensor(7.) // 2, 7 // torch.tensor(2), torch.tensor(7) / 2, torch.tensor(7) % 4
torch.tensor(-7) % 4, torch.tensor(7) ** 2, torch.tensor(7) // 2.0
torch.div(x, 2, rounding_mode="up")
torch.add(x, 1, alpha=2), torch.sub(x, x, alpha=0.5), x.add(1, alpha=3), torch.addcmul(x, x, x, value=0.5)
torch.addcdiv(x, x, x + 1), torch.lerp(x, x + 1, 0.5), torch.mul(x, x), torch.mul(x, 2), torch.sub(i, 1)
torch.add(i, 1.5), torch.add(b, True), torch.neg(x), torch.pow(2, x), torch.pow(x, x), torch.pow(x, 0.5)
torch.sqrt(x), torch.exp(-x), torch.square(i), torch.sign(-x), torch.abs(-i), torch.ceil(x / 2)
torch.trunc(-x / 2), torch.frac(-x / 4), torch.reciprocal(x + 1), torch.log1p(x), torch.expm1(x)
torch.sigmoid(i), torch.tanh(b), torch.erf(i)
torch.add(i, 1, alpha=0.5)
torch.add(i, i, alpha=1.5)
torch.sub(b, b)
torch.add(b, b, alpha=2), torch.tensor([1.5, 2.5, -1.5]).long(), torch.tensor([1.5, -0.5]).bool()
torch.tensor([0.0, float("nan")]).bool(), torch.tensor([1e9]).int(), torch.tensor([3.9, -3.9]).int()
torch.tensor([True]).float(), torch.tensor([2, 0]).bool(), torch.tensor([65536.]).half()
torch.tensor([1e-8]).half(), torch.tensor([3.14159]).bfloat16(), torch.tensor([2049.]).half()
x.to(torch.int64).dtype, x.to(x.half()).dtype, x.to("cpu", torch.int32).dtype
x.to(device="cpu", dtype=torch.bool).dtype
x.type(torch.long).dtype, x.type("torch.IntTensor").dtype, x.type_as(i).dtype, x.float() is x
x.to(torch.float32, copy=True) is x, x.new_zeros(2).dtype, i.new_ones(2), i.new_full((2,), 1.5)
i.new_tensor([1.5]), i.new_empty(2).dtype, x.new_tensor([1, 2]), x.new_full((1,), True), torch.ones_like(i)
torch.ones_like(i, dtype=torch.float32)
torch.zeros_like(b), torch.rand_like(h).dtype, torch.full_like(x, 3), torch.empty_like(x).shape
torch.randn_like(f).dtype, i.new_tensor(x[0])
x.to("foo")
x.type("foo")
x.to(dtype="float32")
F.softmax(x, -1), x.softmax(1).dtype, F.relu(i), F.silu(f), F.mse_loss(h, h)
F.silu(x.clone(), True), F.relu6(x.clone(), True), F.leaky_relu(x.clone(), 0.1, True), F.elu(x.clone(), 2.0, True)
F.cross_entropy(x, torch.tensor([0, 1])), F.l1_loss(i.float(), f), F.one_hot(i.abs()), F.normalize(x)
F.cosine_similarity(x, x), F.pad(i, (1, 2), value=7), F.pad(x, (1, 1), "constant", 3.5)
F.mse_loss(i, i)
F.l1_loss(i, i)
F.cross_entropy(i.view(1, 3), torch.tensor([0]))
F.binary_cross_entropy(b.float(), b)
F.nll_loss(x, torch.tensor([0., 1.]))
F.linear(x, h)
x @ i.float(), x @ h.float()
x @ i
torch.bmm(x, x)
torch.einsum("ij,j->i", x, f), torch.einsum("ij->j", x), torch.einsum("ij,kj->ik", x, x)
torch.einsum("ii->i", torch.ones(2, 2)), torch.einsum("...j,j", x, f)
torch.einsum("ij,jk", x, x)
torch.arange(3, dtype=torch.float16)
torch.arange(0.5, 3), torch.arange(3).float() / 2, torch.arange(-3, 3, 2), torch.arange(3, 0, -1)
torch.arange(torch.tensor(3)), torch.arange(1, 2, 0.25), torch.arange(5.5), torch.arange(0, 5, 2.5)
torch.linspace(0, 1, steps=3)
torch.linspace(0, 10, 3, dtype=torch.int64)
torch.linspace(-1, 1, 1), torch.eye(2).long(), torch.tril(torch.ones(3, 3)).long()
torch.triu(torch.ones(2, 3), 1) == 1, torch.full((2, 2), float("-inf")).triu(1), torch.ones(2).new_tensor(3)
torch.zeros(2, 3).shape == (2, 3), torch.zeros(2, 3).size() == torch.Size([2, 3])
list(torch.zeros(2, 3).shape), torch.zeros(2, 3).shape[-1], len(torch.zeros(2, 3).shape)
torch.zeros(2, 3).shape.numel(), torch.zeros(2, 3).shape + (4,), tuple(torch.zeros(1).shape)
str(torch.zeros(2).shape), torch.zeros(2, 3).shape[:1], torch.Size([2]) == [2]
isinstance(torch.zeros(1).shape, tuple), hash(torch.Size([1])) == hash((1,)), torch.Size([2, 3]) * 2
x[torch.tensor(1)], x[torch.tensor([1])], x[:, torch.tensor(0)]
x[torch.tensor([0, 1]), torch.tensor([1, 2])], x[1, torch.tensor([True, False, True])], x[(x > 2)]
x[x > 2].sum(), x[[1]], x[1][None], x[..., :2], x[:, [0, 2]], x[1:, -1], x[-1, -1].item(), x[0:1, 0:1]
x[torch.arange(2), torch.tensor([0, 2])], x[None, ..., None].shape, x[:, None, 1:].shape, x.T[0]
x.T[1:, :1]
x[[0, 1], [0, 1, 2]]
x[torch.tensor([0, 2])]
x[:, 5]
x[0, 0, 0]
x[1.5]
x.view(-1)[::2], x.view(3, 2)[1], x.reshape(-1, 1).squeeze(), x.view(1, 6).squeeze(0)
x.unsqueeze(1).expand(2, 4, 3)[0, 3], x.flatten(), x.T.contiguous().view(-1), x.transpose(0, 1).reshape(-1)
x.permute(1, 0).shape, x.swapaxes(0, 1).shape, x.movedim(0, 1).shape, x.narrow(1, 1, 2), x.chunk(2, 1)[1]
x.split([1, 2], 1)[1], torch.split(x, 2, 1)[0], x.unbind()[1], x.tile((2, 1)), x.repeat(1, 2)
x.expand(1, 2, 3).shape, x.roll(1), x.flip(0, 1), x.diagonal(), x.diag(), x.tril(), x.triu(1)
n0, h0 = torch.zeros(0, dtype=torch.int64), torch.tensor(1.5).half()
n0 // 0, n0 % 0, torch.zeros(2, 0) // 0
torch.tensor([1]) // torch.tensor([0])
[y.dtype for y in (h0.add(0.5, alpha=2), h0.add(1, alpha=0.5), h0 - 2.5, h0.sub(torch.tensor(1.0), alpha=2), h0.add(torch.ones(1), alpha=2))]
[y.dtype for y in (torch.tensor(1).add(2, alpha=3), torch.tensor(1).add(0.5, alpha=3), torch.tensor(1).add(True, alpha=3), torch.tensor([1]).add(0.5, alpha=2))]
torch.tensor(1).add(2, alpha=0.5)
torch.tensor([1]).add(torch.tensor([2]), alpha=1.5)
nan = torch.tensor([float("nan"), float("inf"), -float("inf"), 3e9, -3e9, 1e19, -1e19, 1e30])
nan.int(), nan[:5].long(), nan[5:].long(), nan.bool(), nan[:3].int().long()
torch.ones(2).add_(torch.ones(2), alpha=0.5), torch.ones(2).sub_(1, alpha=3), torch.tensor([5]).add_(2, alpha=3)
torch.tensor([5]).add_(2, alpha=0.5)
x5 = torch.tensor([1, 2, 3]); x5 += x5; x5 *= x5; x5 -= x5; x5
h5 = torch.tensor([1.0, 2, 3]).half(); h5 += h5; h5 *= h5; h5 /= h5 + 1; h5
b5 = torch.tensor([True, False]); b5 &= b5; b5 ^= b5; b5 |= torch.tensor([True, True]); b5
t5 = torch.tensor([1.0, 2.0]); t5.mul_(t5); t5.sub_(t5, alpha=3); t5.div_(t5); t5
1 << torch.tensor([0, 3, 20]), torch.tensor([-8, 7]) >> 1, torch.tensor([-8, 7]) >> torch.tensor([70, 2]), torch.tensor([5]) % -3
torch.tensor([-7, 7, -7]) % torch.tensor([3, -3, -3]), torch.tensor([-7.5, 7.5]) % torch.tensor([2.0, -2.0]), torch.tensor([-7, 7]) // torch.tensor([2, -2])
2.0 ** torch.tensor([1, 2]), 2 ** torch.tensor([1, 2]), torch.tensor([2]) ** 2.0, torch.tensor([2]) ** torch.tensor([3]), torch.tensor([2.0]) ** -1
torch.tensor([2]) ** -1
torch.tensor([1, 2]).clamp(2, 1), torch.tensor([1.0, 5.0]).clamp(2, 1), torch.tensor([1, 2]).clamp(min=1.5), torch.tensor([1, 5]).clamp_(2, 3)
torch.tensor([1, 5]).clamp_(max=1.5)
torch.where(torch.tensor([True, False]), 1, torch.tensor([2.5, 3.5])), torch.where(torch.tensor([True, False]), torch.tensor([1]), torch.tensor(2.5)), torch.where(torch.tensor([True, False]), h0, torch.tensor([1, 2]))
torch.where(torch.tensor([1, 0]), h0, 1)
int(torch.tensor(3.7)), float(torch.tensor(3)), bool(torch.tensor(0.5)), int(torch.tensor(True)), [10, 20, 30][torch.tensor(1)], complex(torch.tensor(2.0)) == 2
[10, 20][torch.tensor(1.0)]
[10, 20][torch.tensor([1, 0])]
bool(torch.tensor([1.0, 2.0]))
bool(torch.zeros(0))
torch.int16 == torch.int16, torch.int16 != torch.int32, torch.float32 == "float32", {torch.float32: 1}[torch.float], len({torch.int64, torch.long, torch.int32})
kinds = torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int16, torch.uint8, torch.bool
def kept(a, d): a.to(d).fill_(0); return a.tolist()
[kept(torch.ones(2).to(c), d) for c in kinds for d in kinds if c != d], kept(torch.ones(2), torch.float32)
