"""Methods of Tensor in Python: text, conversions, and torch's argument conventions."""

import builtins
import operator
import sys
from copy import deepcopy

import _stepgrad
from _stepgrad import Tensor

from . import grad_fn, printing
from .calls import titled
from .debugging import explain, tape, trace

_int64, _bool = _stepgrad.int64, _stepgrad.bool


class device:
    """torch.device. Tensors are on the CPU: on_cpu() refuses others."""

    def __init__(self, type, index=None):
        if isinstance(type, device):
            type, index = type.type, type.index
        elif _is_whole(type):
            type, index = "cuda", type
        if not isinstance(type, str) or not (index is None or _is_whole(index)):
            raise TypeError(f"device() takes a name and a number, and not {type!r}, {index!r}")
        self.type, colon, number = type.partition(":")
        if self.type not in ("cpu", "cuda", "meta", "mps", "xpu") or colon and not number.isdecimal():
            raise RuntimeError(f"device(): there is no '{type}'")
        self.index = int(number) if colon else index

    def __repr__(self):
        return f"device(type='{self.type}'{'' if self.index is None else f', index={self.index}'})"

    def __str__(self):
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other):
        return isinstance(other, device) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))


def _is_whole(x):
    return isinstance(x, int) and not isinstance(x, bool)


def on_cpu(x):
    """Refuses any other device."""
    found = device(x)
    if found.type != "cpu":  # as torch without CUDA does
        raise (AssertionError if found.type == "cuda" else RuntimeError)(f"device '{found}': stepgrad computes on the CPU only")


def _name(dtype):
    return str(dtype).removeprefix("torch.")


_stepgrad.dtype.__reduce__ = _name  # copied and pickled by it
cpu = device("cpu")
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


def methods(cls):
    """Makes the functions and properties of a class those of Tensor. Many have names of Python's own functions."""
    for name, f in vars(cls).items():
        if name not in ("__dict__", "__weakref__") and (callable(f) or isinstance(f, property)):
            setattr(Tensor, name, titled(f, name) if getattr(f, "__name__", "") == "call" else f)


def unseen(condition):
    """bool(condition()), asked by the face itself: a live page is not told that numbers were read."""
    with _stepgrad._Unshown():
        return bool(condition())


def wide(x):
    """x under autocast, for what is computed in float32 there."""
    return x.float() if _stepgrad._casts() and x.is_floating_point() else x


def dim_of(x, dim):
    """A dimension of x, counted from 0."""
    if isinstance(dim, bool):
        raise TypeError("a bool is no dimension")
    n, dim = max(1, x.dim()), operator.index(dim)
    if not -n <= dim < n:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {dim})")
    return dim % n


def check_close(x, y, rtol, atol):
    if x.dtype != y.dtype:
        raise RuntimeError(f"{x.type_name()} did not match {y.type_name()}")
    if rtol < 0 or atol < 0:
        raise RuntimeError(f"allclose, isclose: a tolerance is not negative, as {min(rtol, atol)}")


# As in torch: NumPy's numbers leave operators to the tensor, and NumPy's functions of tensors
# return tensors.
Tensor.__array_priority__ = 1000


def _unpickled(cls, numbers, dtype, *layout):
    *layout, requires_grad = layout
    x = _stepgrad._tensor(numbers, getattr(_stepgrad, dtype))._in_storage(*layout)
    return cls(x).requires_grad_(requires_grad)


DTYPES = {"Float": _stepgrad.float32, "Long": _int64, "Int": _stepgrad.int32, "Bool": _bool, "Half": _stepgrad.float16,
    "BFloat16": _stepgrad.bfloat16, "Byte": _stepgrad.uint8, "Char": _stepgrad.int8, "Short": _stepgrad.int16}
Tensor.is_cuda = Tensor.is_sparse = False
Tensor.layout, Tensor.nelement = "torch.strided", Tensor.numel
Tensor.tape, Tensor.explain, Tensor.trace = tape, explain, trace


def _as(name, dtype):
    def typed(self, *, memory_format=None):
        return self._to(dtype)
    return titled(typed, name)


@methods
class Methods:
    """Of Tensor: text, conversions, copies."""

    def __repr__(self):
        return printing.text(self)

    def __format__(self, spec):
        return format(self.item(), spec) if self.dim() == 0 else object.__format__(self, spec)

    def __iter__(self):
        if self.dim() == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __contains__(self, value):
        if not isinstance(value, (Tensor, int, float)):
            raise RuntimeError(f"Tensor.__contains__ only supports Tensor or scalar, not {value!r}")
        return bool((self == value).any())

    def __reversed__(self):
        return self.flip(0) if self.dim() else self

    def __array__(self, dtype=None):
        array = self.numpy()
        return array if dtype is None else array.astype(dtype)

    def __array_wrap__(self, array):
        return _stepgrad._from_array(array)

    def __deepcopy__(self, memo):
        """Copies of tensors that share memory share memory."""
        if not self.is_leaf:
            raise RuntimeError("deepcopy: only leaves are copied, and this is the output of an op")
        self._tell_read("deepcopy()")
        numbers = self._storage()
        place = "storage", numbers.data_ptr()
        memo.setdefault(place, (numbers.clone(), numbers))  # which stay where they are until all is copied
        copy = type(self)(memo[place][0]._in_storage(self.shape, self.stride(), self.storage_offset()))
        copy.requires_grad_(self.requires_grad)
        copy.name = self.name
        copy.grad = deepcopy(self.grad, memo)
        copy.__dict__.update(deepcopy(self.__dict__, memo))
        return copy

    def __copy__(self):
        """Another tensor with the same numbers."""
        copy = type(self)(self.detach())
        copy.name = self.name
        return copy.requires_grad_(self.requires_grad)

    def __reduce__(self):
        return (_unpickled, (type(self), self._storage().tolist(), str(self.dtype)[6:], tuple(self.shape), self.stride(),
            self.storage_offset(), self.requires_grad), self.__dict__ or None)

    def to(self, *args, dtype=None, device=None, non_blocking=False, copy=False, memory_format=None):
        for x in args:
            if isinstance(x, Tensor):
                dtype = x.dtype
            elif isinstance(x, (_stepgrad.dtype, builtins.type)) and dtype is None:
                dtype = x
            elif isinstance(x, (str, int, _device)) and not isinstance(x, bool) and device is None:
                device = x
            elif x is not None and not isinstance(x, bool):
                raise TypeError(f"to() does not take {args}")
        if device is not None:
            on_cpu(device)
        y = self if dtype is None else self._to(dtype)
        return y.clone() if copy and y is self else y

    def type(self, dtype=None, non_blocking=False):
        if dtype is None:
            return f"torch.{self.type_name()}Tensor"
        if isinstance(dtype, Tensor):
            raise TypeError("type(): a tensor is no dtype")
        if isinstance(dtype, str):
            name, dtype = dtype, getattr(sys.modules["torch"], dtype.rpartition(".")[2], None)
            if dtype is None:
                raise ValueError(f"invalid type: '{name}'")
        return self._to(getattr(dtype, "dtype", dtype))

    def set_name(self, name):
        self.name = name
        return self

    def register_hook(self, hook):
        """As torch's, but one backward runs at a time: a hook that waits for another thread's waits for ever."""
        return Handle(self._register_hook(hook))

    def equal(self, other):
        return self.shape == other.shape and bool((self == other).all())

    def allclose(self, other, rtol=1e-5, atol=1e-8, equal_nan=False):
        check_close(self, other, rtol, atol)
        if equal_nan:
            both = self.isnan() & other.isnan()
            self, other = self.masked_fill(both, 0), other.masked_fill(both, 0)
        return _stepgrad._allclose(self, other, rtol, atol)

    float, half, bfloat16, long = map(_as, ("float", "half", "bfloat16", "long"), (
        _stepgrad.float32, _stepgrad.float16, _stepgrad.bfloat16, _int64))
    int, bool, byte, short = map(_as, ("int", "bool", "byte", "short"), (
        _stepgrad.int32, _bool, _stepgrad.uint8, _stepgrad.int16))

    def type_as(self, other):
        return self._to(other.dtype)

    def element_size(self):
        return self.dtype.itemsize

    def cpu(self, *, memory_format=None):
        return self

    def cuda(self, device=None, non_blocking=False, memory_format=None):
        on_cpu("cuda")

    def pin_memory(self):
        return self

    def __pos__(self):
        return self

    def __abs__(self):
        return self.abs()

    def get_device(self):
        return -1

    @property
    def device(self):
        return cpu

    @property
    def mT(self):
        if self.dim() < 2:
            raise RuntimeError(f"mT: only of matrices or batches of them, not of {self.dim()}-D tensors")
        return self.transpose(-1, -2)

    @Tensor.grad.deleter
    def grad(self):
        self.grad = None

    def swapaxes(self, axis0, axis1):
        return self.transpose(axis0, axis1)

    def where(self, condition, other):
        return _stepgrad._where(condition, self, other)

    def logical_and(self, other):
        return self.bool() & other.bool()

    def logical_or(self, other):
        return self.bool() | other.bool()
