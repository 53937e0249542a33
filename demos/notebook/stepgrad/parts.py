"""Parts of a Tensor, and the shapes of others."""

import _stepgrad

from .tensor import method


def _all_before(x, dim):
    """The slices in front of an index into dimension `dim` of x."""
    n = x.dim()
    if not -n <= dim < n:
        raise IndexError(f"Dimension out of range (expected to be in [{-n}, {n - 1}], but got {dim})")
    return (slice(None),) * (dim % n)


@method
def unbind(self, dim=0):
    return _stepgrad._parts(tuple(self.select(dim, i) for i in range(self.size(dim))))


@method
def split(self, split_size, dim=0):
    if self.dim() == 0:
        raise RuntimeError("split: a number has no dimension to be split along")
    n = self.size(dim)
    if isinstance(split_size, int):
        if split_size < 0 or split_size == 0 < n:
            raise RuntimeError(f"split: parts of {split_size} do not make up {n}")
        sizes = [min(split_size, n - i) for i in range(0, n, max(1, split_size))] or [0]
    else:
        sizes = list(split_size)
        if sum(sizes) != n:
            raise RuntimeError(f"split: sizes {sizes} do not add up to {n}")
    parts, begin = [], 0
    for size in sizes:
        parts.append(self.narrow(dim, begin, size))
        begin += size
    return _stepgrad._parts(tuple(parts))


@method
def chunk(self, chunks, dim=0):
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    n = self.size(dim) if self.dim() else 1
    return self.split(max(1, -(-n // chunks)), dim)


@method
def select(self, dim, index):
    return self[_all_before(self, dim) + (index,)]


@method
def view_as(self, other):
    return self.view(other.shape)


@method
def reshape_as(self, other):
    return self.reshape(other.shape)


@method
def expand_as(self, other):
    return self.expand(other.shape)
