"""Elements read, written or reordered by an index along a dimension."""

import builtins
import collections

from _stepgrad import Tensor, int32, int64, _cat, _empty, _full, _tensor, _zeros

from .algebra import broadcast_tensors
from .elements import in_place
from .tensor import dim_of, methods, wide


def ids(values):
    return _tensor(list(values), int64)


def _check_vector(x, dim, index, from_end=False):
    """For an index of one dimension, along `dim`."""
    if index.dim() > 1:
        raise IndexError("Index is supposed to be a vector")
    if index.dtype not in (int64, int32):
        raise RuntimeError(f"Expected dtype int32 or int64 for index, and not {index.dtype}")
    n = x.size(dim) if x.dim() else 1
    outside = index[(index < (-n if from_end else 0)) | (index >= n)]
    if outside.numel():
        raise IndexError(f"index {int(outside.reshape(-1)[0])} is out of range of dimension {dim} with size {n}")


def _put_along(self, dim, index, values, accumulate):
    """A copy, with values put at the elements that a vector names along `dim`, or added there."""
    if self.dim() == 0:
        return _put_along(self.reshape(1), dim, index, values, accumulate).reshape(())
    dim = dim_of(self, dim)
    _check_vector(self, dim, index, not accumulate)
    sizes = [*self.shape[:dim], index.numel(), *self.shape[dim + 1:]]
    if isinstance(values, Tensor) and values.dim() and list(values.shape) != sizes:
        raise RuntimeError(f"a source of {list(values.shape)}, where {sizes} are changed")
    return self.index_put((slice(None),) * dim + (index.reshape(-1),), values, accumulate)


def _one_list(args):
    return args[0] if len(args) == 1 and not isinstance(args[0], int) else args


@methods
class Places:
    """Methods of Tensor."""

    def scatter(self, dim, index, src=None, *, value=None, reduce=None):
        src = value if src is None else src
        if reduce not in (None, "add"):
            raise NotImplementedError(f"scatter: reduce is None or 'add' here, and not {reduce!r}")
        if isinstance(src, Tensor) and src.dim():
            if src.dtype != self.dtype:
                raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
            if any(n > m for n, m in zip(index.shape, src.shape)):
                raise RuntimeError(f"scatter: index {list(index.shape)} is larger than src {list(src.shape)}")
            src = src[tuple(slice(n) for n in index.shape)]
        return self._scatter(dim, index, src, reduce == "add")

    def index_select(self, dim, index):
        dim = dim_of(self, dim)
        _check_vector(self, dim, index)
        return self[(slice(None),) * dim + (index.reshape(-1),)] if self.dim() else self

    def nonzero(self, *, as_tuple=False):
        if as_tuple:
            return tuple((self if self.dim() else self.reshape(1))._nonzero())
        columns = self._nonzero()
        return _cat(columns, 1, True) if columns else _empty((int(self != 0), 0), int64)

    def masked_select(self, mask):
        self, mask = broadcast_tensors(self, mask)
        return self[mask]

    def flip(self, *places, dims=None):
        if not places and dims is None:
            raise TypeError("flip(): the dims are missing")
        dims = _one_list(places if dims is None else (dims,))
        if len({dim % max(self.dim(), 1) for dim in dims}) < len(dims):
            raise RuntimeError(f"flip: a dim appears twice among {list(dims)}")
        for dim in dims:
            n = self.size(dim)
            self = self.index_select(dim, ids(range(n - 1, -1, -1)))
        return self

    def repeat_interleave(self, repeats=None, dim=None, *, output_size=None):
        if repeats is None:
            return ids(i for i, n in enumerate(self.tolist()) for _ in range(n))
        if dim is None:
            self, dim = self.reshape(-1), 0
        times = repeats.reshape(-1).tolist() if isinstance(repeats, Tensor) else [repeats]
        if any(n < 0 for n in times):
            raise RuntimeError("repeats can not be negative")
        times = times * self.size(dim) if len(times) == 1 else times
        if len(times) != self.size(dim):
            raise RuntimeError("repeats must have the same size as input along dim")
        return self.index_select(dim, ids(i for i, n in enumerate(times) for _ in range(n)))

    def diag(self, diagonal=0):
        if self.dim() == 2:
            return self.diagonal(diagonal).clone()
        if self.dim() != 1:
            raise RuntimeError("matrix or a vector expected")
        y = _zeros((len(self) + abs(diagonal),) * 2, self.dtype)
        y.diagonal(diagonal).copy_(self)
        return y

    def tile(self, *reps, dims=None):
        reps = _one_list(reps if dims is None else (dims,))
        return self.repeat(*(1,) * (self.dim() - len(reps)), *reps)

    def unique(self, sorted=True, return_inverse=False, return_counts=False):
        """The distinct elements, in rising order."""
        numbers = self.reshape(-1).tolist()
        first = {v: i for i, v in reversed(list(enumerate(numbers)))}
        order = {v: i for i, v in enumerate(builtins.sorted(first, key=lambda v: (v != v, v)))}
        found = (self.reshape(-1).index_select(0, ids(first[v] for v in order)),)
        found += (ids(order[v] for v in numbers).reshape(self.shape),) * return_inverse
        found += (ids(map(collections.Counter(numbers).get, order)),) * return_counts
        return found if len(found) > 1 else found[0]

    def scatter_add(self, dim, index, src):
        return self.scatter(dim, index, src, reduce="add")

    def index_add(self, dim, index, source, *, alpha=1):
        if source.dtype != self.dtype:
            raise RuntimeError(f"index_add: {source.dtype} into {self.dtype}")
        source = source if alpha == 1 else source * _full((), alpha, source.dtype)
        return _put_along(self, dim, index, source, True)

    def index_fill(self, dim, index, value):
        _full((), value.detach() if isinstance(value, Tensor) else value, self.dtype)  # refuses large numbers
        return _put_along(self, dim, index, value, False)


in_place("scatter", "index_add", "index_fill", "index_put")


def trace(input):
    """The sum of a matrix's diagonal. (A tensor's method of that name is the page of its tape.)"""
    if input.dim() != 2:
        raise RuntimeError("trace: expected a matrix")
    return wide(input).diagonal().sum()
