# Where a dtype is known, by each way to get a gradient; in place with itself; memory that is shared on purpose.
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
x + x
x - 1
x / 2
x ** 2
-x
1 - x
x * x.float()
x.bfloat16() + x
x * torch.tensor(2.0)
x * torch.tensor([2.0, 4.0])
x + i[:2]
x.float()
x.bfloat16()
x.half().float()
x.to(torch.bfloat16).to(torch.float16).float()
x.type_as(torch.ones(1))
x @ x.detach()
x.sum()
x.sum(0)
x.mean(1)
x.sum(0, dtype=torch.float32)
x.amax(0)
x.max(0)[0]
x.max()
x.sort(0)[0]
x.topk(1)[0]
x.cumsum(0)
x.t()
x[0]
x[:, 1]
x[x > 0]
x[i]
x.view(4)
x.expand(2, 2, 2)
x.repeat(2, 1)
x.flip(0)
x.gather(0, i[None, :2])
x.index_add(0, i, x[i])
x.scatter(0, i[None, :2], x[:1])
F.embedding(i, x)
F.pad(x, (1, 0))
x.triu()
torch.cat([x, x])
torch.cat([x, x.float()])
torch.stack([x, x.bfloat16()])
torch.where(x > 0, x, 0.0)
torch.where(x > 0, x, x * 2)
x.masked_fill(x > 0, 2)
x.relu()
x.abs()
x.clamp(-1, 1)
x.clamp(min=x.detach() - 1)
F.leaky_relu(x, 0.5)
x.maximum(x * 2)
x.square()
into(x, torch.zeros(2, 2))
into(x, torch.zeros(2, 2, dtype=torch.bfloat16))
into(x, x * 2)
put(torch.zeros(2, 2), 0, x[1])
put(torch.zeros(2, 2), i[:2], x.float())
put(x * 1, 0, x[1].float())
torch.zeros(2, 2).add_(x)
torch.ones(2, 2).mul_(x)
(x * 1).add_(x.float())
(x * 1).mul_(2)
(x * 1).masked_fill_(x > 0, 3)
twice(x)
wide(x)
checkpoint(lambda y: y * y, x, use_reentrant=False)
checkpoint(lambda y: y.float() * 2, x, use_reentrant=False)
hooked(x)
F.l1_loss(x, x.detach() * 0)""")
table(lambda code: [one(code, dtype, 1) for dtype in (torch.float32, torch.bfloat16)], """
x @ x
F.linear(x, x)
x.matmul(x[0])""")  # here products, and the sum of two gradients, are rounded once
table(lambda code: one(code, torch.float16), """
x.half()
x * 2
x * 2 + x
x.float() * 2
x.bfloat16()
x * x
x / x
x - x.float()
x ** 2
x.sum()
x.t()""")
[(y.dtype, y.requires_grad) for f in (torch.Tensor.long, torch.Tensor.half, lambda y: y > 0) for y in [checkpoint(f, torch.ones(2, requires_grad=True), use_reentrant=False)]]
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
table(lambda code: itself(code, ["torch.tensor([[4.0, -2.0], [0.5, 3.0]]).half()"]), """
y += y
y -= y
y *= y
y /= y
y **= 2""")
table(lambda code: itself(code, STARTS[:3]), """
y *= y
y /= y
y **= y.abs()
y //= y
y %= y
y.addcmul_(y, y)
y.clamp_(max=y)
y[0] *= y[0]
y[0] += y[0]
y[:] = y
y &= y
y |= y
y ^= y""")
def parts(flat, how):
    return {"parts": lambda: [flat[:2], flat[2:3], flat[3:]], "rows": lambda: list(flat.view(3, 2)), "overlap": lambda: [flat[:4], flat[2:]], "whole": lambda: [flat, flat[:2]]}[how]()
def shared(make):
    """A vector of which the parameters are views, the optimizer's own, or Parameters."""
    found = []
    for how in ("parts", "rows", "overlap", "whole"):
        for own in (False, True):
            flat = torch.tensor([1.0, -2.0, 0.5, 3.0, -1.0, 0.25])
            ps = [nn.Parameter(v) if own else v.detach().requires_grad_() for v in parts(flat, how)]
            o = optimizer(make, ps)
            for n in range(3):
                for p in ps: p.grad = torch.arange(1.0, p.numel() + 1) - n
                o.step()
            found.append((flat.clone(), [p.detach().clone() for p in ps], [p.data_ptr() - flat.data_ptr() for p in ps]))
            nn.utils.clip_grad_norm_(ps, 0.5); flat.mul_(2)
            found.append([(p.detach(), p.grad) for p in ps])
    return found
table(shared, """
SGD(p, lr=0.1)
SGD(p, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.1)
SGD(p, lr=0.1, momentum=0.5, dampening=0.5, maximize=True)
Adam(p, lr=0.1)
AdamW(p, lr=0.1, amsgrad=True)
RMSprop(p, lr=0.1, momentum=0.5, centered=True)
Adagrad(p, lr=0.1, lr_decay=0.5)""")
