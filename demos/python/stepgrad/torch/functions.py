"""torch.NAME(x, ...) for methods x.NAME(...), and functions of several tensors."""

import math

import _stepgrad
from _stepgrad import Tensor

from stepgrad import algebra, places
from stepgrad.calls import kinds_of, lenient, must_be
from stepgrad.tensor import on_cpu as _on_cpu

# Methods that are no functions in torch, or others below or elsewhere.
_only_methods = """backward bernoulli bfloat16 bool byte char contiguous cpu cuda data_ptr dim element_size expand
expand_as explain float get_device half index_add index_fill index_put int is_contiguous item long multinomial nelement
new_empty new_full new_ones new_tensor new_zeros numpy permute pin_memory pow register_hook
register_post_accumulate_grad_hook repeat reshape retain_grad
set_name short size storage_offset stride tape to tolist trace type type_as type_name unflatten view view_as
where""".split()
_methods = [name for name in dir(Tensor) if callable(getattr(Tensor, name)) and name not in _only_methods
    and not (name.startswith("_") or name.endswith("_"))]
_several = "cat cdist concat einsum hstack meshgrid stack tensordot vstack".split()
__all__ = _methods + _several + "finfo inf is_tensor permute pi pow reshape set_default_device set_default_dtype trace where".split()
inf, pi, trace = math.inf, math.pi, lenient(places.trace)

_by_dim = "all amax amin any cumsum gather max mean min narrow norm squeeze std sum unsqueeze var".split()
for _name in dir(Tensor):
    if _name in _by_dim or _name[0] != "_" and kinds_of(getattr(Tensor, _name)):
        setattr(Tensor, _name, lenient(getattr(Tensor, _name), False))
for _name in _methods:
    globals()[_name] = lenient(getattr(Tensor, _name))
for _name in _several:
    globals()[_name] = getattr(algebra, _name)


# These take a tuple; as methods they also take its numbers one by one.
@lenient
def flip(input, dims):
    return input.flip(dims)


@lenient
def permute(input, dims):
    return input.permute(*dims)


@lenient
def reshape(input, shape):
    return input.reshape(shape)


@lenient
def tile(input, dims):
    return input.tile(dims)


@lenient
def split(tensor, split_size_or_sections, dim=0):
    return tensor.split(split_size_or_sections, dim)


def pow(input, exponent, *, out=None):
    if not isinstance(exponent, Tensor):
        must_be(Tensor, "pow", "input", input)
        must_be(float, "pow", "exponent", exponent)
    y = input**exponent
    if not isinstance(input, Tensor):
        _stepgrad._show_as(y, "PowBackward2", exponent)
    return y if out is None else out.copy_(y)


def where(condition, input=None, other=None, *, x=None, y=None):
    if input is None and x is None and other is None and y is None:
        return nonzero(condition, as_tuple=True)  # noqa: F821
    return _stepgrad._where(condition, x if input is None else input, y if other is None else other)


def is_tensor(obj):
    return isinstance(obj, Tensor)


def set_default_device(device):
    """The CPU; another is refused."""
    _on_cpu(device or "cpu")


def set_default_dtype(d):
    if d is not _stepgrad.float32:
        raise NotImplementedError(f"set_default_dtype: {d}: the engine's numbers are float32")


# ---- What numbers a dtype has


class finfo:
    """eps, the largest and the smallest number of a floating dtype."""

    _bits = {"float32": (32, 23, 127), "float16": (16, 10, 15), "bfloat16": (16, 7, 127)}

    def __init__(self, type=_stepgrad.float32):
        if not type.is_floating_point:
            raise TypeError(f"torch.finfo is of floating point types, not of '{type}'")
        self.dtype = str(type)[6:]
        self.bits, digits, highest = self._bits[self.dtype]
        self.eps = 2.0**-digits
        self.max = (2 - self.eps) * 2.0**highest
        self.min, self.tiny = -self.max, 2.0 ** (1 - highest)
        self.smallest_normal = self.tiny
        self.resolution = {23: 1e-6, 10: 1e-3, 7: 1e-2}[digits]
