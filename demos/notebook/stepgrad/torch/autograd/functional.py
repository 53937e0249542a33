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


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """func(inputs), and vᵀ times its Jacobian."""
    from . import grad

    outputs, leaves = _computed(func, inputs, create_graph)
    if v is None and (isinstance(outputs, tuple) or outputs.numel() != 1):
        raise RuntimeError("vjp: v is missing, and the function returns more than one number")
    found = grad(_tuple(outputs), leaves, None if v is None else _tuple(v), create_graph=create_graph,
                 allow_unused=True)
    found = tuple(x.new_zeros(x.shape) if g is None else g for x, g in zip(leaves, found))
    if not create_graph:
        outputs = tuple(y.detach() for y in outputs) if isinstance(outputs, tuple) else outputs.detach()
    return outputs, found[0] if isinstance(inputs, Tensor) else found


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """The derivative of each output by each input: a tensor with both shapes."""
    from . import grad

    outputs, leaves = _computed(func, inputs, create_graph)
    rows = []
    for y in _tuple(outputs):
        found = [grad(y.reshape(-1)[i], leaves, retain_graph=True, create_graph=create_graph,
                      allow_unused=True) if y.requires_grad
                 else [None] * len(leaves) for i in range(y.numel())]
        rows.append(tuple(
            stack([x.new_zeros(x.shape) if row[k] is None else row[k] for row in found])
            .reshape(*y.shape, *x.shape) if found else x.new_zeros((*y.shape, *x.shape))
            for k, x in enumerate(leaves)))
    rows = tuple(row[0] if isinstance(inputs, Tensor) else row for row in rows)
    return rows[0] if isinstance(outputs, Tensor) else rows


def _gradient_of(func):
    """x -> the gradient of func(x), recorded."""
    def gradient(*xs):
        from . import grad

        y = func(*xs)
        if not isinstance(y, Tensor) or y.numel() != 1:
            raise RuntimeError("hessian: of a function that returns one number")
        found = grad(y, xs, create_graph=True, allow_unused=True)
        return tuple(x * 0 if g is None else g for x, g in zip(xs, found))
    return gradient


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy=""):
    """The second derivatives of a number by each pair of elements."""
    found = jacobian(_gradient_of(func), inputs, create_graph)
    return found[0] if isinstance(inputs, Tensor) else found


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """func(inputs), and the Hessian times v: the gradient of the gradient times v."""
    v = tuple(x.new_ones(x.shape) for x in _tuple(inputs)) if v is None else v
    leaves = _computed(func, inputs, create_graph)[0]
    found = vjp(_gradient_of(func), inputs, v if isinstance(v, tuple) else (v,), create_graph)[1]
    return leaves.detach(), found


vhp = hvp  # the Hessian is symmetric
