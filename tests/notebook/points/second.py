# Gradients of gradients.
import math
from torch import nn
import torch
import torch.nn.functional as F
from torch.autograd import grad
from torch.autograd.functional import hessian, hvp, jacobian, vjp
x = torch.tensor([1.0, -2.0, 0.5], requires_grad=True)
w = torch.tensor([[1.0, 0.5, -1.0], [0.25, -0.5, 2.0], [1.5, 0.0, 1.0]], requires_grad=True)
first = grad((x ** 3).sum(), x, create_graph=True)[0]
first.detach()
first.requires_grad
second = grad(first.sum(), x, create_graph=True)[0]
second.detach()
grad(second.sum(), x)[0]
x.grad is None
hessian(lambda a: (a ** 3).sum(), torch.tensor([1.0, -2.0, 0.5]))
hessian(lambda a: (a @ w.detach() @ a), torch.tensor([1.0, -2.0, 0.5]))
hessian(lambda a, b: (a * b).sum() ** 2, (torch.tensor([1.0, 2.0]), torch.tensor([0.5, -1.0])))
hessian(lambda a: F.layer_norm(a, (3,)).pow(3).sum(), torch.tensor([0.5, -1.0, 2.0]))
hessian(lambda a: (a.reshape(2, 2).t() ** 2 * a.reshape(2, 2)).sum(), torch.tensor([0.5, -1.0, 2.0, 1.0]))
hessian(lambda a: torch.cat([a, a * a]).prod(), torch.tensor([0.5, -1.0]))
hessian(lambda a: a[0] * a[1] + a[1:].sum() ** 2, torch.tensor([0.5, -1.0, 2.0]))
hvp(lambda a: (a ** 3).sum(), torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.5]))
hvp(lambda a: torch.sin(a).sum() if False else (a ** 4).sum(), torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.5]))
jacobian(lambda a: a ** 2 * 3, torch.tensor([1.0, 2.0]))
jacobian(lambda a: a ** 2, x, create_graph=True).requires_grad
grad(jacobian(lambda a: a ** 2, x, create_graph=True).sum(), x)[0]
vjp(lambda a: a ** 2, x.detach(), torch.ones(3))
g = grad((w @ x).pow(2).sum(), [w, x], create_graph=True)
penalty = sum((each ** 2).sum() for each in g)
penalty.detach()
penalty.backward()
w.grad
x.grad
x.grad = w.grad = None
(x ** 2).sum().backward(create_graph=True)
x.grad.detach()
x.grad.requires_grad
grad(x.grad.sum(), x)[0]
x.grad = None
unused = torch.ones(2, requires_grad=True)
grad((x * x).sum(), [x, unused], create_graph=True, allow_unused=True)[1]
torch.autograd.backward([(x * x).sum()], create_graph=True)
x.grad.requires_grad
x.grad = None
def written(write):
    a, b = torch.tensor([0.5, -1.0, 2.0], requires_grad=True), torch.tensor([1.5, 3.0], requires_grad=True)
    y = a * a
    write(y, b)
    loss = (y ** 3).sum() * b.sum() + y[[0, 0]].prod() + (y[1:] * b).pow(2).sum()
    g = grad(loss, [a, b], create_graph=True)
    h = grad(sum((each * each).sum() for each in g), [a, b], create_graph=True)
    return [each.detach() for each in (*g, *h, *grad(h[0].sum(), [a, b]))]
written(lambda y, b: None)
written(lambda y, b: y.__setitem__(slice(1, None), b * 2))
written(lambda y, b: y.__setitem__([0, 2], b * b))
written(lambda y, b: y[:1].mul_(b[0]))
written(lambda y, b: y.__setitem__(1, 4.0))
def second(f, values=(-1.5, 0., .7, 2.)):
    x = torch.tensor(values, requires_grad=True)
    g, = torch.autograd.grad((f(x) * torch.arange(1., f(x).numel() + 1).view(f(x).shape)).sum(), x, create_graph=True)
    if not g.requires_grad: return g.detach(), "no history"
    h, = torch.autograd.grad((g * torch.arange(1., 5.)[:len(values)]).sum(), x, allow_unused=True)
    return g.detach(), h
P = (.1, .4, .7, .9)
Q = (1.1, 1.4, 1.7, 2.9)
second(torch.relu)
second(lambda x: x.abs())  # here: [torch.float32 (4,) [-1.0, 0.0, 3.0, 4.0], torch.float32 (4,) [0.0, 0.0, 0.0, 0.0]] (torch's zeros have no memory)
second(lambda x: F.relu(x) + x * x)
second(lambda x: x.clamp(-1, 1))
second(lambda x: x.clamp(min=0))
second(lambda x: F.leaky_relu(x))
second(lambda x: F.relu6(x))
second(lambda x: F.elu(x), P), second(lambda x: F.selu(x), Q)
second(lambda x: F.gelu(x))
second(lambda x: F.gelu(x, approximate="tanh"))
second(lambda x: F.silu(x))
second(lambda x: F.softplus(x))
second(lambda x: F.logsigmoid(x))
second(lambda x: x.sigmoid())
second(lambda x: x.tanh())
second(lambda x: F.glu(x))
second(lambda x: F.softmax(x, 0))
second(lambda x: F.log_softmax(x, 0))
second(lambda x: x.sin())
second(lambda x: x.cos())
second(lambda x: x.tan(), P)
second(lambda x: x.asin(), P)
second(lambda x: x.acos(), P)
second(lambda x: x.atan())
second(lambda x: x.sinh())
second(lambda x: x.cosh())
second(lambda x: x.asinh())
second(lambda x: x.acosh(), Q)
second(lambda x: x.atanh(), P)
second(lambda x: x.exp())
second(lambda x: x.exp2())
second(lambda x: x.expm1())
second(lambda x: x.log(), P)
second(lambda x: x.log2(), P)
second(lambda x: x.log10(), P)
second(lambda x: x.log1p(), P)
second(lambda x: x.sqrt(), P)
second(lambda x: x.rsqrt(), P)
second(lambda x: x.reciprocal(), P)
second(lambda x: x.square())
second(lambda x: x.erf())
second(lambda x: x.erfc())
second(lambda x: x.pow(3))
second(lambda x: x ** x, P)
second(lambda x: 2 ** x)
second(lambda x: x.sign())
second(lambda x: x.floor())
second(lambda x: x.ceil())
second(lambda x: x.round())
second(lambda x: x.trunc())
second(lambda x: x.frac())
second(lambda x: x.fmod(.3))
second(lambda x: x % .3)
second(lambda x: x.maximum(x * x))
second(lambda x: x.minimum(x.detach()))
second(lambda x: x.max())
second(lambda x: x.max(0).values)
second(lambda x: x.amax(0))
second(lambda x: x.sort().values)
second(lambda x: x.topk(2).values)
second(lambda x: x.median())
second(lambda x: x.cumsum(0))
second(lambda x: x.cumprod(0))
second(lambda x: x.prod())
second(lambda x: x.sum())
second(lambda x: x.mean())
second(lambda x: x.var())
second(lambda x: x.std())
second(lambda x: x.norm())
second(lambda x: x.norm(1))  # here: [torch.float32 (4,) [-1.0, 0.0, 1.0, 1.0], torch.float32 (4,) [0.0, 0.0, 0.0, 0.0]] (torch's zeros have no memory)
second(lambda x: x.norm(3))
second(lambda x: x.norm(math.inf))  # here: [torch.float32 (4,) [0.0, 0.0, 0.0, 1.0], torch.float32 (4,) [0.0, 0.0, 0.0, 0.0]] (torch's zeros have no memory)
second(lambda x: x.logsumexp(0))
second(lambda x: F.layer_norm(x, (4,)))
second(lambda x: F.l1_loss(x, x.detach() * 0 + 1))  # here: [torch.float32 (4,) [-0.25, -0.25, -0.25, 0.25], torch.float32 (4,) [0.0, 0.0, 0.0, 0.0]] (torch's zeros have no memory)
second(lambda x: F.mse_loss(x, x.detach() * 0))
second(lambda x: F.smooth_l1_loss(x, x.detach() * 0, reduction="none"))
second(lambda x: F.huber_loss(x, x.detach() * 0, reduction="none"))
second(lambda x: F.kl_div(x, x.detach().exp(), reduction="none"))
second(lambda x: F.binary_cross_entropy(x, torch.tensor([0., 1., .5, 1.]), reduction="none"), P)
second(lambda x: F.binary_cross_entropy_with_logits(x, torch.tensor([0., 1., .5, 1.]), reduction="none"))
second(lambda x: F.cross_entropy(x[None], torch.tensor([1])))
second(lambda x: F.cross_entropy(x[None], torch.tensor([1]), label_smoothing=.1))
second(lambda x: F.cosine_similarity(x, torch.tensor([1., 2., 3., 4.]), 0))
second(lambda x: F.normalize(x, dim=0))
second(lambda x: torch.where(x > 0, x, x * x))
second(lambda x: x.masked_fill(x > 1, 0.))
second(lambda x: x.lerp(x * x, .3))
second(lambda x: x.logit(), P)
second(lambda x: x.xlogy(x), P)
second(lambda x: x.logaddexp(x * x))
second(lambda x: x.outer(x))
second(lambda x: x @ x)
second(lambda x: F.linear(x, torch.ones(2, 4)))
second(lambda x: F.dropout(x, 0.))
second(lambda x: x[[0, 0, 1]])
second(lambda x: x.gather(0, torch.tensor([0, 0, 1])))
second(lambda x: x.index_fill(0, torch.tensor([0, 0]), 3.) ** 2)
second(lambda x: x.scatter_add(0, torch.tensor([0, 0]), x[:2] ** 2) ** 2)
second(lambda x: x.index_add(0, torch.tensor([0, 0]), x[:2] ** 2) ** 2)
second(lambda x: F.pad(x, (1, 1)) ** 2)
second(lambda x: x.flip(0) ** 2)
second(lambda x: x.triu() ** 2 if False else x.view(2, 2).triu() ** 2)
second(lambda x: F.conv1d(x[None, None], torch.ones(1, 1, 1)) ** 2)
second(lambda x: torch.einsum("i,j->ij", x, x))
second(lambda x: F.batch_norm(x[:, None], None, None, training=True))
second(lambda x: F.embedding(torch.tensor([0, 0]), x[:, None]) ** 2)
second(lambda x: x.half().float() ** 2)
second(lambda x: x.to(torch.bfloat16) * 2)
second(lambda x: F.hardtanh(x))
second(lambda x: F.hardswish(x))
second(lambda x: F.mish(x))
second(lambda x: F.softsign(x))
second(lambda x: x.atan2(x * x + 1))
second(lambda x: x.quantile(.3))
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a): ctx.save_for_backward(a); return a ** 3
    @staticmethod
    def backward(ctx, g): return 3 * ctx.saved_tensors[0] ** 2 * g
class Exp(Cube):
    @staticmethod
    def forward(ctx, a): y = a.exp(); ctx.save_for_backward(y); return y
    @staticmethod
    def backward(ctx, g): return ctx.saved_tensors[0] * g
class Positive(Exp):
    @staticmethod
    def forward(ctx, a): ctx.save_for_backward(a > 0); return a * (a > 0)
class Two(Cube):
    @staticmethod
    def forward(ctx, a, b): ctx.save_for_backward(a, b); return a * b, a ** 2
    @staticmethod
    def backward(ctx, g, h): a, b = ctx.saved_tensors; return g * b + 2 * a * h, g * a
class Part(Two):
    @staticmethod
    def forward(ctx, a, b): y = a.exp(); ctx.save_for_backward(y, b); return y, b * 2
class Once(Cube):
    backward = staticmethod(torch.autograd.function.once_differentiable(Cube.backward))
second(Cube.apply), second(lambda x: Cube.apply(x * x) ** 2)
second(Exp.apply), second(lambda x: Exp.apply(x) * x)
second(lambda x: Positive.apply(x) ** 2)
second(lambda x: sum(Two.apply(x, x * x))), second(lambda x: Two.apply(x, x)[1]), second(lambda x: Two.apply(x, x.detach())[0])
second(lambda x: Part.apply(x, x)[0])  # here: RuntimeError (of several outputs none has a history in backward)
second(Once.apply)  # here: RuntimeError (refused before any gradient is added)
class Module(nn.Module):
    def forward(self, a, b=0): return a ** 3 + b * a
def hooked(hook):
    m = Module()
    m.register_full_backward_hook(hook)
    return m
second(hooked(lambda m, given, gave: None)), second(lambda x: hooked(lambda m, given, gave: None)(x * x, x) ** 2)
second(lambda x: hooked(lambda m, given, gave: (given[0] * gave[0],))(x) ** 2)
