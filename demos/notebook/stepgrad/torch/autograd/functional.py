"""Jacobians, row by row."""

from _stepgrad import Tensor

from ..functions import stack
from ..modes import enable_grad


def _tuple(x):
    return x if isinstance(x, tuple) else tuple(x) if isinstance(x, list) else (x,)


def _computed(func, inputs, create_graph):
    """func of leaves with the same numbers, and these."""
    if create_graph:
        raise NotImplementedError("create_graph: gradients of gradients are not recorded")
    leaves = tuple(x.detach().clone().requires_grad_() for x in _tuple(inputs))
    with enable_grad():
        outputs = func(*leaves)
    for y in _tuple(outputs):
        if not isinstance(y, Tensor):
            raise TypeError("The outputs given to the function must be either a Tensor or a tuple of "
                            f"Tensors but got {type(y).__name__}")
    return outputs, leaves


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """func(inputs), and vᵀ times its Jacobian."""
    from . import grad

    outputs, leaves = _computed(func, inputs, create_graph)
    if v is None and (isinstance(outputs, tuple) or outputs.numel() != 1):
        raise RuntimeError("The vector v can only be None if the user-provided function returns a single "
                           "Tensor with a single element.")
    found = grad(_tuple(outputs), leaves, None if v is None else _tuple(v), allow_unused=True)
    found = tuple(x.new_zeros(x.shape) if g is None else g for x, g in zip(leaves, found))
    outputs = tuple(y.detach() for y in outputs) if isinstance(outputs, tuple) else outputs.detach()
    return outputs, found[0] if isinstance(inputs, Tensor) else found


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """Of each output by each input: a tensor of both their shapes."""
    from . import grad

    outputs, leaves = _computed(func, inputs, create_graph)
    rows = []
    for y in _tuple(outputs):
        found = [grad(y.reshape(-1)[i], leaves, retain_graph=True, allow_unused=True) if y.requires_grad
                 else [None] * len(leaves) for i in range(y.numel())]
        rows.append(tuple(
            stack([x.new_zeros(x.shape) if row[k] is None else row[k] for row in found])
            .reshape(*y.shape, *x.shape) if found else x.new_zeros((*y.shape, *x.shape))
            for k, x in enumerate(leaves)))
    rows = tuple(row[0] if isinstance(inputs, Tensor) else row for row in rows)
    return rows[0] if isinstance(outputs, Tensor) else rows
