"""Splitting tensors, and creating tensors of related shapes."""

import itertools
import math
import operator

import _stepgrad

from .tensor import dim_of, methods


@methods
class Parts:
    """Methods of Tensor."""

    def unbind(self, dim=0):
        return _stepgrad._parts(tuple(self.select(dim, i) for i in range(self.size(dim))), "UnbindBackward0", self)

    def split(self, split_size, dim=0):
        if self.dim() == 0:
            raise RuntimeError("split: a number has no dimension to be split along")
        n = self.size(dim)
        if not isinstance(split_size, (tuple, list)):
            split_size = operator.index(split_size)
            if split_size < 0 or split_size == 0 < n:
                raise RuntimeError(f"split: parts of {split_size} do not make up {n}")
            sizes = [min(split_size, n - i) for i in range(0, n, max(1, split_size))] or [0]
        else:
            sizes = list(split_size)
            if sum(sizes) != n:
                raise RuntimeError(f"split: sizes {sizes} do not add up to {n}")
        parts = tuple(self.narrow(dim, end - size, size) for end, size in zip(itertools.accumulate(sizes), sizes))
        return _stepgrad._parts(parts, f"Split{'' if isinstance(split_size, int) else 'WithSizes'}Backward0", self)

    def chunk(self, chunks, dim=0):
        if chunks <= 0:
            raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
        n = self.size(dim) if self.dim() else 1
        return self.split(-(-n // chunks) if n else [0] * chunks, dim)

    def unflatten(self, dim, sizes):
        n = self.size(dim)
        dim = dim_of(self, dim)
        left = n // max(1, -math.prod(sizes)) if -1 in sizes else n
        sizes = [left if size == -1 else size for size in sizes]
        if math.prod(sizes) != n:
            raise RuntimeError(f"unflatten: {list(sizes)} do not multiply up to {n}, the size of dimension {dim}")
        return self.view(*self.shape[:dim], *sizes, *self.shape[dim + 1 :])

    def diff(self, n=1, dim=-1, prepend=None, append=None):
        """Each element but the first along a dimension minus the one before, n times."""
        if self.dim() == 0 or n < 0:
            raise RuntimeError(f"diff: {n} times, of a tensor of {self.dim()} dimensions")
        parts = [x for x in (prepend, self, append) if x is not None]
        self = _stepgrad._cat(tuple(parts), dim, False) if n and len(parts) > 1 else self
        for _ in range(min(n, self.size(dim))):
            after, before = (self.narrow(dim, i, self.size(dim) - 1) for i in (1, 0))
            self = after ^ before if self.dtype == _stepgrad.bool else after - before
        return self if n else self.clone()

    def broadcast_to(self, *sizes, size=None):
        return self.expand(*sizes or (size,))

    def select(self, dim, index):
        return self[(slice(None),) * dim_of(self, dim) + (index,)]

    def view_as(self, other):
        return self.view(other.shape)

    def expand_as(self, other):
        return self.expand(other.shape)
