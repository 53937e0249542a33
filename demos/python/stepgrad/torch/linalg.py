"""torch.linalg: norms, but for those of a matrix's singular values."""

import math as _math

from _stepgrad import Tensor as _Tensor

from stepgrad.calls import must_be as _must_be
from stepgrad.grad_fn import shown as _shown
from stepgrad.tensor import dim_of as _dim_of


@_shown("LinalgVectorNormBackward0")
def vector_norm(input, ord=2, dim=None, keepdim=False, *, dtype=None):
    _must_be(float, "linalg.norm", "ord", ord)
    return input.norm(ord, dim, keepdim, dtype)


def norm(input, ord=None, dim=None, keepdim=False, *, dtype=None):
    """A vector's; of an order and two dims a matrix's."""
    _must_be(_Tensor, "linalg.norm", "input", input)
    dims = range(input.dim()) if dim is None else dim if isinstance(dim, (tuple, list)) else [dim]
    if ord is None or len(dims) == 1 or ord == "fro":
        return vector_norm(input, 2 if ord is None or len(dims) == 2 else ord, dim, keepdim, dtype=dtype)
    if len(dims) != 2 or type(ord) not in (int, float) or abs(ord) not in (1, _math.inf):
        raise NotImplementedError(f"linalg.norm: of order {ord} over {list(dims)} is not here")
    first, then = (_dim_of(input, d) for d in (dims if abs(ord) == 1 else dims[::-1]))
    sums = vector_norm(input, 1, first, keepdim, dtype=dtype)
    return (sums.amax if ord > 0 else sums.amin)(then - (first < then and not keepdim), keepdim)
