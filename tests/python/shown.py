"""A call's result as a line. Floats have nine digits, since tests compare them as numbers."""

import sys

import torch

ledger = getattr(sys.modules.get("stepgrad"), "set_ledger", bool)  # of torch: nothing


class Float(float):
    def __repr__(self):
        return f"{self:.8e}"


def digits(values):
    """A float, or those of a list, as such."""
    if isinstance(values, (list, tuple)):
        return type(values)(digits(v) for v in values)
    return Float(values) if isinstance(values, float) else values


def shown(y, most=float("inf")):
    """Of a tensor of more than `most` elements their sum."""
    if isinstance(y, torch.Tensor):
        numbers = digits(y.tolist() if y.numel() <= most else y.sum().item())
        return f"{y.dtype} {tuple(y.shape)} {numbers}" + " grad" * y.requires_grad
    if isinstance(y, (tuple, list)) and not isinstance(y, torch.Size):
        return "[" + ", ".join(shown(v, most) for v in y) + "]"
    if isinstance(y, dict):
        return "{" + ", ".join(f"{k}: {shown(v, most)}" for k, v in y.items()) + "}"
    return repr(digits(y))


def graph(f, named, seen):
    """The nodes behind f by name, leaves as the tensor that is meant, and a node that was met before as its number."""
    if f is None or f in seen:
        return seen.get(f)
    seen[f] = len(seen)
    leaf = [name for name, x in named.items() if hasattr(f, "variable") and f.variable is x]
    behind = [(k, graph(g, named, seen)) if k else graph(g, named, seen) for g, k in f.next_functions]
    return [f.name().replace("ReshapeAlias", "View"), *leaf, *behind]
