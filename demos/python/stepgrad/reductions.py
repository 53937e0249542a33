"""Reductions of a Tensor, to one number or along dimensions."""

import collections
import math

import _stepgrad
from _stepgrad import Tensor, uint8, _cat, _number, _where

from .elements import floats
from .tensor import _bool, _int64, methods, wide


def _as(x, dtype):
    """x as the requested dtype, before the reduction."""
    return x if dtype is None else x._typed(dtype)


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


class _Pair(collections.namedtuple("_Pair", "values indices")):
    def __repr__(self):
        return f"torch.return_types.{self.of}(\nvalues={self[0]!r},\nindices={self[1]!r})"


def _pair(of, values, indices):
    pair = _Pair(values, indices)
    pair.of = of
    return pair


def _extreme(of, of_two, of_all, largest):
    def call(self, dim=None, keepdim=False, *, other=None):
        dim = dim if other is None else other
        if dim is None or isinstance(dim, Tensor):
            return of_all(self) if dim is None else of_two(self, dim)
        if self.dim() == 0:
            return _pair(of, *self._sorted(1, dim, largest))
        if self.size(dim) == 0:
            raise IndexError(f"{of}(): Expected reduction dim {dim} to have non-zero size.")
        return _pair(of, *self._extreme(dim, keepdim, largest))
    return call


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
        at = find(_searched(self, dim), 0 if dim is None else dim, keepdim).indices
        return at.reshape((1,) * self.dim()) if keepdim and dim is None else at
    return call


@methods
class Reductions:
    """Methods of Tensor."""

    def sum(self, dim=None, keepdim=False, dtype=None):
        return self._sum(dim, keepdim) if dtype is None else self._typed(dtype)._sum(dim, keepdim)._typed(dtype)

    def mean(self, dim=None, keepdim=False, dtype=None):
        return _as(self, dtype)._mean(dim, keepdim)

    def norm(self, p="fro", dim=None, keepdim=False, dtype=None):
        self, p = _as(self, dtype), 2 if p in ("fro", None) else _number(p)
        if not self.is_floating_point():
            raise RuntimeError(f"norm: of floating point numbers only, not of {self.type_name()}")
        if p == "nuc" or p <= 0:
            raise NotImplementedError(f"norm: p={p} is not here")
        if p == 1:
            return self.abs().sum(dim, keepdim)
        if p == math.inf:
            return self.abs().amax(dim, keepdim)
        sums = _powers(self, p, dim, keepdim)
        zero = sums == 0  # where the slope is 0
        root = sums.masked_fill(zero, 1)
        return (root.sqrt() if p == 2 else root.pow(1 / p)) * ~zero

    def prod(self, dim=None, keepdim=False, dtype=None):
        x = wide(_as(self, dtype))
        return _as((x if x.is_floating_point() else x._typed(_int64))._prod(dim, keepdim), dtype)

    def logsumexp(self, dim, keepdim=False):
        self = floats(self)
        highest = self._shift().amax(dim, True)
        highest = highest.masked_fill(highest.isinf(), 0.0)
        y = (self - highest).exp().sum(dim, True).log() + highest
        return y if keepdim else y.sum(dim)

    def sort(self, dim=-1, descending=False, stable=True):
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

    def argsort(self, dim=-1, descending=False, stable=True):
        return self.sort(dim, descending).indices

    def softmax(self, dim, dtype=None):
        return _stepgrad._softmax(_as(self, dtype), dim)

    def log_softmax(self, dim, dtype=None):
        return _stepgrad._log_softmax(_as(self, dtype), dim)


