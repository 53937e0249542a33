"""Distinct elements and their counts."""

import builtins

import _stepgrad

from .places import ids
from .tensor import methods


@methods
class Counts:
    """Methods of Tensor."""

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

    def bincount(self, weights=None, minlength=0):
        if self.dim() != 1 or self.is_floating_point() or self.dtype == _stepgrad.bool or self.numel() and int(self.min()) < 0:
            raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
        if minlength < 0:
            raise RuntimeError(f"bincount: minlength is not negative, as {minlength}")
        if weights is not None and weights.shape != self.shape:
            raise RuntimeError(f"bincount: {len(self)} numbers and weights of {list(weights.shape)}")
        n = max(minlength, int(self.max()) + 1 if self.numel() else 0)
        ones = _stepgrad._ones(self.shape, _stepgrad.int64) if weights is None else weights.float()
        return _stepgrad._zeros((n,), ones.dtype).scatter_add(0, self._to(_stepgrad.int64), ones)
