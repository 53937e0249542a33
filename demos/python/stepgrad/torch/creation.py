"""New tensors."""

import math
import sys
import warnings

import _stepgrad
from _stepgrad import Tensor, bool as _bool, float32, int64, _arange, _empty, _eye, _from_array, _full, _number, _tensor

from stepgrad.calls import lenient, titled
from stepgrad.tensor import DTYPES, on_cpu

from .random import drawing

__all__ = """tensor as_tensor from_numpy zeros ones empty full rand randn arange linspace eye zeros_like ones_like
empty_like full_like rand_like randn_like get_default_dtype""".split() + [
    name + "Tensor" for name in DTYPES]


def as_asked(dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False,
              memory_format=None, **wrong):
    """The common options of torch's factory functions: dtype, requires_grad and so on. There is one
    device and one layout."""
    if wrong:
        raise TypeError(f"{sys._getframe(1).f_code.co_name}() got an unexpected keyword argument '{next(iter(wrong))}'")
    if not (dtype is None or isinstance(dtype, (_stepgrad.dtype, type))) or not isinstance(requires_grad, (bool, type(None))):
        raise TypeError(f"{sys._getframe(1).f_code.co_name}(): dtype={dtype}, requires_grad={requires_grad}")
    if device is not None:
        on_cpu(device)
    return dtype, Tensor.requires_grad_ if requires_grad else _as_it_is


def _as_it_is(x):
    return x


def _sizes(sizes):
    return sizes[0] if len(sizes) == 1 else sizes


def tensor(data, *, dtype=None, **options):
    dtype, finish = as_asked(dtype, **options)
    if isinstance(data, Tensor):
        warnings.warn("torch.tensor(x) of a tensor: x.clone().detach() says what it does", stacklevel=2)
        data = data.detach().clone()  # which a live page follows
        return finish(data if dtype is None else data._to(dtype))
    return finish(_tensor(data, dtype))


def as_tensor(data, *, dtype=None, device=None):
    if isinstance(data, Tensor):
        return data.to(dtype=dtype, device=device)
    if type(data).__name__ == "ndarray" and (dtype is None or f"torch.{data.dtype}" == str(dtype)):
        return from_numpy(data)
    return tensor(data, dtype=dtype, device=device)


def from_numpy(array):
    if type(array).__name__ not in ("ndarray", "memmap"):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    if any(step < 0 for step in array.strides):
        raise ValueError("from_numpy: a stride of this array is negative, which no tensor has: use array.copy()")
    base = array.base
    if array.dtype == "float32" == getattr(base, "dtype", None) and not array.flags.c_contiguous and \
            base.flags.c_contiguous:  # x.T, x[::2] share, too
        begin = array.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        return _from_array(base.reshape(-1)).as_strided(
            array.shape, [step // 4 for step in array.strides], begin // 4)
    if array.dtype == "float32" and array.flags.fnc:  # Fortran's order
        return _from_array(array.T).permute(*reversed(range(array.ndim)))
    if array.dtype not in ("float32", "float64") or array.dtype == "float32" and not array.flags.c_contiguous:
        _stepgrad._warn_of_copy("from_numpy()")
    return _from_array(array)


def get_default_dtype():
    return float32


# ---- Of a size, and like another


def _maker(name):
    make = getattr(_stepgrad, "_" + name)

    def function(*size, generator=None, **options):
        if bool(size) == ("size" in options):
            raise TypeError(f"{name}(): one size is wanted")
        size = _sizes((options.pop("size"),) if "size" in options else size)
        dtype, finish = as_asked(**options)
        if drawn and dtype not in (None, float32):
            check_drawn(dtype)
        with drawing(generator):
            return finish(make(size, dtype or float32))

    drawn = name.startswith("rand")
    return titled(function, name)


def check_drawn(dtype):
    if not getattr(dtype, "is_floating_point", False):
        raise RuntimeError(f"random numbers are not drawn as {dtype}")


zeros, ones, empty, rand, randn = map(_maker, ["zeros", "ones", "empty", "rand", "randn"])


def _like(name):
    make = getattr(_stepgrad, "_" + name)

    def function(input, *, dtype=None, **options):
        dtype, finish = as_asked(input.dtype if dtype is None else dtype, **options)
        if name.startswith("rand"):
            check_drawn(dtype)
        return finish(make(input.shape, dtype))

    return lenient(titled(function, name + "_like"))


zeros_like, ones_like, empty_like, rand_like, randn_like = map(_like, ["zeros", "ones", "empty", "rand", "randn"])


def _type_of(value):
    if isinstance(value, Tensor):
        return value.dtype
    whole = isinstance(value, int) or getattr(getattr(value, "dtype", None), "kind", "") in ("i", "u")  # NumPy's
    return _bool if isinstance(value, bool) else int64 if whole else float32


def full(size, fill_value, *, dtype=None, **options):
    if not isinstance(size, (tuple, list)):
        raise TypeError(f"full: a size is a tuple of whole numbers, and not {size}")
    dtype, finish = as_asked(_type_of(fill_value) if dtype is None else dtype, **options)
    return finish(_full(size, fill_value, dtype))


@lenient
def full_like(input, fill_value, *, dtype=None, **options):
    return full(input.shape, fill_value, dtype=input.dtype if dtype is None else dtype, **options)


def _new(make):
    def new(self, *size, dtype=None, **options):
        return make(*size, dtype=self.dtype if dtype is None else dtype, **options)
    return titled(new, "new_" + make.__name__)


for _make in (zeros, ones, empty, full, tensor):  # tensors of the dtype of another
    setattr(Tensor, "new_" + _make.__name__, _new(_make))


# ---- In steps


def _whole(*numbers):
    return all(_type_of(x) in (int64, _bool) for x in numbers)


def _check_steps(dtype):
    if dtype == _bool:
        raise RuntimeError("arange and linspace are not implemented for 'Bool'")


def arange(*bounds, dtype=None, **options):
    """arange(end), or arange(start, end[, step])"""
    named = {name: options.pop(name) for name in ("start", "end", "step") if name in options}
    names = ["end"] if len(bounds) == 1 and not named else ["start", "end", "step"]
    given = {**dict(zip(names, bounds)), **named}
    start, end, step = {"start": None if "step" in given else 0, "end": None, "step": 1, **given}.values()
    if len(given) < len(bounds) + len(named) or any(x is None for x in (start, end, step)):
        raise TypeError(f"arange(): wanted are end, or start, end[, step], each once, and not {bounds}, {named}")
    if dtype is None:
        dtype = int64 if _whole(start, end, step) else float32
    dtype, finish = as_asked(dtype, **options)
    _check_steps(dtype)
    if not getattr(dtype, "is_floating_point", False):
        start, end, step = (int(_number(x)) for x in (start, end, step))
    return finish(_arange(start, end, step, dtype))


def inclusive(start, end, step=1, **options):
    """torch.range, which ends at `end`."""
    n = math.floor((end - start) / step) if step else -1
    if n < 0:
        raise RuntimeError(f"range: no number from {start} to {end} in steps of {step}")
    return linspace(start, start + n * step, n + 1, **options)


def linspace(start, end, steps, *, dtype=None, **options):
    dtype, finish = as_asked(float32 if dtype is None else dtype, **options)
    _check_steps(dtype)
    start, end = (_full((), x, dtype) for x in (start, end if steps != 1 else start))
    return finish(_stepgrad._linspace(start, end, steps)._to(dtype))


def eye(n, m=None, *, dtype=None, **options):
    dtype, finish = as_asked(dtype, **options)
    return finish(_eye(n, n if m is None else m)._to(dtype or float32))


# ---- By the names of their types


class _Typed(type):
    """torch.LongTensor and the like: make tensors of their dtype; isinstance() works."""

    def __call__(cls, *data, device="cpu"):
        on_cpu(device)
        if len(data) == 1 and not isinstance(data[0], int):
            return _tensor(data[0], cls.dtype)
        return _empty(data, cls.dtype)

    def __instancecheck__(cls, x):
        return isinstance(x, Tensor) and x.dtype == cls.dtype


for _name in DTYPES:
    globals()[_name + "Tensor"] = _Typed(_name + "Tensor", (), {"dtype": DTYPES[_name], "__module__": "torch"})
