"""Reductions of a Tensor, to one number or along dimensions."""

import math
import operator

import _stepgrad
from _stepgrad import Tensor, uint8, _cat, _is_whole, _number, _where

from .calls import must_be, titled
from .elements import floats
from .tensor import _bool, _int64, methods, unseen, wide


def _as(x, dtype):
    """x as the requested dtype, before the reduction."""
    return x if dtype is None else x._to(dtype)


def _spread(f):
    def call(self, dim=None, unbiased=True, keepdim=False, *, correction=None):
        if isinstance(dim, bool):  # var(False)
            dim, unbiased = None, dim
        return f(self, dim, keepdim, int(unbiased) if correction is None else correction)
    return call


def _powers(x, p, dim, keepdim):
    """Σ |x|^p, with slope 0 at 0 for any p > 0."""
    if p == 2:
        return x.square().sum(dim, keepdim)
    if not 0 < p < 1:
        return x.abs().pow(p).sum(dim, keepdim)
    zero = x == 0
    return x.abs().masked_fill(zero, 1).pow(p).masked_fill(zero, 0).sum(dim, keepdim)


def _said(x, found):
    return found.byte() if x.dtype == uint8 else found  # as in torch


class _Pair(tuple):
    """(values, indices), also by name."""

    @property
    def values(self):
        return self[0]

    @property
    def indices(self):
        return self[1]

    def __repr__(self):
        return f"torch.return_types.{self.of}(\nvalues={self[0]!r},\nindices={self[1]!r})"


def _pair(of, values, indices):
    pair = _Pair((values, indices))
    pair.of = of
    return pair


def _extreme(of, of_two, of_all, largest):
    def call(self, dim=..., keepdim=False, *, other=...):
        dim = dim if other is ... else other
        if dim is ... or isinstance(dim, Tensor) and not _is_whole(dim):
            return of_all(self) if dim is ... else of_two(self, dim)
        if self.dim() == 0:
            return _pair(of, *self._sorted(1, dim, largest))
        if self.size(dim) == 0:
            raise IndexError(f"{of}(): Expected reduction dim {dim} to have non-zero size.")
        return _pair(of, *self._extreme(dim, keepdim, largest))
    return titled(call, of)


def _searched(x, dim):
    x = x.reshape(-1) if dim is None else x
    n = x.size(dim or 0) if x.dim() else 1
    if n == 0:
        raise IndexError("argmax and argmin: among no elements there is no largest or smallest")
    if x.dtype == _bool and (n > 1 or x.dim() == 0):
        raise RuntimeError("argmax and argmin are not implemented for 'Bool'")
    return x


def _arg(find):
    def call(self, dim=None, keepdim=False):
        at = find(_searched(self, dim), 0 if dim is None else operator.index(dim), keepdim).indices
        return at.reshape((1,) * self.dim()) if keepdim and dim is None else at
    return call


@methods
class Reductions:
    """Methods of Tensor."""

    def sum(self, dim=None, keepdim=False, *, dtype=None):
        return self._sum(dim, keepdim) if dtype is None else self._to(dtype)._sum(dim, keepdim)._to(dtype)

    def count_nonzero(self, dim=None):
        return (self != 0).sum(dim)

    def mean(self, dim=None, keepdim=False, *, dtype=None):
        return _as(self, dtype)._mean(dim, keepdim)

    def norm(self, p="fro", dim=None, keepdim=False, dtype=None):
        if p == "nuc":
            raise NotImplementedError("norm: the nuclear norm is not here")
        if p not in ("fro", None):
            must_be(float, "norm", "p", p)
        self, p = _as(self, dtype), 2 if p in ("fro", None) else _number(p)
        _stepgrad._check_floating("norm", self)
        if p == 0:
            return self.masked_fill(self.isnan(), 1).sign().abs().sum(dim, keepdim)
        if p == 1:
            return self.abs().sum(dim, keepdim)
        if p in (math.inf, -math.inf):
            return self.abs().amax(dim, keepdim) if p > 0 else self.abs().amin(dim, keepdim)
        if p < 0:  # 0, and so are the slopes, of a row with a 0
            zero = self == 0
            return _powers(self.masked_fill(zero, 1), p, dim, keepdim).pow(1 / p) * (zero.sum(dim, keepdim) == 0)
        sums = _powers(self, p, dim, keepdim)
        if not self.numel() or unseen(lambda: 1e-30 < sums.detach().amin() and sums.detach().amax() < math.inf):
            zero = sums == 0 if _stepgrad._shows_ops() else None  # so that a live page follows to 0
            sums = sums if zero is None else sums.masked_fill(zero, 1)
            root = sums.sqrt() if p == 2 else sums.pow(1 / p)
            return root if zero is None else root.masked_fill(zero, 0)
        # Powers that overflow or vanish: the largest is factored out. The slope at zeros is 0.
        largest = self._shift().abs().amax(dim, True)
        largest = largest.masked_fill((largest == 0) | ~largest.isfinite(), 1)
        sums = _powers(self / largest, p, dim, keepdim)
        zero = sums == 0
        return (sums + zero).pow(1 / p) * ~zero * largest.reshape(sums.shape)

    def prod(self, dim=None, keepdim=False, *, dtype=None):
        x = wide(_as(self, dtype))
        return _as((x if x.is_floating_point() else x._to(_int64))._prod(dim, keepdim), dtype)

    def cumprod(self, dim, *, dtype=None):
        x = _as(self, dtype)
        x = x if x.is_floating_point() or dtype else x._to(_int64)
        if x.dim() == 0:
            return x.clone()
        parts = list(x.unbind(dim))
        for i in range(1, len(parts)):
            parts[i] = parts[i - 1] * parts[i]
        return _cat(parts, dim, True) if parts else x.clone()

    def logsumexp(self, dim, keepdim=False):
        self = floats(self)
        highest = self._shift().amax(dim, True)
        highest = highest.masked_fill(highest.isinf(), 0.0)
        y = (self - highest).exp().sum(dim, True).log() + highest
        return y if keepdim else y.sum(dim)

    def median(self, dim=None, keepdim=False):
        """For an even count, the lower of the two middle elements; NaN if there is one. Equal elements
        share the gradient, unless a dimension is named."""
        if dim is None:
            if not self.numel() or not self.is_floating_point():
                return self.reshape(-1).median(0).values if self.numel() else self.sum() * math.nan
            if _stepgrad._shows_ops() and unseen(lambda: len(self[self == self].unique()) == self.numel()):
                return self.reshape(-1).median(0).values  # which a live page follows
            y = self.detach().reshape(-1).median(0).values
            return self[(self == y) | self.isnan() & y.isnan()].min()  # ties share its gradient
        order = self.sort(dim).indices
        at = order.narrow(dim, (order.size(dim) - 1) // 2, 1) if order.dim() else order
        nan = self.isnan()
        if unseen(nan.any):
            at = _where(nan.any(dim, True), nan.long().argmax(dim, True), at)
        values = self.gather(dim, at)
        return _pair("median", *((values, at) if keepdim or not self.dim() else (values.squeeze(dim), at.squeeze(dim))))

    def quantile(self, q, dim=None, keepdim=False):
        self = wide(self)
        _stepgrad._check_floating("quantile", self)
        if dim is None:
            y = self.reshape(-1).quantile(q, 0)
            return y.reshape(*y.shape, *(1,) * self.dim()) if keepdim else y
        several = isinstance(q, Tensor) and q.dim() == 1
        qs = [float(_number(v)) for v in (q if several else [q])]
        if any(not 0 <= v <= 1 for v in qs):
            raise RuntimeError("quantile() q values must be in the range [0, 1]")
        x = self.sort(dim).values
        x = _where(self.isnan().any(dim, True), x.narrow(dim, -1, 1), x)
        parts = []
        for place in (v * (x.size(dim) - 1) for v in qs):
            low, high = (x.narrow(dim, i, 1) for i in (math.floor(place), math.ceil(place)))
            parts.append(low + (high - low) * (place - math.floor(place)))
        parts = [y if keepdim else y.squeeze(dim) for y in parts]
        return _cat(parts, 0, True) if several else parts[0]

    def sort(self, dim=-1, descending=False, *, stable=True):
        """Always stable."""
        n = self.size(dim) if self.dim() else 1
        return _pair("sort", *self._sorted(n, dim, descending))

    var = _spread(Tensor._var)
    std = _spread(Tensor._std)
    max = _extreme("max", Tensor.maximum, Tensor.amax, True)
    min = _extreme("min", Tensor.minimum, Tensor.amin, False)
    argmax = _arg(max)
    argmin = _arg(min)

    def any(self, dim=None, keepdim=False):
        return _said(self, self.bool().float().sum(dim, keepdim) > 0)

    def all(self, dim=None, keepdim=False):
        return _said(self, self.logical_not().float().sum(dim, keepdim) == 0)

    def topk(self, k, dim=-1, largest=True, sorted=True):
        return _pair("topk", *self._sorted(k, dim, largest))

    def argsort(self, dim=-1, descending=False, *, stable=True):
        return self.sort(dim, descending).indices

    def softmax(self, dim, dtype=None):
        return _stepgrad._softmax(_as(self, dtype), dim)

    def log_softmax(self, dim, dtype=None):
        return _stepgrad._log_softmax(_as(self, dtype), dim)


