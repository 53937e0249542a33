"""Ops whose formula alone does not say what happens at the edges."""

import torch
import torch.nn.functional as F

import golden
from notebook import leaf


def grid():
    """[-12, 12] in uneven steps, and the infinities."""
    x = torch.linspace(-3.46, 3.46, 33)
    return torch.cat([x * x.abs(), torch.tensor([0.0, -0.75])])


def unary(op, x):
    w = leaf(x)
    y = op(w)
    dy = torch.randn(y.shape)
    y.backward(dy)
    return {"x": x, "dy": dy, "y": y, "x.grad": w.grad}


def several():
    positive = grid().abs()
    ops = {
        "exp": (torch.exp, grid()),
        "log": (torch.log, positive),
        "sqrt": (torch.sqrt, positive),
        "tanh": (torch.tanh, grid()),
        "sigmoid": (torch.sigmoid, grid()),
        "erf": (torch.erf, grid()),
        "gelu": (F.gelu, grid()),
        "gelu_tanh": (lambda x: F.gelu(x, approximate="tanh"), grid()),
        "silu": (F.silu, grid()),
        "softmax": (lambda x: F.softmax(x, dim=1), torch.randn(2, 3, 2) * 100),
        "amax": (lambda x: x.amax(1), torch.tensor([[1.0, 3, 3, 2], [5, 5, 5, 5]])),
        "amin": (lambda x: x.amin(0, keepdim=True), torch.tensor([[1.0, 3, 3], [1, 5, 2]])),
        "triu": (lambda x: x.triu(-1), torch.randn(2, 3, 4)),
    }
    return {f"{op}/{name}": value for op, (f, x) in ops.items()
            for name, value in unary(f, x).items()}


def powers():
    a, b = torch.meshgrid(torch.tensor([-2.0, -0.5, 0, 0.5, 3]),
                          torch.tensor([-2.0, -1, 0, 0.5, 1, 2, 3]), indexing="ij")
    x, p = leaf(a), leaf(b)
    y = x**p
    dy = torch.randn(y.shape)
    y.backward(dy)
    return {"a": a, "b": b, "dy": dy, "y": y, "a.grad": x.grad, "b.grad": p.grad}


def write(folder):
    torch.manual_seed(2)
    golden.write(folder / "ops.txt", several())
    golden.write(folder / "pow.txt", powers())
