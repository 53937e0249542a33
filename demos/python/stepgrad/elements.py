"""Elementwise functions made of others, and in-place variants."""

import math
import operator

import _stepgrad
from _stepgrad import Tensor

from .calls import check_tensors
from .grad_fn import shown
from .tensor import check_close, methods


def _tensor(x):
    return x if isinstance(x, Tensor) else _stepgrad._tensor(x, None)


def floats(x):
    return x if x.is_floating_point() else x.float()


_round, _div_ = Tensor.round, Tensor.div_


def in_place(*names):
    """x.NAME_(...): x becomes x.NAME(...), with its history."""
    def made(name):
        def call(self, *args, **kwargs):
            return self._become(name + "_", getattr(Tensor, name)(self._before(name + "_"), *args, **kwargs))
        return call

    for name in names:
        setattr(Tensor, name + "_", made(name))


def _old_order(combined, of_whole=True):
    """x + value a·b or x + value a/b. Before PyTorch 1.5 `value` came first."""
    def call(self, tensor1, tensor2, last=None, *, value=1):
        if last is not None:
            value, tensor1, tensor2 = tensor1, tensor2, last
        check_tensors("addcmul, addcdiv", tensor1, tensor2)
        value, dtype = 1 * value, _stepgrad._result_type(self, tensor1, tensor2)  # of a bool 1
        of_floats = tensor1.is_floating_point() or tensor2.is_floating_point()
        if dtype == _stepgrad.bool or not (of_floats or of_whole):
            raise RuntimeError(f"{'addcmul' if of_whole else 'addcdiv'}: not of {tensor1.dtype} and {tensor2.dtype}")
        tensor1, tensor2 = tensor1.to(dtype), tensor2.to(dtype)
        if not dtype.is_floating_point:
            return self.add(combined(tensor1, tensor2), alpha=value)
        nothing = _stepgrad._tensor(-0.0, dtype)  # x + -0 is x
        return self + combined(nothing.add(tensor1, alpha=value), tensor2)
    return call


@shown("DivBackward2", "x", "other")
def _rounded(x, other, rounding_mode):
    if rounding_mode not in ("floor", "trunc"):
        raise RuntimeError(f"div: rounding_mode is None, 'trunc' or 'floor', and not '{rounding_mode}'")
    by = _tensor(other).detach() if isinstance(other, Tensor) else other
    floor = x.detach().floor_divide(by)  # or ZeroDivisionError
    y = floor if rounding_mode == "floor" else x.detach().true_divide(by).trunc()
    if not (x.is_floating_point() or _tensor(other).is_floating_point()):
        return y.to(_stepgrad._result_type(x, by))
    for operand in (x, other):  # a step function: its gradient is 0
        if isinstance(operand, Tensor) and operand.requires_grad:
            y = y - operand.masked_fill(_tensor(True), 0)
    return y


@methods
class Elements:
    """Methods of Tensor."""

    def div(self, other, *, rounding_mode=None):
        return Tensor.true_divide(self, other) if rounding_mode is None else _rounded(self, other, rounding_mode)

    def xlogy(self, other):
        """x log y, and 0 where x is 0 and the logarithm would be infinite."""
        dtype = _stepgrad._result_type(self, other)
        y = floats(_tensor(other)).to(dtype if dtype.is_floating_point else None)
        return self * y.log().masked_fill((self == 0) & ((y <= 0) | y.isinf()), 0.0)

    def nan_to_num(self, nan=None, posinf=None, neginf=None):
        if not self.is_floating_point():
            return self.clone()
        y, most = self.detach(), self.dtype._most
        for found, value in ((y.isnan(), nan or 0), (y == math.inf, most if posinf is None else posinf),
                (y == -math.inf, -most if neginf is None else neginf)):
            y = y.masked_fill(found, _stepgrad._tensor(_stepgrad._number(value), y.dtype))
        if not self.requires_grad:
            return y
        kept, finite = self.clone(), self.isfinite()
        with _stepgrad._NoGrad():
            kept.copy_(y.masked_fill(~finite, 0))
        return kept * finite + y.masked_fill(finite, -0.0)  # its gradient is dY times 0 or 1

    addcmul = _old_order(operator.mul)
    addcdiv = _old_order(operator.truediv, of_whole=False)

    def reciprocal(self):
        return 1 / self

    def round(self, *, decimals=None):
        if decimals is not None:
            _stepgrad._check_floating("round", self)
        return _round(self * 10.0**decimals) / 10.0**decimals if decimals else _round(self)

    def isclose(self, other, rtol=1e-5, atol=1e-8, equal_nan=False):
        check_close(self, other, rtol, atol)
        near = (self - other).abs() <= atol + rtol * other.abs()
        return (self == other) | near & other.isfinite() | self.isnan() & other.isnan() & equal_nan

    def lerp(self, end, weight):
        _stepgrad._check_floating("lerp", self)
        way = end - self
        near, far = self + weight * way, end - way * (1 - weight)
        if isinstance(weight, Tensor):
            return _stepgrad._where(weight.abs() < 0.5, near, far)
        return near if abs(weight) < 0.5 else far

    def clamp_min(self, min):
        return self.clamp(min)

    def clamp_max(self, max):
        return self.clamp(None, max)

    def div_(self, other, *, rounding_mode=None):
        if rounding_mode is None:
            return _div_(self, other)
        return self._become("div_", self._before("div_").div(other, rounding_mode=rounding_mode))


Tensor.clip = Tensor.clamp
for _names in "absolute=abs negative=neg less=lt not_equal=ne arctan=atan arcsin=asin arccos=acos".split():
    setattr(Tensor, _names.split("=")[0], getattr(Tensor, _names.split("=")[1]))


in_place(*_stepgrad._ops_of_each_element,
    *"addcdiv addcmul clamp lerp masked_fill reciprocal round".split())
