# Gradients of gradients.
from torch.autograd.functional import hessian, jacobian
x = leaf([1.0, -2.0, 0.5])
first = grad((x ** 3).sum(), x, create_graph=True)[0]
second = grad(first.sum(), x, create_graph=True)[0]
grad(second.sum(), x)[0]
hessian(lambda a, b: (a * b).sum() ** 2, (torch.tensor([1.0, 2.0]), torch.tensor([0.5, -1.0])))
grad(jacobian(lambda a: a ** 2, x, create_graph=True).sum(), x)[0]
(x ** 2).sum().backward(create_graph=True)
grad(x.grad.sum(), x)[0]
unused = torch.ones(2, requires_grad=True)
grad((x * x).sum(), [x, unused], create_graph=True, allow_unused=True)[1]
def written(write):
    a, b = leaf([0.5, -1.0, 2.0]), leaf([1.5, 3.0])
    y = a * a
    exec(write, {"y": y, "b": b})
    loss = (y ** 3).sum() * b.sum() + y[[0, 0]].prod() + (y[1:] * b).pow(2).sum()
    g = grad(loss, [a, b], create_graph=True)
    h = grad(sum((each * each).sum() for each in g), [a, b], create_graph=True)
    return [each.detach() for each in (*g, *h, *grad(h[0].sum(), [a, b]))]
table(written, """
y[1:] = b * 2
y[[0, 2]] = b * b
y[:1].mul_(b[0])
y[1] = 4.0""")
def second(code):
    x = leaf([-1.5, 0., .7, 2.])
    y = eval(code, {**globals(), "x": x})
    g, = grad((y * torch.arange(1., y.numel() + 1).view(y.shape)).sum(), x, create_graph=True)
    if not g.requires_grad: return g.detach(), "no history"
    h, = grad((g * torch.arange(1., 5.)).sum(), x, allow_unused=True)
    return g.detach(), h
i = torch.tensor([0, 0])
table(second, """
x.index_fill(0, i, 3.) ** 2
x.index_add(0, i, x[:2] ** 2) ** 2
F.conv1d(x[None, None], torch.ones(1, 1, 1)) ** 2
F.embedding(i, x[:, None]) ** 2""")
def cubed(ctx, a): ctx.save_for_backward(a); return a ** 3
def slope(ctx, g): return 3 * ctx.saved_tensors[0] ** 2 * g
def exp_forward(ctx, a): y = a.exp(); ctx.save_for_backward(y); return y
def positive_forward(ctx, a): ctx.save_for_backward(a > 0); return a * (a > 0)
def by_saved(ctx, g): return ctx.saved_tensors[0] * g
cube, exp, positive = function(cubed, slope), function(exp_forward, by_saved), function(positive_forward, by_saved)
once = function(cubed, torch.autograd.function.once_differentiable(slope))
def two_forward(ctx, a, b): ctx.save_for_backward(a, b); return a * b, a ** 2
def part_forward(ctx, a, b): y = a.exp(); ctx.save_for_backward(y, b); return y, b * 2
def of_two(ctx, g, h): a, b = ctx.saved_tensors; return g * b + 2 * a * h, g * a
two, part = function(two_forward, of_two), function(part_forward, of_two)
class Module(nn.Module):
    def forward(self, a, b=0): return a ** 3 + b * a
def hooked(change=False):
    m = Module()
    m.register_full_backward_hook(lambda m, given, gave: (given[0] * gave[0],) if change else None)
    return m
table(second, """
cube(x)
cube(x * x) ** 2
exp(x)
exp(x) * x
positive(x) ** 2
sum(two(x, x * x))
two(x, x)[1]
two(x, x.detach())[0]
hooked()(x)
hooked()(x * x, x) ** 2
hooked(True)(x) ** 2""")
second("part(x, x)[0]")  # here: RuntimeError (of several outputs none has a history in backward)
second("once(x)")  # here: RuntimeError (refused before any gradient is added)
