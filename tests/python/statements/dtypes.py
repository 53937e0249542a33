# Dtypes: what they hold, how they wrap, and what becomes of two of them.
# What is computed in a narrow dtype is computed of numbers that this has
def brought(x): return (x.float() * 1e6).long().tolist()
narrow = [(torch.arange(1.0, 9) / 7).to(d) for d in (torch.float16, torch.bfloat16)]
[brought(y) for x in narrow for y in (x.clone().div_(8.1), x.var(), x.std(), x.var(0, unbiased=False), x.std(0, keepdim=True), x.sum())]
x = torch.ones(2, 3)
with torch.cpu.amp.autocast() if hasattr(torch, "cpu") else torch.autocast("cpu"): q = x @ x.t()
q.dtype
# Refused
torch.finfo(torch.int8)
torch.tensor([5]).round(decimals=1)
torch.tensor([3, 1, -1], dtype=torch.int8) ** 200
x.to("foo")
x.to(dtype="float32")
# Not refused
nan = torch.tensor([float("nan"), float("inf"), -float("inf"), 3e9, -3e9, 1e19, -1e19, 1e30, 2.0**63, 2.0**31])
nan.int(), nan[:5].long(), nan[5:].long(), nan.bool(), nan[:3].int().long()
1 << torch.tensor([0, 3, 20]), torch.tensor([-8, 7]) >> 1, torch.tensor([-8, 7]) >> torch.tensor([70, 2]), torch.tensor([5]) % -3
# Refused
torch.tensor([1]) // torch.tensor([0])
bool(torch.zeros(0))
[10, 20][torch.tensor(1.0)]
# Not refused
NUMBERS = (1e9, -1e9, 65504., 65519., 65520., 1e39, -1e39, 3.4028235e38, math.inf, -math.inf, math.nan, 256, -256, 128, -128, 1.5, -.5, True)
def held(line):
    """CODE; DTYPES; NUMBERS: what becomes of two ones x of each dtype and each number v."""
    code, dtypes, numbers = (*line.split("; "), "", "")[:3]
    f, dtypes = eval("lambda x, v: " + code, globals()), eval(dtypes or "FLOATS + WHOLE", globals())
    def of(d): return eval(numbers, globals()) if numbers else NUMBERS if d.is_floating_point else NUMBERS[2:]
    return {str(d)[6:]: [tried(lambda v: digits(f(torch.ones(2).to(d), v).tolist()), v) for v in of(d)] for d in dtypes}
m, i0 = torch.tensor([True, False]), torch.tensor([0])
table(held, """
x.masked_fill(m, v)
x.fill_(v)
torch.tensor([v], dtype=x.dtype)
x.__setitem__(0, v) or x
x.scatter(0, i0, v)
torch.linspace(0, v, 2, dtype=x.dtype) if x.dtype != torch.bool else v
x.pow(v); FLOATS
v ** x; WHOLE[:5]; (2, 200, 256, 40000)
x.clamp(max=torch.tensor(v)); WHOLE[:5]; (256, -1, -129)
x.index_add(0, i0, x[:1], alpha=v); FLOATS
x + v; FLOATS + WHOLE; NUMBERS
x * v; FLOATS + WHOLE; NUMBERS
x.add_(v); FLOATS + WHOLE[:5]; NUMBERS
x > v; FLOATS + WHOLE; NUMBERS
x.clamp(max=v); FLOATS[1:] + WHOLE[:5]; NUMBERS[:7] + (256, 128, 1.5)
x.add(x, alpha=v); FLOATS + WHOLE[:5]; NUMBERS
torch.tensor([v]).to(x.dtype); FLOATS + WHOLE; (300., -1., 1e9, 65520., 3e9)""")
# Dtypes that differ: each is computed as the result is
OTHER = torch.uint8, torch.int8, torch.int16, torch.int64, torch.bool, torch.float32
def mixed(line):
    code, *starts = line.split("; ")
    f = eval("lambda a, b: " + code, globals())
    a, b = (torch.tensor(eval(start)) for start in starts or ("[3., 200, 0, -100]", "[-3., 100, 1, 5]"))
    return [tried(f, a.to(c), b.to(d)) for c in OTHER for d in OTHER]
table(mixed, """
a.clone().add_(b, alpha=100)
a.add(b, alpha=2); [3., 200, 0, -100]; -3.
a.clamp(min=b.int() if b.dtype == torch.bool else b); 200.; [4., -100]
a.clone().clamp_(min=b.int() if b.dtype == torch.bool else b)
a.masked_fill(a > 0, b[0])
a.__setitem__(a > 0, b[0]) or a
a.__setitem__([0], b[0]) or a
torch.xlogy(a.abs(), b.abs())
a.addcmul(b, b, value=-1)
a.addcdiv(b, b[:1], value=2)
torch.zeros(4).addcdiv(b.half() * 400, torch.tensor(.5).half()) if a.dtype == torch.float32 else 0
(a > 0).index_add(0, torch.arange(4), a > 0).float()
a.cumsum(0, dtype=b.dtype).float()
a.index_add(0, torch.arange(4), b, alpha=-1)
a.index_fill(0, i0, b[0])""")
[torch.tensor(5000, dtype=d).div(4000, rounding_mode=r) for d in (torch.int16, torch.int64) for r in ("floor", "trunc")]
[x.mul(x / 0).nan_to_num() for x in (torch.tensor([-1., 0, 1]).to(d) for d in FLOATS)]
i = torch.tensor([1, 0, 1])
def one(code, dtype, by=1.1):
    """The value, and the gradient that is kept, kept of what is between, returned, and given to hooks; without hooks, too."""
    x = torch.tensor([[0.5, -1.5], [2.0, 0.25]]).to(dtype).requires_grad_()
    seen, k = [], x.register_hook(lambda g: seen.append((g.dtype, g.tolist())))
    def weighed(x):
        y = eval(code, {**globals(), "x": x})
        return y, (y.float() * (by * torch.arange(1.0, y.numel() + 1)).reshape(y.shape)).sum()
    def loss():
        h = x * 1
        h.retain_grad(), h.register_hook(lambda g: seen.append((g.dtype, g.tolist())))
        return h, *weighed(h)
    try:
        h, y, l = loss()
        l.backward(), k.remove()  # whether grad() calls the hooks of a leaf depends on torch's version
        bare = x.detach().clone().requires_grad_()
        weighed(bare)[1].backward()
        return y.detach(), x.grad, h.grad, grad(loss()[2], x)[0], seen, bare.grad, grad(weighed(bare)[1], bare)[0]
    except RuntimeError: return "RuntimeError"
def saved(ctx, a): ctx.save_for_backward(a); return a * 2
twice = function(saved, lambda ctx, g: g * 2 + ctx.saved_tensors[0] * 0)
wide = function(lambda ctx, a: a.float() * 2, lambda ctx, g: g * 2)
def into(x, y): return y.copy_(x)
def put(y, place, x): y[place] = x; return y
def hooked(x):
    m = nn.Identity()
    m.register_full_backward_hook(lambda m, given, gave: (gave[0] * 2,))
    return m(x)
table(lambda code: [one(code, dtype) for dtype in (torch.float32, torch.bfloat16)], """
x * x
x * x.float()
x + i[:2]
x.float()
x.half().float()
x @ x.detach()
x.sum(0)
x.sum(0, dtype=torch.float32)
x[i]
x.index_add(0, i, x[i])
x.scatter(0, i[None, :2], x[:1])
torch.cat([x, x.float()])
torch.where(x > 0, x, x * 2)
x.clamp(min=x.detach() - 1)
into(x, torch.zeros(2, 2, dtype=torch.bfloat16))
put(torch.zeros(2, 2), i[:2], x.float())
put(x * 1, 0, x[1].float())
(x * 1).add_(x.float())
(x * 1).masked_fill_(x > 0, 3)
twice(x)
wide(x)
checkpoint(lambda y: y.float() * y, x, use_reentrant=False)
hooked(x)""")
table(lambda code: [one(code, dtype, 1) for dtype in (torch.float32, torch.bfloat16)], """
x @ x
F.linear(x, x)""")  # here products, and the sum of two gradients, are rounded once
table(lambda code: one(code, torch.float16), """
x * 2 + x
x / x
x.bfloat16()""")
