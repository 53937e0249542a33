# Functions of one's own, also those that write to what they are given: see in_place.py.
from torch.autograd.function import once_differentiable
x = leaf([[0.5, -1.5], [2.0, 3.0]])
w = leaf([1.0, -2.0])
def linear(ctx, a, b, bias=None, scale=1.0):
    global needs
    ctx.save_for_backward(a, b, bias)
    ctx.scale, needs = scale, ctx.needs_input_grad
    return a @ b * scale if bias is None else a @ b * scale + bias
@once_differentiable
def of_linear(ctx, dy):
    a, b, bias = ctx.saved_tensors
    return dy @ b.T * ctx.scale, a.T @ dy * ctx.scale, None if bias is None else dy.sum(0), None
m = leaf([[1.0, 2.0, 0.5], [0.0, -1.0, 1.0]])
c = leaf([0.1, 0.2, 0.3])
function(linear, of_linear)(x, m, c, 2.0)
function(linear, of_linear)(x, m)
needs
class Bare(Function): pass
class NoBackward(Function):
    @staticmethod
    def forward(ctx, a): return a * 1
# What was saved has its graph: of an input, of what forward made under enable_grad, of one of two outputs
def with_graph(ctx, a, b):
    with torch.enable_grad(): inner = a.detach().requires_grad_(); z = (inner ** 3).sum(); y = a * b
    ctx.save_for_backward(a, b, inner, z, z.detach(), out := y.detach())
    return out, z.detach()
def by_graph(ctx, dy, dz):
    a, b, inner, z, *others = ctx.saved_tensors
    graphs.extend((s.requires_grad, s.is_leaf) for s in ctx.saved_tensors)
    with torch.enable_grad(): y = a * b
    return tuple(g + h for g, h in zip(grad(y, (a, b), dy), (*grad(z, inner, dz), 0)))
graphs = []
sum(y.sum() for y in function(with_graph, by_graph)(x * 1, w))
graphs
# Dtypes of what was saved, and of gradients
kept = []
def keeps(ctx, a, i):
    ctx.save_for_backward(a, i, a > 0, a.bfloat16(), i.int())
    return a.half() * 2
def of_kept(ctx, dy): kept.append([t.dtype for t in ctx.saved_tensors] + [dy.dtype]); return dy.float() * 3, None
function(keeps, of_kept)(x, torch.tensor([1, 2]))
kept
# A pass through the same node within its own
deep = []
def within(ctx, dy):
    deep or deep.append(1) or deep.append(grad(deepest, x, retain_graph=True)[0])
    return dy * ctx.saved_tensors[0]
deepest = function(lambda ctx, a: ctx.save_for_backward(a) or a * a, within)(x).sum()
grad(deepest, x, retain_graph=True), deep[1]
# Refused
Bare.apply(x)
NoBackward.apply(x).sum().backward()
# Not refused
v = leaf([3.0, 1.0, 2.0])
def found(ctx, x): i = x.argmax(); ctx.mark_non_differentiable(i); return i
function(found, lambda ctx, dy: None)(v)
# Refused
function(lambda ctx, x: x * 9, lambda ctx, dy: 7)(v)
function(lambda ctx, x: ctx.save_for_backward(3), lambda ctx, dy: dy)(v)
# Not refused
class Several(nn.Module):
    def forward(self, a, b, n): return a * n, b, None
def gave(m, *args, change=None):
    """What hooks on gradients are given, of a result that a hook on it changed."""
    def numbers(gradients): return [g if g is None else g.tolist() for g in gradients]
    seen, x = [], leaf([1.0, 2.0])
    m.register_full_backward_hook(lambda m, given, got: seen.append((numbers(given), numbers(got))) or change)
    if not args: m.register_forward_hook(lambda m, given, y: y * 2)
    y = m(x, *args)
    (y if torch.is_tensor(y) else y[0]).sum().backward()
    return seen, x.grad
gave(nn.ReLU()), gave(Several(), leaf([3.0, 4.0]), 5), gave(nn.Tanh(), change=(torch.ones(2),))
# Refused
gave(nn.Tanh(), change=(torch.ones(2), None))
# Not refused
import in_place as after
def written(code): return after.written(code, ("w * 1", "(w * 1).t()"), **globals())
def doubled(ctx, x):
    ctx.mark_dirty(x)
    return x.mul_(2)
double = function(doubled, lambda ctx, g: g * 2)
def doubled_with_more(ctx, x):
    ctx.mark_dirty(x)
    return x.mul_(2), x * 3
double_and_more = function(doubled_with_more, lambda ctx, g, h: g * 2 + h * 6)
def one_changed(ctx, x, y):
    ctx.mark_dirty(y)
    return x * 2, y.mul_(3)
second = function(one_changed, lambda ctx, g, h: (g * 2, h * 3))
def changed_exp(ctx, x):
    ctx.mark_dirty(x.exp_())
    ctx.save_for_backward(x)
    return x
exp = function(changed_exp, lambda ctx, g: g * ctx.saved_tensors[0])
def not_returned(ctx, x):
    ctx.mark_dirty(x.mul_(2))
    return x * 1
lost = function(not_returned, lambda ctx, g: g * 2)
def as_it_came(ctx, x):
    ctx.mark_non_differentiable(x)
    return x
constant = function(as_it_came, lambda ctx, g: g)
same = function(lambda ctx, x: x, lambda ctx, g: g * 3)
row = function(lambda ctx, x: x[0], lambda ctx, g: torch.stack([g * 3, g * 0, g * 0]))
table(written, """
double(x)
y = double(x)
y = x.t(); double(x); double(y); x.mul_(3)
double(x.expand(2, 3, 3))
y = exp(x)
x = x * 1; y, more = double_and_more(x); y = y + more
x = x * 1; y = second(u, x)[0]
y = second(x, u)[0]
y = lost(x)
y = same(x); y.mul_(2)
y = row(x); y.mul_(2)
y = row(x); x.mul_(2)
y = constant(x); y = y.requires_grad""")
# Refused
double(torch.ones(2, requires_grad=True))
