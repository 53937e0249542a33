"""Initialisations, written into parameters in place."""

import math

from _stepgrad import _NoGrad, _cat, _where

from stepgrad.calls import lenient as _lenient

_GAINS = {"linear": 1.0, "conv1d": 1.0, "conv2d": 1.0, "conv3d": 1.0, "sigmoid": 1.0, "tanh": 5 / 3,
    "relu": math.sqrt(2), "selu": 3 / 4}


def calculate_gain(nonlinearity, param=None):
    if nonlinearity == "leaky_relu":
        return math.sqrt(2 / (1 + (0.01 if param is None else param) ** 2))
    if nonlinearity not in _GAINS:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return _GAINS[nonlinearity]


def _calculate_fan_in_and_fan_out(tensor):  # which layers of one's own call, too
    if tensor.dim() < 2:
        raise ValueError("fan in and fan out are those of a tensor with at least 2 dimensions")
    field = math.prod(tensor.shape[2:])
    return tensor.size(1) * field, tensor.size(0) * field


def uniform_(tensor, a=0.0, b=1.0):
    with _NoGrad():
        return tensor.uniform_(a, b)


def normal_(tensor, mean=0.0, std=1.0):
    with _NoGrad():
        return tensor.normal_(mean, std)


def constant_(tensor, val):
    with _NoGrad():
        return tensor.fill_(val)


def zeros_(tensor):
    return constant_(tensor, 0.0)


def ones_(tensor):
    return constant_(tensor, 1.0)


def xavier_uniform_(tensor, gain=1.0):
    bound = gain * math.sqrt(6 / sum(_calculate_fan_in_and_fan_out(tensor)))
    return uniform_(tensor, -bound, bound)


def xavier_normal_(tensor, gain=1.0):
    return normal_(tensor, 0.0, gain * math.sqrt(2 / sum(_calculate_fan_in_and_fan_out(tensor))))


def _kaiming(tensor, a, mode, nonlinearity):
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    fan = _calculate_fan_in_and_fan_out(tensor)[mode == "fan_out"]
    return calculate_gain(nonlinearity, a) / math.sqrt(fan or 1)


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu"):
    bound = math.sqrt(3) * _kaiming(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu"):
    return normal_(tensor, 0.0, _kaiming(tensor, a, mode, nonlinearity))


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0):
    """Normal; a value outside [a, b] is drawn again, up to 1000 times, and then clamped."""
    if a > b:
        raise RuntimeError(f"trunc_normal_: nothing lies between {a} and {b}")
    with _NoGrad():
        tensor.normal_(mean, std)
        for _ in range(1000):
            if not bool((outside := (tensor < a) | (tensor > b)).any()):
                break
            tensor.copy_(_where(outside, tensor.clone().normal_(mean, std), tensor))
        return tensor.clamp_(a, b)


def orthogonal_(tensor, gain=1):
    """Orthonormal rows (or columns, if fewer), by Gram and Schmidt, applied twice against
    rounding."""
    if tensor.dim() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    with _NoGrad():
        flat = tensor.reshape(tensor.size(0), -1).clone().normal_()
        rows = flat if flat.size(0) <= flat.size(1) else flat.t()
        done = []
        for row in rows.unbind(0):
            for _ in range(2):
                for other in done:
                    row = row - (row * other).sum() * other
            done.append(row / row.norm())
        q = _cat(done, 0, True)
        q = q if flat.size(0) <= flat.size(1) else q.t()
        return tensor.copy_((q * gain).reshape(tensor.shape))


for _name in [name for name in globals() if name[0] != "_" and name[-1] == "_"]:
    globals()[_name] = _lenient(globals()[_name], None)
