"""Reductions of a Tensor, to one number or along dimensions."""

import _stepgrad
from _stepgrad import Tensor

from .tensor import _bool, method


def _reduced(y, dtype):
    return y if dtype is None else y._typed(dtype)


@method
def sum(self, dim=None, keepdim=False, dtype=None):
    return _reduced(self._sum(dim, keepdim), dtype)


@method
def mean(self, dim=None, keepdim=False, dtype=None):
    return _reduced(self._mean(dim, keepdim), dtype)


def _spread(f, dim, unbiased, keepdim):
    if isinstance(dim, bool):  # var(False)
        dim, unbiased = None, dim
    return f(dim, keepdim, int(unbiased))


@method
def var(self, dim=None, unbiased=True, keepdim=False):
    return _spread(self._var, dim, unbiased, keepdim)


@method
def std(self, dim=None, unbiased=True, keepdim=False):
    return _spread(self._std, dim, unbiased, keepdim)


@method
def norm(self, p=2, dim=None, keepdim=False):
    if p in (2, "fro"):
        return self.square().sum(dim, keepdim).sqrt()
    if p == 1:
        return self.abs().sum(dim, keepdim)
    if p == float("inf"):
        return self.abs().amax(dim, keepdim)
    return self.abs().pow(p).sum(dim, keepdim).pow(1 / p)


@method
def any(self, dim=None, keepdim=False):
    return self.bool().float().sum(dim, keepdim) > 0


@method
def all(self, dim=None, keepdim=False):
    return self.logical_not().float().sum(dim, keepdim) == 0


class _Pair(tuple):
    """(values, indices), also by name."""

    values = property(lambda self: self[0])
    indices = property(lambda self: self[1])

    def __repr__(self):
        return f"torch.return_types.{self.of}(\nvalues={self[0]!r},\nindices={self[1]!r})"


def _pair(of, values, indices):
    pair = _Pair((values, indices))
    pair.of = of
    return pair


def _extreme(of, self, dim, keepdim, largest):
    if self.dim() == 0:
        return _pair(of, *self._sorted(1, dim, largest))
    return _pair(of, *self._extreme(dim, keepdim, largest))


@method
def max(self, dim=None, keepdim=False):
    if isinstance(dim, Tensor):
        return self.maximum(dim)
    return self.amax() if dim is None else _extreme("max", self, dim, keepdim, True)


@method
def min(self, dim=None, keepdim=False):
    if isinstance(dim, Tensor):
        return self.minimum(dim)
    return self.amin() if dim is None else _extreme("min", self, dim, keepdim, False)


def _searched(x, dim):
    x = x.reshape(-1) if dim is None else x
    n = x.size(dim or 0) if x.dim() else 1
    if n == 0:
        raise IndexError("argmax and argmin: among no elements there is no largest or smallest")
    if x.dtype == _bool and (n > 1 or x.dim() == 0):
        raise RuntimeError("argmax and argmin are not implemented for 'Bool'")
    return x


@method
def argmax(self, dim=None, keepdim=False):
    x = _searched(self, dim)
    return x.max(0 if dim is None else dim, keepdim).indices


@method
def argmin(self, dim=None, keepdim=False):
    x = _searched(self, dim)
    return x.min(0 if dim is None else dim, keepdim).indices


@method
def topk(self, k, dim=-1, largest=True, sorted=True):
    return _pair("topk", *self._sorted(k, dim, largest))


@method
def sort(self, dim=-1, descending=False):
    n = self.size(dim) if self.dim() else 1
    return _pair("sort", *self._sorted(n, dim, descending))


@method
def argsort(self, dim=-1, descending=False):
    return self.sort(dim, descending).indices


@method
def softmax(self, dim, dtype=None):
    return _reduced(_stepgrad._softmax(self, dim), dtype)


@method
def log_softmax(self, dim, dtype=None):
    return _reduced(_stepgrad._log_softmax(self, dim), dtype)
