# backward() and grad(): gradients that are given, retained and kept.
x = torch.arange(1., 7.).view(2, 3).requires_grad_()
def only(*inputs, **options):
    a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    c = a * 3
    y = (c * b * 2).sum() + a.sum()
    y.backward(inputs=[{"a": a, "b": b, "c": c}[i] for i in inputs] if inputs != ("one",) else a, **options)
    return a.grad, b.grad
only("b"), only("a", "b"), only("one"), only("a", "b", "a"), only("c", "c", "a")
a = leaf([1.0, 2.0]); c = a * 3; c.retain_grad(); (c * c).sum().backward(inputs=[c, a]); c.grad, a.grad
with torch.inference_mode(): k = torch.ones(1, requires_grad=True) * 2
k.requires_grad, torch.get_default_dtype()
with warnings.catch_warnings():
    warnings.simplefilter("error")
    seen = tried(lambda: (x * 1).grad), x.grad, tried(lambda: torch.zeros(1).grad)
seen
wrong = function(lambda ctx, a, b: a + b, lambda ctx, dy: dy)
raises = function(lambda ctx, a: a * 1, lambda ctx, dy: {}["mine"])
w = torch.ones(2, requires_grad=True)
# Dtypes of gradients
h = torch.tensor([1.5, -2.0], dtype=torch.float16, requires_grad=True)
grad((h * 2).float().sum(), h), grad((h * 2).sum(), [h], torch.tensor(3.0).half())
# Refused
only()
x.repeat_interleave(torch.tensor([2, 0, 1]), 0)
wrong(x, w).sum().backward()
raises(x).sum().backward()
grad(h * 2, h, torch.ones(2).half()), grad([h * 2, w * 1], [h, w], [torch.ones(2).half(), None])
grad((w * w).sum(), [])
torch.autograd.backward(w * 2, torch.ones(2), grad_variables=torch.ones(2))
grad([w * 2, w * 3], w, torch.ones(2))
# Not refused
x = leaf([1.0, 2, 3])
# Views of what no_grad made, parts, and what is lost
def after(change):
    found = []
    for make in ("h[1:]", "h.view(3, 1)", "h.split(1)[0]", "h.unbind()[1]"):
        h = x * 1
        with torch.no_grad(): v = eval(make, {"h": h})
        found.append(tried(eval, change, {"h": h, "v": v}))
    return found
table(after, """
v.mul_(2)
v[0].mul_(2)
v.detach().mul_(2)
(h.mul_(2), v * 1)[1]
(h.add_(1), v.sum().backward())[1]""")
with torch.no_grad(): h = torch.zeros(3); v = h[1:]; v.add_(1); p = h.split(2)[0]; p.add_(5)
table(lambda write: (tried(eval, write, {"v": v, "x": x}), h.requires_grad), """
v[0].copy_(x[0])
v[:1].mul_(x[:1])
v.view(2, 1).add_(x[0])""")
[tried(setattr, x, "grad", g) for g in (torch.ones(2), torch.ones(3).long(), 3.0, x)], x.grad
del x.grad; x.grad
# A tensor that requires no gradient may have one
p = leaf([1.0, 2.0]); (p * p).sum().backward(); p.detach_() is p, p.grad, p.requires_grad
p = torch.zeros(2); p.grad = torch.ones(2); p.grad, p.requires_grad, tried(setattr, p, "grad", torch.ones(3)), p.requires_grad_().grad
class Several(nn.Module):
    def forward(self, a, b, n): return a * n, b, None
m = Several(); m.register_full_backward_hook(lambda m, given, got: None) and None
[y.requires_grad for y in m(torch.ones(2), leaf([1.0, 2.0]), 2)[:2]]
# A leaf that is frozen between forward and backward
def passed(freeze, op=torch.mul, create=False):
    """What two passes give a leaf, an optimizer and a hook: one over what was recorded before, one after it."""
    a, b, seen = leaf([0.5, 0.25]), leaf([3.0, 4]), []
    a.register_hook(lambda g: seen.append(g)); y = (op(a, b) * b).sum(); o = optim.SGD([a, b], lr=0.1)
    exec(freeze, {"a": a, "torch": torch, "tried": tried})
    g, = grad(y, [b], create_graph=True) if create else [b]
    y.backward(retain_graph=True); create or o.step(); a.requires_grad_(); ((a * 1).sum() + g.sum()).backward()
    return a, b, a.grad, b.grad, seen
table(passed, """
a.requires_grad_(False)
a.detach_()
a.requires_grad = False
a.requires_grad_(False); a.grad = torch.ones(2)
a.grad = torch.ones(2); a.requires_grad_(False); tried(setattr, a, "grad", torch.ones(3))""")
OPS = "a.exp() * b", "a.t() + b", "a[[0, 1]] * b", "a.softmax(0) * b", "a.relu() - b", "a.std() * b"
table(lambda code: [passed("a.requires_grad_(False)", lambda a, b: eval(code, {"a": a, "b": b, "torch": torch, "F": F}), create) for create in (False, True)], "\n".join(OPS))
