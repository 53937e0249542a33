# Indices, gather and scatter.
i = lambda *numbers: torch.tensor(numbers)
c = (torch.arange(24.0) * 1.7).sin().reshape(2, 3, 4)
# The numbers in the messages about an index, in each dimension
import re
def numbers(*codes):
    found = []
    for code in codes:
        try: eval(code)
        except Exception as error: found.append(re.findall(r"-?\d+", str(error).splitlines()[0]))
    return found
numbers("c[5]", "c[0, 5]", "c[:, -4]", "c[0, 0, 4]", "c[1, ..., -5]", "c[i(0), i(4)]", "c.scatter(2, i(5)[None, None], 1.0)", "c.scatter(1, i(3)[None, None], 1.0)")
numbers("c[torch.ones(2, 2).bool()]", "c[:, torch.ones(2).bool()]", "c[:, :, torch.ones(3).bool()]", "c[:, torch.ones(3, 5).bool()]", "c.index_fill(2, i(4), 0.0)")
x = leaf([[1.0, -2.5, 3.5], [4.0, 0.5, -6.0]])
i = torch.tensor([[1, -2, 3], [4, 5, -6]])
x.nonzero()
torch.where(i > 3)
x = torch.arange(12.).reshape(3, 4)
torch.nonzero(torch.tensor(1)), torch.nonzero(torch.tensor([0, 0]))
# Refused
torch.where(x, x, 0)
# Not refused
e = torch.zeros(0)
nan, inf = math.nan, math.inf
# NaNs, and nothing
n = torch.tensor([nan, 1., -inf, nan, inf])
n.unique(), e.unique(), torch.tensor([[nan, 1.], [0., 2.]])[:, 0].unique(), torch.tensor([0, 2]).nonzero(as_tuple=True), torch.tensor(2).nonzero(as_tuple=True), torch.tensor(0.).nonzero(as_tuple=True)
x = leaf([[1.0, -2.5, 3.5], [4.0, 0.5, -6.0]])
s = leaf([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
j = torch.tensor([[2, 0], [1, 1]])
# Refused
x.scatter(7, j, s)
x.index_select(0, j)
# Not refused
m, i0 = torch.tensor([True, False]), torch.tensor([0])
# Dtypes that differ: each is computed as the result is
OTHER = torch.uint8, torch.int8, torch.int16, torch.int64, torch.bool, torch.float32
def mixed(line):
    code, *starts = line.split("; ")
    f = eval("lambda a, b: " + code, globals())
    a, b = (torch.tensor(eval(start)) for start in starts or ("[3., 200, 0, -100]", "[-3., 100, 1, 5]"))
    return [tried(f, a.to(c), b.to(d)) for c in OTHER for d in OTHER]
table(mixed, """
a.add(b, alpha=-1)
a.add(b, alpha=2)
a.sub(b, alpha=2)
a.add(b, alpha=True)
a.clone().add_(b, alpha=100)
a.clone().sub_(b, alpha=True)
a.add(b, alpha=-1); 3.; [-3., 100, 1, 5]
a.add(b, alpha=2); [3., 200, 0, -100]; -3.
a.clamp(max=b.int() if b.dtype == torch.bool else b)
a.clamp(max=b.int() if b.dtype == torch.bool else b); -2.; [4., 100]
a.clamp(min=b.int() if b.dtype == torch.bool else b); 200.; [4., -100]
a.clone().clamp_(min=b.int() if b.dtype == torch.bool else b)
torch.maximum(a, b); -2.; [4., 100]
torch.where(a > 0, a, b)
a.masked_fill(a > 0, b[0])
a.clone().copy_(b)
torch.xlogy(a.abs(), b.abs())
a.addcmul(b, b, value=-1)
a.addcmul(b[1], b, value=2)
a.addcdiv(b, b[:1], value=2)
torch.zeros(4).addcmul(b.half(), b.half() * 300) if a.dtype == torch.float32 else 0
torch.zeros(4).addcdiv(b.half() * 400, torch.tensor(.5).half()) if a.dtype == torch.float32 else 0
(a > 0).index_add(0, torch.arange(4), a > 0).float()
(a > 0).scatter_add(0, torch.zeros(4).long(), a > 0).float()
a.cumsum(0, dtype=b.dtype).float()
a[:2].prod(dtype=b.dtype) if b.dtype != torch.bool else 0
a.index_add(0, torch.arange(4), b, alpha=-1)
a.index_fill(0, i0, b[0])
1 / (a * 0 * b)
1 / (-a.abs() // 1000 + 1).to(b.dtype)""")
x = torch.arange(6.).reshape(2, 3)
torch.tensor(3.).index_add(0, torch.tensor([0]), torch.ones(1))
# Refused
x.where(1, 2)
x.index_add(0, torch.tensor([0.]), torch.ones(1, 3))
torch.where([True])
# Not refused
x = torch.arange(6.).view(3, 2).requires_grad_()
w = torch.arange(6., 12.).view(3, 2).requires_grad_()
r = torch.tensor([0, 2, 0])
z = torch.tensor([1, 1, 1])
v = leaf(5.)
s = leaf([3., 4.])
e = torch.tensor([[0, 0], [0, 1], [0, 2]])
x.index_fill(0, r, v)
x.index_put((r,), w, accumulate=True)
x.index_put((r,), v, accumulate=True)
F.embedding(r, x, scale_grad_by_freq=True)
def put(i, given, change=lambda old, given: given):
    y = x * 1
    y[i] = change(y[i], given)
    return y
WRITES = (lambda: x.index_put((r,), w), lambda: x.index_put((r,), v), lambda: x.index_put((r,), s),
          lambda: (x * 1).index_put_((r,), w), lambda: x.scatter(0, e, w),
          lambda: x.scatter(1, e % 2, w), lambda: x.scatter(1, torch.zeros(3, 2).long(), w),
          lambda: (x * 1).scatter_(0, e, w), lambda: put(r, w),
          lambda: put(r, v), lambda: put(r, s), lambda: put([0, 0], w[:2]), lambda: put(([0, 0], [1, 1]), s),
          lambda: put((slice(None), [0, 0]), w), lambda: put(r, w, torch.add), lambda: put(z, 2, torch.mul))
[f().detach() for f in WRITES]
x.index_add(0, r.int(), w)
torch.zeros(3).long().index_add(0, torch.tensor([1, 1]), torch.ones(2).long())
torch.zeros(3).half().scatter_add(0, torch.tensor([1, 1]), torch.ones(2).half())
# Refused
x.index_fill(0, r, s)
x.index_put((r.float(),), w)
torch.zeros(2, 3).scatter(1, torch.tensor([[0, 1, 2], [2, 1, 0], [0, 0, 0]]), torch.ones(2, 3))
# Not refused
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
table(itself, """
y += y
y -= y
y.add_(y, alpha=2)
y.sub_(y, alpha=3)
y.copy_(y)
y -= y.clone()
y *= y.clone()
y /= y.clone()
y /= y.sum()
y -= y.mean()
y /= y.max()
y += y.flip(0)
y -= y * 2
y.masked_fill_(y > 1, 5)
y.index_add_(0, i[:2], y.clone())
y[0] += y[1].clone()
y[:1] -= y[1:] * 2
y[y > 1] = y[y > 1] * 2
y[i[:2]] = y.clone()
y.view(-1)[0] += y.sum()
y.t().add_(y.clone())
y[0].mul_(y[1].detach().clone())""")
