# Functions of one's own that write to what they are given, or return it or parts of it: see written.py.
import written as after
seen = []
def written(code): return after.written(code, ("w * 1", "(w * 1).t()"), **globals())
def doubled(ctx, x):
    ctx.mark_dirty(x)
    return x.mul_(2)
double = function(doubled, lambda ctx, g: g * 2)
def doubled_with_double(ctx, x):
    ctx.mark_dirty(x)
    return x.mul_(2), x * 3
double_and_more = function(doubled_with_double, lambda ctx, g, h: g * 2 + h * 6)
def two_changed(ctx, x, y):
    ctx.mark_dirty(x, y)
    return x.mul_(2), y.mul_(3)
both = function(two_changed, lambda ctx, g, h: (g * 2, h * 3))
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
def returned_twice(ctx, x):
    ctx.mark_dirty(x.mul_(2))
    return x, x
twice = function(returned_twice, lambda ctx, g, h: g * 2 + h * 2)
def as_it_came(ctx, x):
    ctx.mark_non_differentiable(x)
    return x
constant = function(as_it_came, lambda ctx, g: g)
same = function(lambda ctx, x: x, lambda ctx, g: g * 3)
seen_as = function(lambda ctx, x: x.view_as(x), lambda ctx, g: g * 3)
row = function(lambda ctx, x: x[0], lambda ctx, g: torch.stack([g * 3, g * 0, g * 0]))
rows = function(lambda ctx, x: (x[0], x[1]), lambda ctx, g, h: torch.stack([g * 3, h * 3, g * 0]))
def of_three(materialize):
    """Called with gradients of some of the three outputs: what backward is given."""
    def forward(ctx, x):
        ctx.set_materialize_grads(materialize)
        y, whole, constant = x * 2, x.long(), x * 4
        ctx.mark_non_differentiable(constant)
        return y, x * 3, whole, constant
    def backward(ctx, *gradients):
        seen.extend(g is not None and (g.dtype, g.tolist()) for g in gradients)
        return sum(g * k for g, k in zip(gradients[:2], (2, 3)) if g is not None)
    return function(forward, backward)
def gave(materialize, *used):
    x = leaf([1.0, 2.0])
    ys = of_three(materialize)(x * 1)
    seen.clear()
    sum(ys[i].sum() for i in used).backward()
    return x.grad, list(seen), [y.requires_grad for y in ys]
table(written, """
double(x)
y = double(x)
y = x; y = double(y) if double(y) is y else None
double(x[:, 1])
double(x.diagonal())
double(x.view(3, 3)[0])
y = x[0]; double(y); double(x[0])
y = x.t(); double(x); double(y); x.mul_(3)
double(x.expand(2, 3, 3))
y = exp(x)
y = exp(x[0]); x.mul_(2)
x = x * 1; y, more = double_and_more(x); y = y + more
x = x * 1; y = double_and_more(x)[0]; y = y is x
double_and_more(x[0])
x = x * 1; y = u * 1; both(x, y)
both(x[0], u * 1)
x = x * 1; y = second(u, x)[0]
y = second(x, u)[0]
y = lost(x)
x = x * 1; y, more = twice(x); y = y + more
y = same(x)
y = same(x); y.mul_(2)
y = same(x); x.mul_(2)
y = seen_as(x); y.mul_(2)
y = seen_as(x[0]); y.mul_(2)
y = row(x); y.mul_(2)
y = row(x); x.mul_(2)
y = rows(x)[1]; y.mul_(2)
y = rows(x)[1]; x.mul_(2); y = y * 1
y = constant(x); y = y.requires_grad""")
[gave(materialize, *used) for materialize in (True, False) for used in ((0,), (1,), (0, 1))]
# Refused
double(torch.ones(2, requires_grad=True))
