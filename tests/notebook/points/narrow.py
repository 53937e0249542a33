# Narrow dtypes and what is written into numbers in place: bytes, halves, bools, alpha, shifts, conversions.
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
i.lt_(2), i
b.mul_(True), b.logical_not_(), b.copy_(i), b.fill_(1), b.zero_(), b.eq_(False), b
f.masked_fill_(b, 3), f.masked_fill_(b, True), i.masked_fill_(b, 2.9), i
n0, h0 = torch.zeros(0, dtype=torch.int64), torch.tensor(1.5).half()
n0 // 0, n0 % 0, torch.zeros(2, 0) // 0
[y.dtype for y in (h0.add(0.5, alpha=2), h0.add(1, alpha=0.5), h0 - 2.5, h0.sub(torch.tensor(1.0), alpha=2), h0.add(torch.ones(1), alpha=2))]
[y.dtype for y in (torch.tensor(1).add(2, alpha=3), torch.tensor(1).add(0.5, alpha=3), torch.tensor(1).add(True, alpha=3), torch.tensor([1]).add(0.5, alpha=2))]
nan = torch.tensor([float("nan"), float("inf"), -float("inf"), 3e9, -3e9, 1e19, -1e19, 1e30])
nan.int(), nan[:5].long(), nan[5:].long(), nan.bool(), nan[:3].int().long()
torch.ones(2).add_(torch.ones(2), alpha=0.5), torch.ones(2).sub_(1, alpha=3), torch.tensor([5]).add_(2, alpha=3)
1 << torch.tensor([0, 3, 20]), torch.tensor([-8, 7]) >> 1, torch.tensor([-8, 7]) >> torch.tensor([70, 2]), torch.tensor([5]) % -3
torch.tensor([-7, 7, -7]) % torch.tensor([3, -3, -3]), torch.tensor([-7.5, 7.5]) % torch.tensor([2.0, -2.0]), torch.tensor([-7, 7]) // torch.tensor([2, -2])
2.0 ** torch.tensor([1, 2]), 2 ** torch.tensor([1, 2]), torch.tensor([2]) ** 2.0, torch.tensor([2]) ** torch.tensor([3]), torch.tensor([2.0]) ** -1
torch.tensor([1, 2]).clamp(2, 1), torch.tensor([1.0, 5.0]).clamp(2, 1), torch.tensor([1, 2]).clamp(min=1.5), torch.tensor([1, 5]).clamp_(2, 3)
torch.where(torch.tensor([True, False]), 1, torch.tensor([2.5, 3.5])), torch.where(torch.tensor([True, False]), torch.tensor([1]), torch.tensor(2.5)), torch.where(torch.tensor([True, False]), h0, torch.tensor([1, 2]))
int(torch.tensor(3.7)), float(torch.tensor(3)), bool(torch.tensor(0.5)), int(torch.tensor(True)), [10, 20, 30][torch.tensor(1)], complex(torch.tensor(2.0)) == 2
torch.int16 == torch.int16, torch.int16 != torch.int32, torch.float32 == "float32", {torch.float32: 1}[torch.float], len({torch.int64, torch.long, torch.int32})
kinds = torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int16, torch.uint8, torch.bool
def kept(a, d): a.to(d).fill_(0); return a.tolist()
[kept(torch.ones(2).to(c), d) for c in kinds for d in kinds if c != d], kept(torch.ones(2), torch.float32)
# Refused
i.exp_()
i.sqrt_()
i.mul_(1.5)
i.true_divide_(2)
i.add_(h)
b.add_(i)
b.sub_(True)
b.neg_()
i.masked_fill_(i, 3)
torch.tensor([1]) // torch.tensor([0])
torch.tensor(1).add(2, alpha=0.5)
torch.tensor([1]).add(torch.tensor([2]), alpha=1.5)
torch.tensor([5]).add_(2, alpha=0.5)
torch.tensor([1, 5]).clamp_(max=1.5)
torch.where(torch.tensor([1, 0]), h0, 1)
[10, 20][torch.tensor(1.0)]
[10, 20][torch.tensor([1, 0])]
bool(torch.zeros(0))
