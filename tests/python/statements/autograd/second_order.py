# Gradients of gradients, Jacobians, Hessians and gradcheck.
from torch.autograd import functional
x = leaf([[0.5, -1.5], [2.0, 3.0]])
w = leaf([1.0, -2.0])
functional.jacobian(lambda a, b: (a @ b, a.sum()), (x.detach(), w.detach())), functional.vjp(lambda t: (t * t).sum(), w.detach())
w = torch.ones(2, requires_grad=True)
functional.vjp(lambda t: torch.ones(3), w.detach(), torch.ones(3)), functional.vjp(lambda a, b: (a * 2, torch.ones(2)), (w.detach(), w.detach()), (torch.ones(2), torch.ones(2)))
with torch.no_grad(): found = functional.hessian(lambda a, b: (a ** 3).sum() + b.sum(), (w.detach(), w.detach()))
found
pair, along = (leaf([0.5, -1.5]).detach(), leaf([2.0, 3.0]).detach()), (torch.tensor([1.0, -2.0]), torch.tensor([0.5, 3.0]))
functional.jvp(lambda a, b: (a * b, a.exp().sum(), torch.ones(2)), pair, along), functional.jvp(lambda t: t.sin(), pair[0], along[0])
functional.hvp(lambda a, b: (a * b * b).sum(), pair, along), functional.vhp(lambda t: (t ** 3).prod(), pair[0], along[0])
g = functional.jvp(lambda t: t ** 3, x[0], w.detach(), create_graph=True)[1]; g.sum().backward(); g.detach(), x.grad; x.grad = None
# Refused
functional.jvp(lambda t: t * t, w.detach())
functional.hvp(lambda t: t * t, w.detach(), torch.ones(2))
functional.vhp(lambda t: t.sum(), w.detach(), torch.ones(2), strict=True)
functional.vjp(lambda t: t * t, w.detach())
functional.vjp(lambda t: t * t, w.detach(), torch.ones(3))
functional.jacobian(lambda a, b: a * 2, (w.detach(), w.detach()), strict=True)
functional.hessian(lambda t: t.sum(), w.detach(), strict=True)
functional.vjp(lambda t: t * 2, w.detach(), torch.ones(2), create_graph=True, strict=True)
functional.jacobian(lambda t: t * t, w.detach(), strict=True, vectorize=True)
# Not refused
def second(code):
    x = leaf([-1.5, 0., .7, 2.])
    y = eval(code, {**globals(), "x": x})
    g, = grad((y * torch.arange(1., y.numel() + 1).view(y.shape)).sum(), x, create_graph=True)
    if not g.requires_grad: return g.detach(), "no history"
    h, = grad((g * torch.arange(1., 5.)).sum(), x, allow_unused=True)
    return g.detach(), h
def cubed(ctx, a): ctx.save_for_backward(a); return a ** 3
def slope(ctx, g): return 3 * ctx.saved_tensors[0] ** 2 * g
cube = function(cubed, slope)
once = function(cubed, torch.autograd.function.once_differentiable(slope))
class Module(nn.Module):
    def forward(self, a, b=0): return a ** 3 + b * a
def hooked(change=False):
    m = Module()
    m.register_full_backward_hook(lambda m, given, gave: (given[0] * gave[0],) if change else None)
    return m
table(second, """
cube(x * x) ** 2
hooked()(x * x, x) ** 2
once(x)
hooked(True)(x) ** 2""")
v = leaf([3.0, 1.0, 2.0])
# Refused
torch.autograd.functional.jacobian(lambda x: [1], v)
torch.autograd.functional.hessian(lambda x: x * 2, v)
# Not refused
x = leaf([1.0, 2, 3])
w = leaf([[1.0, -2], [0.5, 3]])
a = x * 1; k = a * 2; a[0] = 5.0; s = a + w.sum()
[g.detach() for g in grad((s * s).sum(), [s, a, w, x], create_graph=True)]
def tried(name, f, *x): return getattr(torch.autograd, name)(f, x, eps=1e-2, atol=3e-2, rtol=1e-2, raise_exception=False)
[tried(name, f, x) for name in ("gradcheck", "gradgradcheck") for f in (cube, once, lambda t: (t * t, t.detach()))]
tried("gradgradcheck", lambda a, b: a * b[0], x, x.detach() + 1), tried("gradgradcheck", lambda a, b: a * a, x, x), x.grad
