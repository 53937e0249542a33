# torch.utils.checkpoint.
x = torch.arange(1., 7.).view(2, 3).requires_grad_()
w = leaf([2., -1., 3.])
sum((y * y).sum() for y in checkpoint(lambda a, b: (a * b, b), x, w))
# A checkpoint's result is of its own dtype
half = torch.tensor([1.0, 2.0], dtype=torch.float16, requires_grad=True)
checkpoint(lambda t: t > 1, half)
# Operands that are none, and sequences that are no array
x = leaf([[1.0, 2], [3, 4]])
with torch.no_grad(): y = checkpoint(lambda t: t * 2, x)
y
# Dtypes: of what was saved, of gradients, and of what hooks and checkpoints are given
kept = []
h = torch.tensor([1.5, -2.0], dtype=torch.float16, requires_grad=True)
y = checkpoint(lambda t: kept.append(t.dtype) or t * 2, h)
y
checkpoint(lambda n: n * 2, 3, use_reentrant=False)
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
[(y.dtype, y.requires_grad) for f in (torch.Tensor.long, torch.Tensor.half, lambda y: y > 0) for y in [checkpoint(f, torch.ones(2, requires_grad=True), use_reentrant=False)]]
