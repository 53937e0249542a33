"""Losses as functions; layers.py makes modules of them."""

import functools
import warnings

from _stepgrad import Tensor, _casts, _check_floating, _cross_entropy, _show_as, _softplus, _where

from stepgrad.grad_fn import shown
from stepgrad.tensor import unseen, wide

__all__ = """mse_loss l1_loss smooth_l1_loss huber_loss cross_entropy nll_loss kl_div binary_cross_entropy_with_logits
binary_cross_entropy triplet_margin_loss""".split()


def _wide(x):
    return wide(x) if isinstance(x, Tensor) else x


def _in_float32(f):
    """f; under autocast in float32."""

    @functools.wraps(f)
    def loss(*args, **kwargs):
        if _casts():
            args, kwargs = map(_wide, args), {name: _wide(x) for name, x in kwargs.items()}
        return f(*args, **kwargs)

    return loss


def _as_asked(reduction, size_average, reduce):
    """`reduction`, which had two other names before PyTorch 0.4."""
    if size_average is None is reduce:
        return reduction
    return "none" if not (reduce is None or reduce) else "sum" if not (size_average is None or size_average) else "mean"


def _reduced(loss, reduction, *older):
    reduction = _as_asked(reduction, *older) if older else reduction
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return loss if reduction == "none" else getattr(loss, reduction)()


def _apart(input, target):
    """input - target, with torch's warning: two that broadcast are rarely meant."""
    if input.shape != target.shape:
        warnings.warn(f"a target of {list(target.shape)} broadcasts with an input of {list(input.shape)}",
            stacklevel=4)
    return input - target


@_in_float32
@shown("MseLossBackward0", "input", "target")
def mse_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    return _reduced(_apart(input, target).square(), reduction, size_average, reduce)


@_in_float32
def l1_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    return _reduced(_apart(input, target).abs(), reduction, size_average, reduce)


@_in_float32
@shown("SmoothL1LossBackward0", "input", "target")
def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    d = _apart(input, target)
    loss = _quadratic_near_0(d, beta, 1, 0.5 / beta) if beta else _where(d == 0, 0 - d, d.abs())
    return _reduced(loss, reduction, size_average, reduce)


@_in_float32
@shown("HuberLossBackward0", "input", "target")
def huber_loss(input, target, reduction="mean", delta=1.0):
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    return _reduced(_quadratic_near_0(_apart(input, target), delta, delta, 0.5), reduction)


def _quadratic_near_0(d, delta, slope, factor):
    _check_floating("smooth_l1_loss, huber_loss", d)
    beyond = d.abs() >= delta
    near = d.masked_fill(beyond, 0).square() * factor
    return _where(beyond, (d.abs().masked_fill(~beyond, 0) - delta / 2) * slope, near)


@_in_float32
def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
        label_smoothing=0.0):
    reduction = _as_asked(reduction, size_average, reduce)
    if input.dim() < 1:
        raise RuntimeError("cross_entropy: a tensor of logits has a dimension of classes")
    classes = 0 if input.dim() == 1 else 1
    n = input.size(classes)
    if not 0 <= label_smoothing <= 1:
        raise RuntimeError(f"cross_entropy: label_smoothing {label_smoothing} is not in [0, 1]")
    if target.is_floating_point():
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        if tuple(target.shape) != tuple(input.shape):
            raise RuntimeError(f"cross_entropy: a target of floats is probabilities, of the logits' shape {list(input.shape)} and "
                f"not {list(target.shape)}; numbers of classes are .long()")
        if label_smoothing:
            target = target * (1 - label_smoothing) + label_smoothing / n
        loss = input.log_softmax(classes) * target
        if weight is not None:
            _check_classes(weight, n)
            loss = loss * weight.reshape([-1 if d == classes else 1 for d in range(input.dim())])
        if reduction == "mean":
            return _divided(-loss.sum(), loss.numel() / n if n else 0)
        return -_reduced(loss, reduction) if reduction != "none" else -loss.sum(classes)
    loss = _of_classes(input, target, weight, ignore_index, reduction, label_smoothing)
    return loss if label_smoothing or input.dim() < 3 else _shown_as_2d(loss, input, " LogSoftmaxBackward0")


@shown("DivBackward1")
def _divided(x, number):
    return x / number


def _shown_as_2d(loss, input, before=""):
    _show_as(loss, "NllLoss2DBackward0" + " ViewBackward0" * (input.dim() != 4) + before, input)
    return loss


def _of_classes(input, target, weight, ignore_index, reduction, label_smoothing):
    if input.dim() > 2:
        input = input.permute(0, *range(2, input.dim()), 1)
    _check_target(input, target)
    if weight is None and reduction == "mean":
        return _cross_entropy(input, target, ignore_index, label_smoothing)
    log_p = input.log_softmax(-1)
    loss = _nll_of_rows(log_p, target, weight, ignore_index, reduction)
    if not label_smoothing:
        return loss
    counted = (target != ignore_index).to(log_p.dtype)
    each = -(log_p if weight is None else log_p * weight).sum(-1) * counted
    if reduction == "mean":
        chosen = counted if weight is None else weight[target.masked_fill(counted == 0, 0)] * counted
        smooth = each.sum() / chosen.sum()
    else:
        smooth = _reduced(each, reduction)
    return loss * (1 - label_smoothing) + smooth * (label_smoothing / log_p.size(-1))


@_in_float32
def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    reduction = _as_asked(reduction, size_average, reduce)
    if input.dim() < 3:
        return _nll_of_rows(input, target, weight, ignore_index, reduction)
    rows = input.permute(0, *range(2, input.dim()), 1)
    return _shown_as_2d(_nll(rows, target, weight, ignore_index, reduction), input)


def _check_classes(weight, n):
    if tuple(weight.shape) != (n,):
        raise RuntimeError(f"a loss of {n} classes: a weight of {list(weight.shape)}")


def _check_target(input, target):
    if tuple(input.shape[:-1]) != tuple(target.shape):
        raise ValueError(f"Expected target size {list(input.shape[:-1])}, got {list(target.shape)}")


def _nll(log_p, target, weight, ignore_index, reduction):
    _check_target(log_p, target)
    if weight is not None:
        _check_classes(weight, log_p.size(-1))
    counted = target != ignore_index
    ids = target.masked_fill(~counted, 0)
    outside = ids[(ids < 0) | (ids >= log_p.size(-1))]
    if outside.numel():
        raise IndexError(f"target {int(outside[0])} is out of bounds: there are {log_p.size(-1)} classes, from 0 on")
    loss = -log_p.gather(-1, ids.unsqueeze(-1)).squeeze(-1)
    w = counted.to(log_p.dtype) if weight is None else weight[ids] * counted
    loss = _where(counted, loss, 0.0) * w
    if reduction == "mean":
        return loss.sum() / w.sum()
    return _reduced(loss, reduction)


_nll_of_rows = shown("NllLossBackward0")(_nll)


@_in_float32
def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """For log-probabilities: Σ p (log p - input)."""
    _check_floating("kl_div", target)
    reduction = _as_asked(reduction, size_average, reduce)
    if log_target:
        loss = target.exp() * (target - input)
    else:
        loss = target.xlogy(target) - target * input
    if reduction == "mean":
        warnings.warn("kl_div: 'mean' divides by the number of elements, 'batchmean' by that of rows alone",
            stacklevel=3)
    if reduction == "batchmean":
        return loss.sum() / max(1, input.size(0) if input.dim() else 1)
    return _reduced(loss, reduction)


def _check_binary(input, target, of_one=False):
    if target.shape != input.shape:
        raise ValueError(f"binary_cross_entropy: a target of {list(target.shape)} for an input of {list(input.shape)}")
    if not target.is_floating_point() or of_one and target.dtype != input.dtype:
        raise RuntimeError(f"binary_cross_entropy: the target is {target.type_name()}, and not {input.type_name()}")


@_in_float32
@shown("BinaryCrossEntropyWithLogitsBackward0", "input", "target")
def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction="mean",
        pos_weight=None):
    _check_binary(input, target)
    # -log sigmoid(x) is log(1 + e^-x) = log(1 + e^x) - x, which is exact for x < 0.
    left, more = input < 0, 1 if pos_weight is None else 1 + (pos_weight - 1) * target
    tail = _where(left, _softplus(input, 1, 20), _softplus(-input, 1, 20))
    loss = (1 - target - left * more) * input + more * tail
    return _reduced(loss if weight is None else loss * weight, reduction, size_average, reduce)


@_in_float32
@shown("BinaryCrossEntropyBackward0", "input", "target")
def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    _check_binary(input, target, True)
    if not unseen(((input >= 0) & (input <= 1)).all):
        raise RuntimeError("all elements of input should be between 0 and 1")
    p = input.detach()
    if unseen(lambda: (p * (1 - p) >= 1e-12).all()):
        loss = _surprise(input, target)
    else:  # at 0 and at 1, as torch: a log of -100, and slopes by 1e-12
        size = p * (1 - p)
        ends = size < 1e-12
        loss = _surprise(_where(ends, 0.5, input), target)
        rise, t = input - p, target.detach()
        bend = (t - 2 * p * t + p * p) / (size + 1e-12).square()
        loss = _where(ends, _surprise(p, target) + rise * (p - target) * 1e12 + rise.square() * bend / 2, loss)
    return _reduced(loss if weight is None else loss * weight, reduction, size_average, reduce)


def _surprise(p, target):
    return -(target * p.log().clamp(min=-100) + (1 - target) * (1 - p).log().clamp(min=-100))


@_in_float32
def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2.0, eps=1e-6, swap=False, size_average=None,
        reduce=None, reduction="mean"):
    if not anchor.dim() == positive.dim() == negative.dim():
        raise RuntimeError("triplet_margin_loss: anchor, positive and negative have as many dimensions")
    near, far, other = (_plus(x - y, eps).norm(p, -1) for x, y in
        ((anchor, positive), (anchor, negative), (positive, negative)))
    loss = (_plus(near, margin) - (far.minimum(other) if swap else far)).clamp_min(0)
    return _reduced(loss, reduction, size_average, reduce)


@shown("AddBackward1")
def _plus(x, number):
    return x + number
