"""Jacobians, row by row; and the Jacobian of a gradient, which is a Hessian."""

from _stepgrad import Tensor

from ..functions import stack
from ..modes import enable_grad


def _tuple(x):
    return x if isinstance(x, tuple) else tuple(x) if isinstance(x, list) else (x,)


def _computed(func, inputs, create_graph):
    """func with the inputs as new leaves, and these leaves."""
    leaves = tuple(x.view_as(x) if create_graph and x.requires_grad
                   else x.detach().clone().requires_grad_() for x in _tuple(inputs))
    with enable_grad():
        outputs = func(*leaves)
    for y in _tuple(outputs):
        if not isinstance(y, Tensor):
            raise TypeError(f"a function returns tensors, and not {type(y).__name__}")
    return outputs, leaves


def _gradients(outputs, leaves, v, create_graph, retain_graph=False):
    """Zeros where there is no path."""
    from . import grad

    found, pairs = [None] * len(leaves), [(y, g) for y, g in zip(outputs, v) if y.requires_grad]
    if pairs:
        found = grad([y for y, _ in pairs], leaves, [g for _, g in pairs], retain_graph, create_graph, allow_unused=True)
    return tuple(x.new_zeros(x.shape) if g is None else g for x, g in zip(leaves, found))


def jacobian(func, inputs, create_graph=False, vectorize=False):
    """The derivative of each output by each input: a tensor with both shapes."""
    outputs, leaves = _computed(func, inputs, create_graph)
    rows = []
    for y in _tuple(outputs):
        with enable_grad():
            each = y.reshape(-1).unbind()
        found = [_gradients((y_i,), leaves, (None,), create_graph, True) for y_i in each]
        rows.append(tuple(
            stack([row[k] for row in found]).reshape(*y.shape, *x.shape) if found else x.new_zeros((*y.shape, *x.shape))
            for k, x in enumerate(leaves)))
    rows = tuple(row[0] if isinstance(inputs, Tensor) else row for row in rows)
    return rows[0] if isinstance(outputs, Tensor) else rows


def hessian(func, inputs, create_graph=False, vectorize=False):
    """The second derivatives of a number by each pair of elements."""
    def gradient(*xs):
        y = func(*xs)
        if not isinstance(y, Tensor) or y.numel() != 1:
            raise RuntimeError("hessian: of a function that returns one number")
        return _gradients((y,), xs, (None,), True)

    found = jacobian(gradient, inputs, create_graph)
    return found[0] if isinstance(inputs, Tensor) else found
