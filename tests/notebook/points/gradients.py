# Gradients of one's own, gradcheck and jacobians.
import torch, math
from torch.autograd import Function, gradcheck
from torch.autograd.function import once_differentiable
from torch.autograd import functional
x = torch.tensor([[0.5, -1.5], [2.0, 3.0]], requires_grad=True)
w = torch.tensor([1.0, -2.0], requires_grad=True)
class Exp(Function):
    @staticmethod
    def forward(ctx, i):
        y = i.exp()
        ctx.save_for_backward(y)
        return y
    @staticmethod
    def backward(ctx, dy):
        y, = ctx.saved_tensors
        return dy * y
Exp.apply(x)
Exp.apply(x * w).sum()
Exp.apply(x).requires_grad, Exp.apply(x.detach()).requires_grad
with torch.no_grad(): y = Exp.apply(x)
y.requires_grad
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
m = torch.tensor([[1.0, 2.0, 0.5], [0.0, -1.0, 1.0]], requires_grad=True)
c = torch.tensor([0.1, 0.2, 0.3], requires_grad=True)
Linear.apply(x, m)
Linear.apply(x, m, c)
Linear.apply(x, m, c, 2.0)
Linear.apply(x.detach(), m, None, 0.5)
class Needs(Function):
    @staticmethod
    def forward(ctx, a, k, b):
        global seen
        seen = ctx.needs_input_grad
        return a * k + b
    @staticmethod
    def backward(ctx, dy): return dy * 2, None, dy
Needs.apply(x, 2.0, w)
seen
Needs.apply(x, 2.0, w.detach())
seen
class Two(Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2, a.sum(0)
    @staticmethod
    def backward(ctx, da, db):
        return da * 2 + db
Two.apply(x)[0]
Two.apply(x)[1]
sum(y.sum() for y in Two.apply(x))
type(Two.apply(x)).__name__, len(Two.apply(x))
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
[y.requires_grad for y in Sorted.apply(x)]
class Sign(Function):
    """The straight-through estimator."""
    @staticmethod
    def forward(ctx, a): return a.sign()
    @staticmethod
    def backward(ctx, dy): return dy
(Sign.apply(x * w) * 3).sum()
class Wrong(Function):
    @staticmethod
    def forward(ctx, a, b): return a + b
    @staticmethod
    def backward(ctx, dy): return dy
Wrong.apply(x, w).sum().backward()
class WrongShape(Function):
    @staticmethod
    def forward(ctx, a): return a.sum(0)
    @staticmethod
    def backward(ctx, dy): return torch.ones(3, 3)
WrongShape.apply(x).sum().backward()
class Raises(Function):
    @staticmethod
    def forward(ctx, a): return a * 1
    @staticmethod
    def backward(ctx, dy): raise KeyError("mine")
Raises.apply(x).sum().backward()
class Bare(Function): pass
Bare.apply(x)
class NoBackward(Function):
    @staticmethod
    def forward(ctx, a): return a * 1
NoBackward.apply(x).sum().backward()
class Changed(Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a * a
    @staticmethod
    def backward(ctx, dy): return dy * 2 * ctx.saved_tensors[0]
h = x * 1
y = Changed.apply(h)
h.add_(1) is h
y.sum().backward()
Changed.apply(Changed.apply(w))
y = Exp.apply(w)
y.sum().backward()
y.sum().backward()
w.grad
w.grad = None
y = Exp.apply(w)
y.sum().backward(retain_graph=True)
y.sum().backward()
w.grad
w.grad = None
def softplus(t): return (1 + t.exp()).log()
functional.jacobian(lambda t: t * t, w.detach())
functional.jacobian(lambda a, b: (a @ b, a.sum()), (x.detach(), w.detach()))
functional.jacobian(softplus, x.detach()).shape
functional.jacobian(lambda t: torch.ones(2), w.detach())
functional.vjp(lambda t: t * t, w.detach(), torch.tensor([1.0, 10.0]))
functional.vjp(lambda a, b: a @ b, (x.detach(), w.detach()), torch.tensor([1.0, 10.0]))
functional.vjp(lambda t: (t * t).sum(), w.detach())
functional.vjp(lambda t: t * t, w.detach())
torch.autograd.grad(Exp.apply(w).sum(), w)
torch.autograd.grad(Two.apply(w)[0].sum(), w)
torch.autograd.grad(w.sum(), x)
torch.autograd.grad(w.sum(), x, allow_unused=True)
gradcheck(lambda t: t * 2, (torch.ones(2),))
w = torch.ones(2, requires_grad=True)
w.data = torch.tensor([1.0, 2.0, 3.0])
(w * w).sum().backward()
w.grad, w.shape
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
kept
h = torch.tensor([1.5, -2.0], dtype=torch.float16, requires_grad=True)
class Half(Function):
    @staticmethod
    def forward(ctx, a): return a * 2
    @staticmethod
    def backward(ctx, dy): return dy * (2 if dy.dtype == torch.float16 else 100)
(Half.apply(h).float() * 3).sum().backward()
h.grad
k = h.register_hook(lambda g: kept.append(g.dtype))
from torch.utils.checkpoint import checkpoint
y = checkpoint(lambda t: kept.append(t.dtype) or t * 2, h)
y
y.float().sum().backward()
kept[1:], h.grad, torch.autograd.grad((h * 2).float().sum(), h), torch.autograd.grad((h * 2).sum(), [h], torch.tensor(3.0).half())
torch.autograd.grad(h * 2, h, torch.ones(2).half()), torch.autograd.grad([h * 2, w * 1], [h, w], [torch.ones(2).half(), None])
class Mixed(Function):
    @staticmethod
    def forward(ctx, a): return (a * 2).half(), a * 3, a.bfloat16()
    @staticmethod
    def backward(ctx, *dys):
        kept.append([dy.dtype for dy in dys])
        return sum(dy.float() * 10 ** i for i, dy in enumerate(dys))
[y.dtype for y in Mixed.apply(w)], Mixed.apply(w)[0], sum(y.float().sum() for y in Mixed.apply(w))
sum(y.float().sum() for y in Mixed.apply(w))
kept[-1]
with torch.no_grad():
    with torch.enable_grad(): kept.append(torch.is_grad_enabled())
    kept.append(torch.is_grad_enabled())
kept[-2:]
