"""What parameters begin with, written over them in place."""

import math

from _stepgrad import _NoGrad


def calculate_gain(nonlinearity, param=None):
    if nonlinearity == "leaky_relu":
        return math.sqrt(2 / (1 + (0.01 if param is None else param) ** 2))
    return {"tanh": 5 / 3, "relu": math.sqrt(2)}.get(nonlinearity, 1.0)


def _fans(w):
    if w.dim() < 2:
        raise ValueError("fan in and fan out are those of a tensor with at least 2 dimensions")
    field = math.prod(w.shape[2:])
    return w.size(1) * field, w.size(0) * field


def uniform_(w, a=0.0, b=1.0):
    return w.uniform_(a, b)


def normal_(w, mean=0.0, std=1.0):
    return w.normal_(mean, std)


def constant_(w, val):
    with _NoGrad():
        return w.fill_(val)


def zeros_(w):
    return constant_(w, 0.0)


def ones_(w):
    return constant_(w, 1.0)


def xavier_uniform_(w, gain=1.0):
    bound = gain * math.sqrt(6 / sum(_fans(w)))
    return w.uniform_(-bound, bound)


def xavier_normal_(w, gain=1.0):
    return w.normal_(0.0, gain * math.sqrt(2 / sum(_fans(w))))


def _kaiming(w, a, mode, nonlinearity):
    fan = _fans(w)[mode == "fan_out"]
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def kaiming_uniform_(w, a=0, mode="fan_in", nonlinearity="leaky_relu"):
    bound = math.sqrt(3) * _kaiming(w, a, mode, nonlinearity)
    return w.uniform_(-bound, bound)


def kaiming_normal_(w, a=0, mode="fan_in", nonlinearity="leaky_relu"):
    return w.normal_(0.0, _kaiming(w, a, mode, nonlinearity))
