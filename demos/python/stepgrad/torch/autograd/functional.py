"""Jacobians, row by row; the Jacobian of a gradient, which is a Hessian; and their products with a vector."""

from _stepgrad import Tensor

from stepgrad.calls import check_tensors as _check

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
    _check("a function's outputs", *_tuple(outputs))
    return outputs, leaves


def _checked(name, v, like):
    """v as a tuple, of the shapes of `like`; None is for one number."""
    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            raise RuntimeError(f"{name}: v is missing, and there is more than one number")
        return like[0].new_ones(like[0].shape),
    v = _tuple(v)
    if [x.shape for x in v] != [x.shape for x in like]:
        raise RuntimeError(f"{name}: v has the shapes {[list(x.shape) for x in v]}, and not "
            f"{[list(x.shape) for x in like]}")
    return v


def _gradients(outputs, leaves, v, create_graph, strict, retain_graph=False):
    """Zeros where there is no path, or an error if strict."""
    from . import grad

    found, pairs = [None] * len(leaves), [(y, g) for y, g in zip(outputs, v) if y.requires_grad]
    if pairs:
        found = grad([y for y, _ in pairs], leaves, [g for _, g in pairs], retain_graph, create_graph,
            allow_unused=True)
    if strict and (len(pairs) < len(outputs) or any(g is None for g in found)):
        raise RuntimeError("strict: an output of the function is independent of an input")
    if strict and create_graph and not all(g.requires_grad for g in found):
        raise RuntimeError("strict: a gradient is independent of the inputs")
    return tuple(x.new_zeros(x.shape) if g is None else g for x, g in zip(leaves, found))


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """func(inputs), and vᵀ times its Jacobian."""
    outputs, leaves = _computed(func, inputs, create_graph)
    found = _gradients(_tuple(outputs), leaves, _checked("vjp", v, _tuple(outputs)), create_graph, strict)
    return _kept(outputs, create_graph), _as(inputs, found)


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """func(inputs), and its Jacobian times v: the derivative of uᵀJ, which is linear in u."""
    outputs, leaves = _computed(func, inputs, create_graph)
    v = _checked("jvp", v, leaves)
    us = tuple(y.new_zeros(y.shape).requires_grad_() for y in _tuple(outputs))
    found = _gradients(_gradients(_tuple(outputs), leaves, us, True, strict), us, v, create_graph, False)
    return _kept(outputs, create_graph), _as(outputs, found)


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """func(inputs), a number, and vᵀ times its Hessian, which is symmetric: and so the Hessian times v."""
    outputs, leaves = _computed(func, inputs, create_graph)
    v = _checked("vhp", v, leaves)
    found = _gradients(_gradient_of(lambda *xs: outputs, strict)(*leaves), leaves, v, create_graph, strict)
    return _kept(outputs, create_graph), _as(inputs, found)


hvp = vhp


def _kept(outputs, create_graph):
    return outputs if create_graph else _as(outputs, tuple(y.detach() for y in _tuple(outputs)))


def _as(like, found):
    return found[0] if isinstance(like, Tensor) else found


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """The derivative of each output by each input: a tensor with both shapes."""
    if vectorize and strict:
        raise RuntimeError("jacobian: strict is not possible with vectorize")
    outputs, leaves = _computed(func, inputs, create_graph)
    rows = []
    for y in _tuple(outputs):
        with enable_grad():
            each = y.reshape(-1).unbind()
        found = [_gradients((y_i,), leaves, (None,), create_graph, strict, True) for y_i in each]
        rows.append(tuple(
            stack([row[k] for row in found]).reshape(*y.shape, *x.shape) if found else x.new_zeros((*y.shape, *x.shape))
            for k, x in enumerate(leaves)))
    return _as(outputs, tuple(_as(inputs, row) for row in rows))


def _gradient_of(func, strict):
    """x -> the gradient of func(x), recorded."""
    def gradient(*xs):
        y = func(*xs)
        if not isinstance(y, Tensor) or y.numel() != 1:
            raise RuntimeError("hessian, vhp: of a function that returns one number")
        return _gradients((y,), xs, (None,), True, strict)
    return gradient


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy=""):
    """The second derivatives of a number by each pair of elements."""
    found = jacobian(_gradient_of(func, strict), inputs, create_graph, strict, vectorize)
    return _as(inputs, found)
