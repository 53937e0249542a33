# Dtypes: what they hold, how they wrap, and what becomes of two of them.
x = torch.arange(1., 7.).view(2, 3).requires_grad_()
with torch.cpu.amp.autocast() if hasattr(torch, "cpu") else torch.autocast("cpu"): q = x @ x.t()
q.dtype
brief = torch.tensor([1.0, 2.0], dtype=torch.bfloat16, requires_grad=True)
# A gradient of a narrow float is one, too, whoever looks: 0.1234567 is 0.12347412109375 as a half
def beyond(g): return g.dtype, (g.float() - 0.1234567).mul(1e4)
def again(x): x.grad = None; return x
(again(brief) * 0.1234567).sum().backward(); beyond(brief.grad)
# Refused
torch.finfo(torch.int8)
torch.tensor([3, 1, -1], dtype=torch.int8) ** 200
# Not refused
x = torch.arange(6.).view(2, 3)
# Refused
x.to("foo")
x.to(dtype="float32")
# Not refused
x = leaf([[1.0, -2.5, 3.5], [4.0, 5.0, -6.0]])
x.to(dtype=torch.int64, device="cpu", non_blocking=True)
h = torch.tensor([1.0, 2.5, -3.0]).half()
f = torch.tensor([0.5, -1.5, 2.0])
i = torch.tensor([3, -1, 2])
h.repeat(2), h[h > 0], torch.where(h > 0, h, f), torch.where(h > 0, h, 0.1), h.masked_fill(h > 0, 0.1)
h.new_tensor([0.1]), torch.full_like(h, 0.1), torch.zeros_like(h), h.sum(dtype=torch.float32)
torch.ones(2, 2).bfloat16() @ torch.ones(2, 2).bfloat16(), h.add_(1), h.mul_(0.1), h.add_(f), h.div_(3)
i.lt_(2), i
n0, h0 = torch.zeros(0, dtype=torch.int64), torch.tensor(1.5).half()
n0 // 0, n0 % 0, torch.zeros(2, 0) // 0
[y.dtype for y in (h0.add(0.5, alpha=2), h0.add(1, alpha=0.5), h0 - 2.5, h0.sub(torch.tensor(1.0), alpha=2), h0.add(torch.ones(1), alpha=2))]
nan = torch.tensor([float("nan"), float("inf"), -float("inf"), 3e9, -3e9, 1e19, -1e19, 1e30, 2.0**63, 2.0**31])
nan.int(), nan[:5].long(), nan[5:].long(), nan.bool(), nan[:3].int().long()
torch.ones(2).add_(torch.ones(2), alpha=0.5), torch.ones(2).sub_(1, alpha=3), torch.tensor([5]).add_(2, alpha=3)
1 << torch.tensor([0, 3, 20]), torch.tensor([-8, 7]) >> 1, torch.tensor([-8, 7]) >> torch.tensor([70, 2]), torch.tensor([5]) % -3
2.0 ** torch.tensor([1, 2]), 2 ** torch.tensor([1, 2]), torch.tensor([2]) ** 2.0, torch.tensor([-2, 0]) ** 0, torch.tensor([2]) ** torch.tensor([3]), torch.tensor([2.0]) ** -1
int(torch.tensor(3.7)), float(torch.tensor(3)), bool(torch.tensor(0.5)), int(torch.tensor(True)), [10, 20, 30][torch.tensor(1)], complex(torch.tensor(2.0)) == 2
torch.int16 == torch.int16, torch.int16 != torch.int32, torch.float32 == "float32", {torch.float32: 1}[torch.float], len({torch.int64, torch.long, torch.int32})
kinds = torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int16, torch.uint8, torch.bool
def kept(a, d): a.to(d).fill_(0); return a.tolist()
[kept(torch.ones(2).to(c), d) for c in kinds for d in kinds if c != d], kept(torch.ones(2), torch.float32)
# Refused
torch.tensor([1]) // torch.tensor([0])
torch.tensor(1).add(2, alpha=0.5)
torch.tensor([1]).add(torch.tensor([2]), alpha=1.5)
torch.tensor([5]).add_(2, alpha=0.5)
torch.where(torch.tensor([1, 0]), h0, 1)
[10, 20][torch.tensor(1.0)]
[10, 20][torch.tensor([1, 0])]
bool(torch.zeros(0))
# Not refused
FLOATS, WHOLE = (torch.float16, torch.bfloat16, torch.float32), (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool)
[torch.tensor(5000, dtype=d).div(4000, rounding_mode=r) for d in (torch.int16, torch.int64) for r in ("floor", "trunc")]
[x.mul(x / 0).nan_to_num() for x in (torch.tensor([-1., 0, 1]).to(d) for d in FLOATS)]
i = torch.tensor([1, 0, 1])
STARTS = "torch.tensor([[4.0, -2.0], [0.5, 3.0]])", "torch.tensor([[4, -2], [1, 3]])", "torch.tensor([[4.0, -2.0], [0.5, 3.0]]).bfloat16()", "x * 1", "(x * 1).t()"
def itself(code, starts=STARTS):
    """y, which is written to with what it is made of: numbers, whole ones, narrow ones, and with a history."""
    found = []
    for start in starts:
        x = leaf([[4.0, -2.0], [0.5, 3.0]])
        y = eval(start, {"torch": torch, "x": x})
        try:
            exec(code, {"y": y, "i": i, "torch": torch})
            if y.requires_grad: (y * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
            found.append((y.detach(), x.grad))
        except Exception as error: found.append(type(error).__name__)
    return found
table(lambda code: itself(code, ["torch.tensor([[4.0, -2.0], [0.5, 3.0]]).half()"]), """
y += y
y -= y
y *= y
y /= y
y **= 2""")
