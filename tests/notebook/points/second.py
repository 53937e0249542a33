# Gradients of gradients.
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
hessian(lambda a: torch.sigmoid(a).sum(), torch.tensor([0.5, -1.0]))
hessian(lambda a: torch.tanh(a).sum(), torch.tensor([0.5, -1.0]))
hessian(lambda a: torch.exp(a).sum(), torch.tensor([0.5, -1.0]))
hessian(lambda a: torch.log(a).sum(), torch.tensor([0.5, 1.0]))
hessian(lambda a: torch.sqrt(a).sum(), torch.tensor([0.25, 4.0]))
hessian(lambda a: (1 / a).sum(), torch.tensor([0.5, -2.0]))
hessian(lambda a: F.gelu(a).sum(), torch.tensor([0.5, -1.0]))
hessian(lambda a: F.silu(a).sum(), torch.tensor([0.5, -1.0]))
hessian(lambda a: (F.relu(a) ** 2).sum(), torch.tensor([0.5, -1.0]))
hessian(lambda a: (a.clamp(min=0) ** 2).sum(), torch.tensor([0.5, -1.0]))
hessian(lambda a: F.softmax(a, 0)[0], torch.tensor([0.5, -1.0, 0.0]))
hessian(lambda a: F.log_softmax(a, 0)[1], torch.tensor([0.5, -1.0, 0.0]))
hessian(lambda a: F.cross_entropy(a.reshape(2, 2), torch.tensor([0, 1])), torch.tensor([0.5, -1.0, 0.0, 2.0]))
hessian(lambda a: F.layer_norm(a, (3,)).pow(3).sum(), torch.tensor([0.5, -1.0, 2.0]))
hessian(lambda a: a.var(), torch.tensor([0.5, -1.0, 2.0]))
hessian(lambda a: a.mean() ** 3, torch.tensor([0.5, -1.0, 2.0]))
hessian(lambda a: a.max() ** 2, torch.tensor([0.5, -1.0, 2.0]))
hessian(lambda a: (a.reshape(2, 2).t() ** 2 * a.reshape(2, 2)).sum(), torch.tensor([0.5, -1.0, 2.0, 1.0]))
hessian(lambda a: torch.cat([a, a * a]).prod(), torch.tensor([0.5, -1.0]))
hessian(lambda a: a.cumsum(0).pow(2).sum(), torch.tensor([0.5, -1.0, 2.0]))
hessian(lambda a: torch.where(a > 0, a ** 2, a ** 3).sum(), torch.tensor([0.5, -1.0]))
hessian(lambda a: a[0] * a[1] + a[1:].sum() ** 2, torch.tensor([0.5, -1.0, 2.0]))
hessian(lambda a: F.linear(a, w.detach()).pow(2).sum(), torch.tensor([0.5, -1.0, 2.0]))
hessian(lambda a: F.embedding(torch.tensor([0, 1, 0]), a.reshape(2, 1)).pow(3).sum(), torch.tensor([0.5, -1.0]))
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
