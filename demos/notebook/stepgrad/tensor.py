"""What of Tensor is written in Python: text, conversions, and torch's habits about arguments."""

import builtins

import _stepgrad
from _stepgrad import Tensor

from . import printing
from .debugging import explain, tape, trace

_int64, _int32, _bool = _stepgrad.int64, _stepgrad.int32, _stepgrad.bool
_float32, _float16, _bfloat16 = _stepgrad.float32, _stepgrad.float16, _stepgrad.bfloat16


class device:
    """The CPU: there is no other."""

    def __init__(self, type="cpu", index=None):
        type = getattr(type, "type", type)
        if str(type).split(":")[0] != "cpu":
            raise RuntimeError(f"device '{type}': stepgrad computes on the CPU only")
        self.type, self.index = "cpu", index

    def __repr__(self):
        return f"device(type='{self.type}')"

    def __str__(self):
        return self.type

    def __eq__(self, other):
        return isinstance(other, device)

    def __hash__(self):
        return hash(self.type)


cpu = device()


class Handle:
    """What register_hook returns: remove() takes the hook off."""

    def __init__(self, remove):
        self.remove = remove


def method(f):
    """Makes a function of this file a method of Tensor, and nothing else: many are named as
    Python's own."""
    setattr(Tensor, f.__name__, f)
    return getattr(builtins, f.__name__, None)


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
    return bool((self == value).any())


@method
def __array__(self, dtype=None):
    array = self.numpy()
    return array if dtype is None else array.astype(dtype)


@method
def __dlpack__(self, stream=None):
    return self.detach().numpy().__dlpack__()


@method
def __dlpack_device__(self):
    return (1, 0)  # kDLCPU


@method
def __deepcopy__(self, memo):
    if not self.is_leaf:
        raise RuntimeError("deepcopy: only leaves are copied, and this is the output of an op")
    copy = type(self)(self.detach().clone())
    copy.requires_grad_(self.requires_grad)
    copy.name = self.name
    if self.grad is not None:
        copy.grad = self.grad.clone()
    memo[id(self)] = copy
    return copy


@method
def __reduce__(self):
    return (_unpickled, (type(self), self.tolist(), str(self.dtype)[6:], self.requires_grad))


def _unpickled(cls, values, dtype, requires_grad):
    x = cls(_stepgrad._tensor(values, getattr(_stepgrad, dtype)))
    return x.requires_grad_(requires_grad)


# ---- Conversions ---------------------------------------------------------------------------------


@method
def to(self, *args, **kwargs):
    dtype = kwargs.get("dtype")
    for x in args:
        if isinstance(x, _stepgrad.dtype):
            dtype = x
        elif isinstance(x, Tensor):
            dtype = x.dtype
        elif isinstance(x, (str, device)):
            device(x)
    if kwargs.get("device") is not None:
        device(kwargs["device"])
    return self if dtype is None else self._typed(dtype)


@method
def type(self, dtype=None):  # noqa: A001
    if dtype is None:
        return f"torch.{self.type_name()}Tensor"
    return self._typed(dtype)


for _name, _dtype in {
    "float": _float32, "long": _int64, "int": _int32, "bool": _bool, "half": _float16,
    "bfloat16": _bfloat16,
}.items():
    setattr(Tensor, _name, lambda self, _dtype=_dtype: self._typed(_dtype))

Tensor.device = property(lambda self: cpu)
Tensor.is_cuda = False
Tensor.__abs__ = lambda self: self.abs()
Tensor.cpu = Tensor.contiguous = Tensor.__pos__ = lambda self: self
Tensor.is_contiguous = lambda self: True
Tensor.nelement = Tensor.numel
Tensor.element_size = lambda self: self.dtype.itemsize
Tensor.type_as = lambda self, other: self._typed(other.dtype)
Tensor.new_zeros = lambda self, *sizes: _stepgrad._zeros(_sizes(sizes), self.dtype)
Tensor.new_ones = lambda self, *sizes: _stepgrad._ones(_sizes(sizes), self.dtype)
Tensor.new_tensor = lambda self, data: _stepgrad._tensor(data, self.dtype)
Tensor.tape, Tensor.explain, Tensor.trace = tape, explain, trace


def _sizes(sizes):
    return sizes[0] if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes


@method
def set_name(self, name):
    self.name = name
    return self


@method
def register_hook(self, hook):
    number = self._register_hook(hook)
    return Handle(lambda: self.requires_grad and self._remove_hook(number))


class _GradFn:
    """The node that made a tensor, by name."""

    def __init__(self, name):
        self._name = name

    def name(self):
        return self._name

    def __repr__(self):
        return f"<{self._name}>"


Tensor.grad_fn = property(lambda x: x._grad_name and _GradFn(x._grad_name))


# ---- Comparisons as a whole, and other names ------------------------------------------------------


@method
def equal(self, other):
    return self.shape == other.shape and bool((self == other).all())


@method
def allclose(self, other, rtol=1e-5, atol=1e-8, equal_nan=False):
    a, b = self.float(), other.float()
    close = (a == b) | ((a - b).abs() <= atol + rtol * b.abs())
    if equal_nan:
        close = close | (a.isnan() & b.isnan())
    return bool(close.all())


@method
def addmm(self, a, b):
    return self + a.matmul(b)


@method
def uniform_(self, low=0.0, high=1.0):
    with _stepgrad._NoGrad():
        return self.copy_(_stepgrad._rand(self.shape, _float32) * (high - low) + low)


@method
def normal_(self, mean=0.0, std=1.0):
    with _stepgrad._NoGrad():
        return self.copy_(_stepgrad._randn(self.shape, _float32) * std + mean)


Tensor.mm = Tensor.bmm = Tensor.matmul
Tensor.swapaxes = Tensor.transpose
Tensor.where = lambda self, mask, other: _stepgrad._where(mask, self, other)
Tensor.mT = property(lambda self: self.transpose(-1, -2))
Tensor.logical_and = lambda self, other: self.bool() & other.bool()
Tensor.logical_or = lambda self, other: self.bool() | other.bool()
