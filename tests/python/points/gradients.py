# Gradients of one's own, gradcheck and jacobians.
from torch.autograd import gradcheck
from torch.autograd.function import once_differentiable
from torch.autograd import functional
x = leaf([[0.5, -1.5], [2.0, 3.0]])
w = leaf([1.0, -2.0])
class Linear(Function):
    @staticmethod
    def forward(ctx, a, b, bias=None, scale=1.0):
        ctx.save_for_backward(a, b, bias)
        ctx.scale = scale
        y = a @ b * scale
        return y if bias is None else y + bias
    @staticmethod
    @once_differentiable
    def backward(ctx, dy):
        a, b, bias = ctx.saved_tensors
        da = dy @ b.T * ctx.scale if ctx.needs_input_grad[0] else None
        db = a.T @ dy * ctx.scale if ctx.needs_input_grad[1] else None
        return da, db, None if bias is None else dy.sum(0), None
m = leaf([[1.0, 2.0, 0.5], [0.0, -1.0, 1.0]])
c = leaf([0.1, 0.2, 0.3])
Linear.apply(x, m, c, 2.0)
Linear.apply(x, m)
class Needs(Function):
    @staticmethod
    def forward(ctx, a, k, b):
        global seen
        seen = ctx.needs_input_grad
        return a * k + b
    @staticmethod
    def backward(ctx, dy): return dy * 2, None, dy
Needs.apply(x, 2.0, w)
class Sorted(Function):
    @staticmethod
    def forward(ctx, a):
        y, order = a.sort()
        ctx.mark_non_differentiable(order)
        ctx.save_for_backward(order)
        return y, order
    @staticmethod
    def backward(ctx, dy, dorder):
        order, = ctx.saved_tensors
        return torch.zeros(dy.shape).scatter(-1, order, dy)
Sorted.apply(x)[0]
straight_through = function(lambda ctx, a: a.sign(), lambda ctx, dy: dy)
(straight_through(x * w) * 3).sum()
wrong = function(lambda ctx, a, b: a + b, lambda ctx, dy: dy)
raises = function(lambda ctx, a: a * 1, lambda ctx, dy: {}["mine"])
class Bare(Function): pass
class NoBackward(Function):
    @staticmethod
    def forward(ctx, a): return a * 1
def squared(ctx, a): ctx.save_for_backward(a); return a * a
square = function(squared, lambda ctx, dy: dy * 2 * ctx.saved_tensors[0])
square(square(w))
w.grad = None
functional.jacobian(lambda a, b: (a @ b, a.sum()), (x.detach(), w.detach()))
functional.vjp(lambda a, b: a @ b, (x.detach(), w.detach()), torch.tensor([1.0, 10.0]))
functional.vjp(lambda t: (t * t).sum(), w.detach())
w = torch.ones(2, requires_grad=True)
# Dtypes: of what was saved, of gradients, and of what hooks and checkpoints are given
kept = []
class Kept(Function):
    @staticmethod
    def forward(ctx, a, i, b):
        ctx.save_for_backward(a, i, b, a > 0, a.bfloat16(), i.int())
        return a.half() * 2
    @staticmethod
    def backward(ctx, dy):
        kept.append([t.dtype for t in ctx.saved_tensors] + [dy.dtype])
        return dy.float() * 3, None, None
Kept.apply(x, torch.tensor([1, 2]), torch.ones(2))
h = torch.tensor([1.5, -2.0], dtype=torch.float16, requires_grad=True)
y = checkpoint(lambda t: kept.append(t.dtype) or t * 2, h)
y
kept[1:], h.grad, grad((h * 2).float().sum(), h), grad((h * 2).sum(), [h], torch.tensor(3.0).half())
functional.vjp(lambda t: torch.ones(3), w.detach(), torch.ones(3)), functional.vjp(lambda a, b: (a * 2, torch.ones(2)), (w.detach(), w.detach()), (torch.ones(2), torch.ones(2)))
functional.hessian(lambda a, b: (a * a).sum() + b.sum(), (w.detach(), w.detach()))
grad([w * w, w.sum()], [w, x], [torch.eye(2), torch.ones(2)], is_grads_batched=True, allow_unused=True)
with torch.no_grad(): found = functional.jacobian(lambda t: t * t, w.detach()), functional.hessian(lambda t: (t ** 3).sum(), w.detach())
found
# Refused
wrong(x, w).sum().backward()
raises(x).sum().backward()
Bare.apply(x)
NoBackward.apply(x).sum().backward()
functional.vjp(lambda t: t * t, w.detach())
gradcheck(lambda t: t * 2, (torch.ones(2),))
grad(h * 2, h, torch.ones(2).half()), grad([h * 2, w * 1], [h, w], [torch.ones(2).half(), None])
grad((w * w).sum(), [])
torch.autograd.backward([w * 2, w.sum()], [torch.ones(2)])
functional.vjp(lambda t: t * t, w.detach(), torch.ones(3))
functional.jacobian(lambda a, b: a * 2, (w.detach(), w.detach()), strict=True)
functional.hessian(lambda t: t.sum(), w.detach(), strict=True)
torch.autograd.backward([w * 2, w * 3], torch.ones(2))
torch.autograd.backward(w * 2, torch.ones(2), grad_variables=torch.ones(2))
grad([w * 2, w * 3], w, torch.ones(2))
grad([w * 2, w * 3], w, [torch.eye(2), torch.ones(1, 2)], is_grads_batched=True)
functional.jacobian(lambda t: t * 2, w.detach(), create_graph=True, strict=True)
functional.vjp(lambda t: t * 2, w.detach(), torch.ones(2), create_graph=True, strict=True)
functional.hessian(lambda t: (t * t).sum(), w.detach(), create_graph=True, strict=True)
functional.jacobian(lambda t: t * t, w.detach(), strict=True, vectorize=True)
functional.hessian(lambda t: (t ** 3).sum(), w.detach(), strict=True, vectorize=True)
