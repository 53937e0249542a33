"""Distinct elements and their counts."""

import builtins
import math

import _stepgrad
from _stepgrad import Tensor

from .places import ids, searchsorted
from .tensor import method


@method
def unique(self, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The distinct elements, or slices along a dimension, in rising order."""
    x = self.reshape(-1) if dim is None else self.movedim(dim, 0)
    rows = [tuple(row) for row in x.reshape(len(x), -1 if x.numel() else 0).tolist()]
    first = {row: i for i, row in reversed(list(enumerate(rows)))}
    order = {row: i for i, row in enumerate(builtins.sorted(first, key=lambda row: [(v != v, v) for v in row]))}
    values = x.index_select(0, ids(first[row] for row in order))
    inverse = ids(order[row] for row in rows)
    found = (values if dim is None else values.movedim(0, dim),)
    found += (inverse.reshape(self.shape) if dim is None else inverse,) * return_inverse
    found += (inverse.bincount(minlength=len(order)),) * return_counts
    return found if len(found) > 1 else found[0]


@method
def bincount(self, weights=None, minlength=0):
    if self.dim() != 1 or self.is_floating_point() or self.numel() and int(self.min()) < 0:
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    n = max(minlength, int(self.max()) + 1 if self.numel() else 0)
    ones = _stepgrad._ones(self.shape, _stepgrad.int64) if weights is None else weights
    return _stepgrad._zeros((n,), ones.dtype).scatter_add(0, self._typed(_stepgrad.int64), ones)


def _range(x, low, high):
    if low == high:
        low, high = (x.min().item(), x.max().item()) if x.numel() else (0, 0)
        if low == high:
            low, high = low - 1, high + 1
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(f"range of [{low}, {high}] is not finite")
    if low > high:
        raise RuntimeError("max must be larger than min")
    return low, high


@method
def histc(self, bins=100, min=0, max=0):
    low, high = _range(self, min, max)
    x = self.reshape(-1)
    x = x[(x >= low) & (x <= high)]
    at = ((x - low) * (bins / (high - low))).floor().clamp(max=bins - 1)
    return at.long().bincount(minlength=bins).to(self.dtype)


@method
def histogram(self, bins=100, *, range=None, weight=None, density=False):
    x = self.reshape(-1)
    if isinstance(bins, Tensor):
        edges = bins
    else:
        low, high = _range(x, *(range or (0, 0)))
        edges = _stepgrad._linspace(low, high, bins + 1)
    n = len(edges) - 1
    inside = (x >= edges[0]) & (x <= edges[-1])
    at = (searchsorted(edges, x[inside], right=True) - 1).clamp(max=n - 1)
    weight = _stepgrad._ones(x.shape, self.dtype) if weight is None else weight.reshape(-1)
    hist = at.bincount(weight[inside], n)
    if density:
        hist = hist / hist.sum() / (edges[1:] - edges[:-1])
    return hist, edges
