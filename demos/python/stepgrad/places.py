"""Elements read, written or reordered by an index along a dimension."""

from _stepgrad import Tensor, bool as _bool, int32, int64, _cat, _empty, _full, _tensor, _zeros

from .algebra import broadcast_tensors
from .calls import must_be, titled
from .elements import in_place
from .grad_fn import shown
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


def _along(change, self, dim, index, source, from_end=False):
    """A copy, with changes at the elements named by a one-dimensional index along `dim`."""
    if self.dim() == 0:
        return _along(change, self.reshape(1), dim, index, source, from_end).reshape(())
    dim = dim_of(self, dim)
    _check_vector(self, dim, index, from_end)
    sizes = [index.numel() if d == dim else n for d, n in enumerate(self.shape)]
    if isinstance(source, Tensor) and list(source.shape) != sizes and (source.dim() or change is not _filled and sizes != [1]):
        raise RuntimeError(f"a source of {list(source.shape)}, where {sizes} are changed")
    wide = (index._to(int64) % max(1, self.size(dim))).reshape(
        [-1 if d == dim else 1 for d in range(self.dim())])
    return change(self, dim, wide.expand(*sizes), source)


def _filled(self, dim, index, value):
    _full((), value.detach() if isinstance(value, Tensor) else value, self.dtype)  # refuses large numbers
    return self._scatter(dim, index, value, False)


def _listed(dims):
    return list(dims) if isinstance(dims, (tuple, list)) else [dims]


def _one_list(name, args):
    args = args[0] if len(args) == 1 and isinstance(args[0], (tuple, list)) else args
    for x in args:
        must_be(int, name, "dims", x)
    return args


@methods
class Places:
    """Methods of Tensor."""

    def scatter(self, dim, index, src=None, *, value=None, reduce=None):
        if (src is None) == (value is None):
            raise TypeError("scatter(): either src or value is wanted")
        if reduce not in (None, "add"):
            raise NotImplementedError(f"scatter: reduce is None or 'add' here, and not {reduce!r}")
        if isinstance(src, Tensor):
            if src.dtype != self.dtype:
                raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
            if not src.dim():
                src = src.reshape(1)
            if max(1, index.dim()) != src.dim() or any(n > m for n, m in zip(index.shape, src.shape)):
                raise RuntimeError(f"scatter: index {list(index.shape)} is larger than src {list(src.shape)}, or of other dims")
            src = src[tuple(slice(n) for n in index.shape)]
        return self._scatter(dim, index, value if src is None else src, reduce == "add")

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
        if mask.dtype != _bool:
            raise RuntimeError(f"masked_select: a mask is of bools, and not {mask.dtype}")
        self, mask = broadcast_tensors(self, mask)
        return self[mask]

    def flip(self, *places, dims=None):
        if bool(places) == (dims is not None):
            raise TypeError("flip(): the dims are wanted, once")
        dims = _one_list("flip", places or (dims,))
        if len({dim % max(self.dim(), 1) for dim in dims}) < len(dims):
            raise RuntimeError(f"flip: a dim appears twice among {list(dims)}")
        for dim in dims:
            n = self.size(dim)
            self = self.index_select(dim, ids(range(n - 1, -1, -1)))
        return self

    def roll(self, shifts, dims=None):
        if dims is None:
            return self.reshape(-1).roll(shifts, 0).reshape(self.shape)
        shifts, dims = _listed(shifts), _listed(dims)
        if len(shifts) != len(dims):
            raise RuntimeError(f"roll: {len(shifts)} shifts for {len(dims)} dims")
        for shift, dim in zip(shifts, dims):
            n = self.size(dim)
            if n:
                first = n - shift % n
                parts = [self.narrow(dim, first, n - first), self.narrow(dim, 0, first)]
                self = _cat(parts, dim, False)
        return self

    def repeat_interleave(self, repeats=None, dim=None, *, output_size=None):
        if repeats is None:
            return ids(i for i, n in enumerate(self.tolist()) for _ in range(n))
        if dim is None:
            self, dim = self if self.dim() == 1 else self.reshape(-1), 0
        if isinstance(repeats, Tensor) and (repeats.dim() > 1 or repeats.dtype not in (int64, int32)):
            raise RuntimeError(f"repeat_interleave: repeats of {list(repeats.shape)}, {repeats.dtype}, and not a row of int64")
        times = repeats.reshape(-1).tolist() if isinstance(repeats, Tensor) else [repeats]
        if any(n < 0 for n in times):
            raise RuntimeError("repeats can not be negative")
        times = times * self.size(dim) if len(times) == 1 else times
        if len(times) != self.size(dim):
            raise RuntimeError("repeats must have the same size as input along dim")
        return self.index_select(dim, ids(i for i, n in enumerate(times) for _ in range(n)))

    def movedim(self, source, destination):
        source, destination = ([dim_of(self, d) for d in _listed(dims)] for dims in (source, destination))
        if not len(source) == len(destination) == len(set(source)) == len(set(destination)):
            raise RuntimeError(f"movedim: from {source} to {destination}: as many dims of each, none of them twice")
        order = [d for d in range(self.dim()) if d not in source]
        for to, d in sorted(zip(destination, source)):
            order.insert(to, d)
        return self.permute(*order)

    moveaxis = movedim

    def diag(self, diagonal=0):
        if self.dim() == 2:
            return self.diagonal(diagonal).clone()
        if self.dim() != 1:
            raise RuntimeError("matrix or a vector expected")
        y = _zeros((len(self) + abs(diagonal),) * 2, self.dtype)
        y.diagonal(diagonal).copy_(self)
        return y

    def fill_diagonal_(self, fill_value):
        if self.dim() != 2:
            raise RuntimeError(f"fill_diagonal_: of a matrix, not of {list(self.shape)}")
        self.diagonal().fill_(fill_value)
        return self

    def tile(self, *reps, dims=None):
        reps = _one_list("tile", reps if dims is None else (dims,))
        return self.repeat(*(1,) * (self.dim() - len(reps)), *reps)

    def scatter_add(self, dim, index, src):
        return self.scatter(dim, index, src, reduce="add")

    def index_add(self, dim, index, source, *, alpha=1):
        source = source if alpha == 1 else source * _full((), alpha, source.dtype)
        return _along(Tensor.scatter_add, self, dim, index, source)

    def index_fill(self, dim, index, value):
        return _along(_filled, self, dim, index, value, from_end=True)


in_place("scatter", "scatter_add", "index_add", "index_fill", "index_put")


def _in_shape(name):
    """x.NAME_(...): the same tensor, in the shape of x.NAME(...)."""
    of = "view" if name == "resize" else name

    def call(self, *args, **kwargs):
        if self.requires_grad:
            raise RuntimeError(f"{name}_: not of a tensor that requires a gradient, here: x = x.{of}(...)")
        self.data = getattr(self, of)(*args, **kwargs)
        return self
    return titled(call, name + "_")


for _name in "resize squeeze t transpose unsqueeze".split():
    setattr(Tensor, _name + "_", _in_shape(_name))


@shown("TraceBackward0")
def trace(input):
    """The sum of a matrix's diagonal. (A tensor's method of that name is the page of its tape.)"""
    if input.dim() != 2:
        raise RuntimeError("trace: expected a matrix")
    return wide(input).diagonal().sum()
