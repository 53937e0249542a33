"""Methods of Tensor in Python: text, conversions, and torch's argument conventions."""

import builtins
import sys
from copy import deepcopy

import _stepgrad
from _stepgrad import Tensor

from . import grad_fn, printing  # noqa: F401
from .calls import titled
from .debugging import explain, tape, trace

_int64, _bool = _stepgrad.int64, _stepgrad.bool


class device:
    """The CPU: there is no other."""

    def __init__(self, type="cpu", index=None):
        index = getattr(type, "index", index) if not isinstance(type, str) else index
        name, _, number = str(getattr(type, "type", type)).partition(":")
        if name != "cpu":
            raise RuntimeError(f"device '{type}': stepgrad computes on the CPU only")
        self.type, self.index = "cpu", int(number) if number else index

    def __repr__(self):
        return f"device(type='{self.type}')"

    def __str__(self):
        return self.type

    def __eq__(self, other):
        return isinstance(other, device)

    def __hash__(self):
        return hash(self.type)


_stepgrad.dtype.__reduce__ = lambda self: str(self).removeprefix("torch.")  # copied and pickled by its name
cpu = device()
_device = device


class Handle:
    """The result of register_hook: remove() removes the hook."""

    def __init__(self, remove):
        self._remove = remove

    def remove(self):
        self._remove()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._remove()


def method(f):
    """Makes a function of this file a method of Tensor only: many have names of Python's own
    functions."""
    setattr(Tensor, f.__name__, f)
    return getattr(builtins, f.__name__, None)


def methods(**named):
    """The same for several short functions: NAME=function."""
    for name, f in named.items():
        setattr(Tensor, name, titled(f, name) if "<" in getattr(f, "__qualname__", "") else f)


def wide(x):
    """x under autocast, for what is computed in float32 there."""
    return x.float() if _stepgrad._casts() and x.is_floating_point() else x


def dim_of(x, dim):
    """A dimension of x, counted from 0."""
    n = max(1, x.dim())
    if not -n <= dim < n:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {dim})")
    return dim % n


@method
def __repr__(self):
    return printing.text(self)


@method
def __format__(self, spec):
    return format(self.item(), spec) if self.dim() == 0 else object.__format__(self, spec)


@method
def __iter__(self):
    if self.dim() == 0:
        raise TypeError("iteration over a 0-d tensor")
    return iter(self.unbind(0))


@method
def __contains__(self, value):
    if not isinstance(value, (Tensor, int, float)):
        raise RuntimeError(f"Tensor.__contains__ only supports Tensor or scalar, not {value!r}")
    return bool((self == value).any())


@method
def __reversed__(self):
    return self.flip(0) if self.dim() else self


@method
def __array__(self, dtype=None):
    array = self.numpy()
    return array if dtype is None else array.astype(dtype)


# As in torch: NumPy's numbers leave operators to the tensor, and NumPy's functions of tensors
# return tensors.
Tensor.__array_priority__ = 1000


@method
def __array_wrap__(self, array):
    return _stepgrad._from_array(array)


@method
def __deepcopy__(self, memo):
    """Copies of tensors that share memory share memory."""
    if not self.is_leaf:
        raise RuntimeError("deepcopy: only leaves are copied, and this is the output of an op")
    numbers = self._storage()
    place = "storage", numbers.data_ptr()
    memo.setdefault(place, (numbers.clone(), numbers))  # which stay where they are until all is copied
    copy = type(self)(memo[place][0]._in_storage(self.shape, self.stride(), self.storage_offset()))
    copy.requires_grad_(self.requires_grad)
    copy.name = self.name
    copy.grad = deepcopy(self.grad, memo)
    copy.__dict__.update(deepcopy(self.__dict__, memo))
    return copy


@method
def __copy__(self):
    """Another tensor with the same numbers."""
    copy = type(self)(self.detach())
    copy.name = self.name
    return copy.requires_grad_(self.requires_grad)


@method
def __reduce__(self):
    return (_unpickled, (type(self), self._storage().tolist(), str(self.dtype)[6:], tuple(self.shape), self.stride(),
                         self.storage_offset(), self.requires_grad), self.__dict__ or None)


def _unpickled(cls, numbers, dtype, *layout):
    *layout, requires_grad = layout
    x = _stepgrad._tensor(numbers, getattr(_stepgrad, dtype))._in_storage(*layout)
    return cls(x).requires_grad_(requires_grad)


# ---- Conversions


@method
def to(self, *args, dtype=None, device=None, non_blocking=False, copy=False, memory_format=None):
    for x in args:
        if isinstance(x, Tensor):
            dtype = x.dtype
        elif isinstance(x, (_stepgrad.dtype, builtins.type)):
            dtype = x
        elif isinstance(x, (str, int, _device)) and not isinstance(x, bool):
            device = x if not isinstance(x, int) else f"cuda:{x}"
    if device is not None:
        _device(device)
    y = self if dtype is None else self._typed(dtype)
    return y.clone() if copy and y is self else y


@method
def type(self, dtype=None, non_blocking=False):  # noqa: A001
    if dtype is None:
        return f"torch.{self.type_name()}Tensor"
    if isinstance(dtype, str):
        name, dtype = dtype, getattr(sys.modules["torch"], dtype.rpartition(".")[2], None)
        if dtype is None:
            raise ValueError(f"invalid type: '{name}'")
    return self._typed(getattr(dtype, "dtype", dtype))


DTYPES = {"Float": _stepgrad.float32, "Long": _int64, "Int": _stepgrad.int32, "Bool": _bool, "Half": _stepgrad.float16,
          "BFloat16": _stepgrad.bfloat16, "Byte": _stepgrad.uint8, "Char": _stepgrad.int8, "Short": _stepgrad.int16}
for _name, _dtype in DTYPES.items():
    if _name not in ("Char", "Short"):
        methods(**{_name.lower(): lambda self, memory_format=None, _dtype=_dtype: self._typed(_dtype)})

Tensor.device = property(lambda self: cpu)
Tensor.is_cuda = False
Tensor.cpu = lambda self, *options, **named: self
Tensor.pin_memory = Tensor.__pos__ = lambda self: self
Tensor.is_sparse = False
Tensor.layout = "torch.strided"
Tensor.get_device = lambda self: -1
Tensor.__abs__ = lambda self: self.abs()
Tensor.nelement = Tensor.numel
methods(element_size=lambda self: self.dtype.itemsize, type_as=lambda self, other: self._typed(other.dtype))
Tensor.tape, Tensor.explain, Tensor.trace = tape, explain, trace


@method
def set_name(self, name):
    self.name = name
    return self


@method
def register_hook(self, hook):
    """As torch's, but one backward runs at a time: a hook that waits for another thread's waits for ever."""
    return Handle(self._register_hook(hook))


Tensor.grad = Tensor.grad.deleter(lambda x: setattr(x, "grad", None))


# ---- Comparisons as a whole, and other names


@method
def equal(self, other):
    if not isinstance(other, Tensor):
        raise TypeError(f"equal(): argument 'other' must be Tensor, not {other!r}")
    return self.shape == other.shape and bool((self == other).all())


@method
def allclose(self, other, rtol=1e-5, atol=1e-8, equal_nan=False):
    if self.dtype != other.dtype:
        raise RuntimeError(f"{self.type_name()} did not match {other.type_name()}")
    if equal_nan:
        both = self.isnan() & other.isnan()
        self, other = self.masked_fill(both, 0), other.masked_fill(both, 0)
    return _stepgrad._allclose(self, other, rtol, atol)


def _transposed(self):
    if self.dim() < 2:
        raise RuntimeError(f"mT: only of matrices or batches of them, not of {self.dim()}-D tensors")
    return self.transpose(-1, -2)


Tensor.mT = property(_transposed)
Tensor.swapaxes = lambda self, axis0, axis1: self.transpose(axis0, axis1)
Tensor.where = lambda self, condition, other: _stepgrad._where(condition, self, other)
Tensor.logical_and = lambda self, other: self.bool() & other.bool()
