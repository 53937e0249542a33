# In the manner of lectures on a tiny autograd engine: the same expression by hand and by torch, and a
# gradient of one's own.
import math, random
import torch
class Value:
    def __init__(self, data, _children=()):
        self.data, self.grad, self._prev, self._backward = data, 0.0, set(_children), lambda: None
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))
        def _backward(): self.grad += out.grad; other.grad += out.grad
        out._backward = _backward
        return out
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))
        def _backward(): self.grad += other.data * out.grad; other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,))
        def _backward(): self.grad += (1 - t * t) * out.grad
        out._backward = _backward
        return out
    def backward(self):
        topo, visited = [], set()
        def build(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev: build(child)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for node in reversed(topo): node._backward()
x1, x2, w1, w2, b = (Value(v) for v in (2.0, 0.0, -3.0, 1.0, 6.8813735870195432))
o = (x1 * w1 + x2 * w2 + b).tanh()
o.backward()
t1 = torch.Tensor([2.0]); t1.requires_grad = True
t2 = torch.Tensor([0.0]); t2.requires_grad = True
u1 = torch.Tensor([-3.0]); u1.requires_grad = True
u2 = torch.Tensor([1.0]); u2.requires_grad = True
c = torch.Tensor([6.8813735870195432]); c.requires_grad = True
n = t1 * u1 + t2 * u2 + c
y = torch.tanh(n)
print(f"{y.data.item():.4f} {o.data:.4f}")
y.backward()
for mine, its in ((x1, t1), (x2, t2), (w1, u1), (w2, u2)): print(f"{mine.grad:.4f} {its.grad.item():.4f}")
class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.tanh()
        ctx.save_for_backward(y)
        return y
    @staticmethod
    def backward(ctx, dy):
        y, = ctx.saved_tensors
        return (1 - y * y) * dy
t1.grad = None
Tanh.apply(t1 * u1.detach() + c.detach()).backward()
print(f"{t1.grad.item():.4f}", torch.autograd.functional.jacobian(Tanh.apply, torch.tensor([0.0])).item())
