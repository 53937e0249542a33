# A matrix: reductions, comparisons, arithmetic, functions, conversions, indices, and other shapes of it.
import torch, math, copy, numpy as np
import torch.nn as nn, torch.nn.functional as F
h = torch.tensor([1.0, 2.5, -3.0]).half()
f = torch.tensor([0.5, -1.5, 2.0])
i = torch.tensor([3, -1, 2])
b = i > 0
x = torch.arange(6.).view(2, 3)
x.std(), x.var(0), x.std(1, unbiased=False), x.std(1, True), x.std(False), x.std(dim=(0, 1), keepdim=True)
x.prod(1, True), x.any(), x.all(1), x.any(0, keepdim=True), x.count_nonzero(), x.count_nonzero(0)
x.median(), x.median(1), x.quantile(0.5)
x.clamp()
x.clamp("a")
torch.eq(x, 1), torch.ne(x, x), torch.gt(x, 2), torch.logical_and(x > 1, x < 4), torch.logical_or(x, x)
(x > 1) + 0, -(x > 1).int(), (x > 1).any() and True, not (x > 9).any(), bool((x > 1).all())
-(x > 1)
1 - (x > 1)
-x // 2, -x % 2, x.remainder(-2), x.fmod(-2), (-x).fmod(2), torch.div(x, 2, rounding_mode="floor")
torch.div(torch.tensor([7, -7]), 2, rounding_mode="floor"), torch.floor_divide(torch.tensor([7, -7]), 2)
torch.div(x, 2, rounding_mode="up")
torch.addcdiv(x, x, x + 1), torch.lerp(x, x + 1, 0.5), torch.mul(x, x), torch.mul(x, 2), torch.sub(i, 1)
torch.add(i, 1, alpha=0.5)
torch.add(i, i, alpha=1.5)
torch.add(b, b, alpha=2), torch.tensor([1.5, 2.5, -1.5]).long(), torch.tensor([1.5, -0.5]).bool()
torch.tensor([0.0, float("nan")]).bool(), torch.tensor([1e9]).int(), torch.tensor([3.9, -3.9]).int()
torch.tensor([1e-8]).half(), torch.tensor([3.14159]).bfloat16(), torch.tensor([2049.]).half()
x.type(torch.long).dtype, x.type("torch.IntTensor").dtype, x.type_as(i).dtype, x.float() is x
x.to(torch.float32, copy=True) is x, x.new_zeros(2).dtype, i.new_ones(2), i.new_full((2,), 1.5)
i.new_tensor([1.5]), i.new_empty(2).dtype, x.new_tensor([1, 2]), x.new_full((1,), True), torch.ones_like(i)
torch.zeros_like(b), torch.rand_like(h).dtype, torch.full_like(x, 3), torch.empty_like(x).shape
torch.randn_like(f).dtype, i.new_tensor(x[0])
x.to("foo")
x.type("foo")
x.to(dtype="float32")
F.silu(x.clone(), True), F.relu6(x.clone(), True), F.leaky_relu(x.clone(), 0.1, True), F.elu(x.clone(), 2.0, True)
F.cross_entropy(x, torch.tensor([0, 1])), F.l1_loss(i.float(), f), F.one_hot(i.abs()), F.normalize(x)
F.mse_loss(i, i)
F.l1_loss(i, i)
F.cross_entropy(i.view(1, 3), torch.tensor([0]))
F.binary_cross_entropy(b.float(), b)
F.nll_loss(x, torch.tensor([0., 1.]))
F.linear(x, h)
x @ i
torch.arange(3, dtype=torch.float16)
torch.linspace(0, 1, steps=3)
torch.linspace(0, 10, 3, dtype=torch.int64)
torch.triu(torch.ones(2, 3), 1) == 1, torch.full((2, 2), float("-inf")).triu(1), torch.ones(2).new_tensor(3)
torch.zeros(2, 3).shape.numel(), torch.zeros(2, 3).shape + (4,), tuple(torch.zeros(1).shape)
isinstance(torch.zeros(1).shape, tuple), hash(torch.Size([1])) == hash((1,)), torch.Size([2, 3]) * 2
x[[0, 1], [0, 1, 2]]
x[0, 0, 0]
x[1.5]
x.permute(1, 0).shape, x.swapaxes(0, 1).shape, x.movedim(0, 1).shape, x.narrow(1, 1, 2), x.chunk(2, 1)[1]
x.split([1, 2], 1)[1], torch.split(x, 2, 1)[0], x.unbind()[1], x.tile((2, 1)), x.repeat(1, 2)
x.expand(1, 2, 3).shape, x.roll(1), x.flip(0, 1), x.diagonal(), x.diag(), x.tril(), x.triu(1)
