"""Splitting tensors, and creating tensors of related shapes."""

import itertools
import math

import _stepgrad

from .tensor import dim_of, method, methods


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
    ends = itertools.accumulate(sizes)
    return _stepgrad._parts(tuple(self.narrow(dim, end - size, size) for end, size in zip(ends, sizes)))


@method
def chunk(self, chunks, dim=0):
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    n = self.size(dim) if self.dim() else 1
    return self.split(-(-n // chunks) if n else [0] * chunks, dim)


@method
def tensor_split(self, indices_or_sections=None, dim=0, *, indices=None, sections=None):
    """Splits into that many parts, the first ones larger by one if necessary; or before each of
    these indices."""
    n, ends = self.size(dim), next((x for x in (indices_or_sections, indices, sections) if x is not None), None)
    if not hasattr(ends, "__iter__") or not getattr(ends, "shape", (1,)):
        parts = int(ends)
        if parts <= 0:
            raise RuntimeError(f"tensor_split: number of sections must be larger than 0, got {parts}")
        ends = [i * (n // parts) + min(i, n % parts) for i in range(1, parts)]
    ends = [min(n, end + n if end < 0 else end) for end in map(int, ends)]
    return tuple(self.narrow(dim, begin, max(0, end - begin)) for begin, end in zip([0, *ends], [*ends, n]))


@method
def vsplit(self, indices_or_sections):
    parts = indices_or_sections
    if self.dim() < 2 or isinstance(parts, int) and len(self) % parts:
        raise RuntimeError(f"vsplit: {list(self.shape)} is no matrix, or is not split in {parts} equal parts")
    return self.tensor_split(parts)


methods(
    ravel=lambda self: self.reshape(-1), broadcast_to=lambda self, size: self.expand(size),
    select=lambda self, dim, index: self[(slice(None),) * dim_of(self, dim) + (index,)],
    view_as=lambda self, other: self.view(other.shape),
    reshape_as=lambda self, other: self.reshape(other.shape),
    expand_as=lambda self, other: self.expand(other.shape))


@method
def unflatten(self, dim, sizes):
    n = self.size(dim)
    dim = dim_of(self, dim)
    left = n // max(1, -math.prod(sizes)) if -1 in sizes else n
    sizes = [left if size == -1 else size for size in sizes]
    if math.prod(sizes) != n:
        raise RuntimeError(f"unflatten: {list(sizes)} do not multiply up to {n}, the size of dimension {dim}")
    return self.view(*self.shape[:dim], *sizes, *self.shape[dim + 1 :])


@method
def unfold(self, dimension, size, step):
    """Windows along a dimension, as a new last dimension."""
    n = self.size(dimension) if self.dim() else 1
    dim = dimension % max(1, self.dim())
    if not 0 <= size <= n or step <= 0:
        raise RuntimeError(f"unfold: windows of {size} by steps of {step} along a dimension of {n}")
    if self.dim() == 0:
        return self.reshape(1)[:size]
    sizes, strides = list(self.shape), self.stride()
    sizes[dim] = (n - size) // step + 1
    return self.as_strided((*sizes, size), (*strides[:dim], strides[dim] * step, *strides[dim + 1 :], strides[dim]),
                           self.storage_offset())


@method
def fill_diagonal_(self, fill_value, wrap=False):
    if self.dim() < 2 or self.dim() > 2 and len(set(self.shape)) > 1:
        raise RuntimeError("fill_diagonal_: a matrix, or all dimensions of equal length, are wanted")
    step, n = sum(self.stride()), min(self.shape)
    if wrap and self.dim() == 2 and self.size(0) > self.size(1) + 1:
        n = -(-self.numel() // (self.size(1) + 1))
    self.as_strided((n,), (step,), self.storage_offset()).fill_(fill_value)
    return self


def _in_place(name):
    def call(self, *dims, **named):
        view = getattr(self, name)(*dims, **named)
        if self.is_leaf and self.requires_grad:
            if _stepgrad.is_grad_enabled():
                raise RuntimeError(f"{name}_: a leaf that requires a gradient changes only with torch.no_grad()")
            self.data, view = view.detach(), self
        self._is_now(view)
        return self
    return call


methods(**{name + "_": _in_place(name) for name in ("t", "squeeze", "unsqueeze", "transpose")})
