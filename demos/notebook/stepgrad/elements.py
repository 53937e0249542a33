"""Functions of each element, made of those that are there; and all that is in place."""

import math

import _stepgrad
from _stepgrad import Tensor, _where

from .algebra import broadcast_tensors
from .tensor import method, methods


def _tensor(x):
    return x if isinstance(x, Tensor) else _stepgrad._tensor(x, None)


_round, _div_ = Tensor.round, Tensor.div_


@method
def div(self, other, *, rounding_mode=None):
    if rounding_mode is None:
        return Tensor.true_divide(self, other)
    whole = not (self.is_floating_point() or _tensor(other).is_floating_point())
    if rounding_mode == "floor":
        if whole:
            return self.floor_divide(other)
        y, times = self.true_divide(other).floor(), self.detach().floor_divide(_tensor(other).detach())
        return _where(y == times, y, times)
    if rounding_mode != "trunc":
        raise RuntimeError("div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
                           f"'{rounding_mode}'")
    return (self - self.fmod(other)).floor_divide(other) if whole else self.true_divide(other).trunc()


@method
def fmod(self, other):
    """The rest that has the sign of what is divided."""
    other = _tensor(other).abs()
    return _where(self < 0, -(-self % other), self % other)


@method
def atan2(self, other):
    """The angle of (other, self) with the x axis; by the quotient of the smaller one by the larger one."""
    other, flat = _tensor(other), self.abs() <= _tensor(other).abs()
    small, large = _where(flat, self, -other), _where(flat, other, self)
    straight = _where(self < 0, -math.pi, math.pi)
    turned = _where(flat, _where(other < 0, straight, 0.0), straight / 2)
    return (small / large.masked_fill(large == 0, 1)).atan() + turned.to(small.dtype)


@method
def logaddexp(self, other):
    endless = self.isinf() | other.isinf()
    apart = (self - other).masked_fill(endless, 0)
    return _where(endless, self.maximum(other), other + _stepgrad._softplus(apart, 1, 20))


def _old_order(add):
    """Before PyTorch 1.5 the value came first."""
    def call(self, tensor1, tensor2, last=None, *, value=1):
        if last is not None:
            value, tensor1, tensor2 = tensor1, tensor2, last
        return add(self, tensor1, tensor2, value)
    return call


@method
def nan_to_num(self, nan=0.0, posinf=None, neginf=None):
    if not self.is_floating_point():
        return self.clone()
    most = self.dtype._most
    for found, value in ((self.isnan(), nan), (self == math.inf, most if posinf is None else posinf),
                         (self == -math.inf, -most if neginf is None else neginf)):
        self = self.masked_fill(found, _stepgrad._tensor(_stepgrad._number(value), self.dtype))
    return self


methods(
    round=lambda self, *, decimals=0: _round(self * 10.0**decimals) / 10.0**decimals if decimals else _round(self),
    lerp=lambda self, end, weight: self.add(end - self, alpha=weight),
    addcmul=_old_order(lambda x, a, b, value: x.add(a * b, alpha=value)),
    addcdiv=_old_order(lambda x, a, b, value: x.add(a / b, alpha=value)),
    isclose=lambda self, other, rtol=1e-5, atol=1e-8, equal_nan=False: (
        (self == other) | ((self - other).abs() <= atol + rtol * other.abs()) & other.isfinite()
        | (self.isnan() & other.isnan() & equal_nan)),
    logit=lambda self, eps=None: (lambda x: x.log() - (-x).log1p())(self if eps is None else self.clamp(eps, 1 - eps)),
    xlogy=lambda self, other: _where(self == 0, 0.0, self * _where(self == 0, 1.0, other).log()),
    clip=Tensor.clamp,
    clamp_min=lambda self, min: self.clamp(min),
    clamp_max=lambda self, max: self.clamp(None, max),
    frac=lambda self: self - self.trunc(),
    hypot=lambda self, other: _stepgrad._cat(broadcast_tensors(self, other), 0, True).norm(2, 0),
    dist=lambda self, other, p=2: (self - other).norm(p),
    positive=Tensor.__pos__,
    rsub=lambda self, other, *, alpha=1: other - self * alpha,
    fmax=lambda self, other: _where((self >= other) | other.isnan(), self, other),
    fmin=lambda self, other: _where((self <= other) | other.isnan(), self, other),
    logical_xor=lambda self, other: self.bool() ^ other.bool(),
    bitwise_not=Tensor.__invert__)

for _names in """absolute=abs negative=neg subtract=sub divide=div greater=gt greater_equal=ge less=lt less_equal=le
not_equal=ne arctan=atan arcsin=asin arccos=acos arctan2=atan2 fix=trunc sgn=sign""".split():
    setattr(Tensor, _names.split("=")[0], getattr(Tensor, _names.split("=")[1]))


def in_place(*names):
    """x.NAME_(...): x becomes x.NAME(...), history and all."""
    def made(name):
        f = getattr(Tensor, name)

        def call(self, *args, **kwargs):
            return self._become(name + "_", f(self._before(name + "_"), *args, **kwargs))
        return call

    methods(**{name + "_": made(name) for name in names})


in_place(*"""absolute addcdiv addcmul addmm atan2 bitwise_not clamp_max clamp_min clip div divide fmod frac hypot lerp logit
logical_and logical_not logical_or logical_xor multiply nan_to_num negative round sgn square subtract tril triu
true_divide xlogy""".split())
_rounded_ = Tensor.div_
methods(div_=lambda self, other, *, rounding_mode=None: _div_(self, other) if rounding_mode is None else
        _rounded_(self, other, rounding_mode=rounding_mode))
