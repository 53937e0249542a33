# Tensors and options that are drawn by r, for option_calls.py.
import torch

TF = (True, False)


def tensor(r, *sizes, low=-2.0, high=2.0, grad=None):
    n = torch.Size(sizes).numel()
    x = torch.tensor([round(r.uniform(low, high), 2) for _ in range(n)]).reshape(sizes)
    return x.requires_grad_(r.random() < 0.7 if grad is None else grad)


def integers(r, most, *sizes):
    return torch.tensor([r.randint(0, most) for _ in range(torch.Size(sizes).numel())]).reshape(sizes)


def options(r, **choices):
    """As keyword arguments: each with one of its values, or left out."""
    return ", ".join(f"{name}={r.choice(values)!r}" for name, values in choices.items() if r.random() < 0.55)


def call(name, *parts):
    return f"{name}({', '.join(part for part in parts if part)})"
