"""Gradients beside central differences."""

import math

from _stepgrad import Tensor

from ..creation import randn
from ..modes import enable_grad, no_grad
from .functional import _tuple, jacobian


class GradcheckError(RuntimeError):
    pass


# Steps for float32, relative to numbers of 1 and more: the first is best for smooth functions, the
# others near a kink.
_STEPS = (2.0**-4, 2.0**-7, 2.0**-10)


def gradcheck(func, inputs, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True, **options):
    """Whether each gradient agrees with five-point differences. `eps` is for float64: here the step
    suits float32, and differences within rounding are ignored."""
    inputs = _tuple(inputs)
    checked = [i for i, x in enumerate(inputs) if isinstance(x, Tensor) and x.requires_grad]
    if not checked:
        raise ValueError("gradcheck: no input requires a gradient")
    func = _differentiable(func, inputs)
    try:
        for i in checked:
            _check(func, inputs, i, atol, rtol)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(func, inputs, grad_outputs=None, **options):
    """gradcheck of func's gradients, by its inputs and by those that arrive."""
    from . import grad

    inputs = _tuple(inputs)
    func = _differentiable(func, inputs)
    if grad_outputs is None:
        grad_outputs = tuple(randn(y.shape, requires_grad=True) for y in func(*inputs))
    checked = [i for i, x in enumerate(inputs) if isinstance(x, Tensor) and x.requires_grad]

    def gradients(*given):
        xs, arriving = given[: len(inputs)], given[len(inputs) :]
        wanted = [xs[i] if xs[i].requires_grad else xs[i].requires_grad_() for i in checked]
        with enable_grad():
            found = grad(func(*xs), wanted, arriving, create_graph=True, allow_unused=True)
        return tuple(g for g in found if g is not None)

    return gradcheck(gradients, (*inputs, *_tuple(grad_outputs)), **options)


def _differentiable(func, inputs):
    """func as a tuple, without outputs that require no gradient, unless none does."""
    kept = [y.requires_grad for y in _tuple(func(*inputs))]
    return lambda *xs: tuple(y for y, wanted in zip(_tuple(func(*xs)), kept) if wanted or not any(kept))


def _check(func, inputs, i, atol, rtol):
    def of(x):
        return func(*inputs[:i], x, *inputs[i + 1 :])

    x = inputs[i]
    for k, slopes in enumerate(jacobian(of, x)):
        for place, found in enumerate(slopes.reshape(-1).tolist()):
            n, e = divmod(place, x.numel())

            def number(x):
                return of(x)[k].reshape(-1)[n].item()

            _compare(number, x, e, found, atol, rtol, (k, i))


def _compare(f, x, e, found, atol, rtol, of):
    values = x.detach().reshape(-1).tolist()

    def at(step):
        moved = values[:e] + [values[e] + step] + values[e + 1 :]
        with no_grad():
            return f(x.new_tensor(moved).reshape(x.shape))

    for relative in _STEPS:
        h = relative * max(1.0, abs(values[e]))
        far, near, back, behind = (at(m * h) for m in (2, 1, -1, -2))
        numerical = (8 * (near - back) - (far - behind)) / (12 * h)
        hidden = 2.0**-23 * max(map(abs, (far, near, back, behind))) / h
        if math.isfinite(numerical) and abs(found - numerical) <= atol + rtol * abs(numerical) + hidden:
            return
    raise GradcheckError(f"Jacobian mismatch for output {of[0]} with respect to input {of[1]},\n"
        f"numerical:{numerical}\nanalytical:{found} at element {e}")
