"""torch.nn.functional."""

import warnings as _warnings

import _stepgrad
from _stepgrad import _NoGrad, _layer_norm, _linear, _ones, _where, _zeros

from stepgrad.algebra import broadcast_tensors as _broadcast
from stepgrad.grad_fn import shown as _shown
from stepgrad.tensor import unseen as _unseen

from ..creation import arange, full
from ..functions import cat
from .activations import *


def linear(input, weight, bias=None):
    if bias is None and weight.dim() == 1:
        return input @ weight
    return _linear(input, weight, bias)


def _implied_dim(name, input, dim):
    """torch's default dimension, from when there were at most three."""
    if dim is not None:
        return dim
    _warnings.warn(f"{name}: dim= is missing, and was guessed", stacklevel=3)
    return 0 if input.dim() in (0, 1, 3) else 1


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    return input.softmax(_implied_dim("softmax", input, dim), dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    return input.log_softmax(_implied_dim("log_softmax", input, dim), dtype)


def _check_share(p):
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


@_shown("MulBackward0", "input", "p")
def dropout(input, p=0.5, training=True, inplace=False):
    _check_share(p)
    if not training or p == 0:
        return input
    _stepgrad._check_floating("dropout", input)
    if p == 1:
        return input.mul_(0.0) if inplace else input * 0.0
    noise = _stepgrad._dropout_mask(input, 1 - p) / (1 - p)
    return input.mul_(noise) if inplace else input * noise


@_shown("NativeLayerNormBackward0", "input", "weight", "bias")
def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    sizes = tuple(normalized_shape)
    if not sizes or tuple(input.shape[input.dim() - len(sizes) :]) != sizes:
        raise RuntimeError(f"layer_norm: normalized_shape={list(sizes)} for an input of {list(input.shape)}")
    weight = _ones(sizes, input.dtype) if weight is None else weight
    bias = _zeros(sizes, input.dtype) if bias is None else bias
    if len(sizes) == 1:
        return _layer_norm(input, weight, bias, eps)
    rows = input.reshape(*input.shape[: input.dim() - len(sizes)], -1)
    return _layer_norm(rows, weight.reshape(-1), bias.reshape(-1), eps).reshape(input.shape)


def _padding(index, n):
    if index is None:
        return None
    if not -n <= index < n:
        raise AssertionError("Padding_idx must be within num_embeddings")
    return index % n


@_shown("EmbeddingBackward0", "weight")
def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    if sparse or scale_grad_by_freq:
        raise NotImplementedError("embedding: sparse and scale_grad_by_freq are not here")
    if max_norm is not None:  # rows in use that are longer are shortened in place
        with _NoGrad():
            ids = input.reshape(-1).unique()
            rows = weight.detach()[ids]
            length = rows.norm(norm_type, 1, True)
            weight[ids] = rows * _where(length > max_norm, max_norm / (length + 1e-7), 1.0)
    padding_idx = _padding(padding_idx, len(weight))
    y = _stepgrad._embedding(weight, input)
    if padding_idx is None or not y.requires_grad:
        return y
    is_padding = (input == padding_idx).unsqueeze(-1)
    return _where(is_padding, y.detach(), y)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    """Without subtracting the mean: x/√(mean of x² + ε)."""
    sizes = tuple(normalized_shape)
    if weight is not None and sizes != tuple(weight.shape):
        raise RuntimeError(f"rms_norm: a weight of {list(weight.shape)} for normalized_shape={list(sizes)}")
    if not sizes or sizes != tuple(input.shape[-len(sizes):]):
        raise RuntimeError(f"rms_norm: normalized_shape={list(sizes)} for an input of {list(input.shape)}")
    dims = list(range(-len(sizes), 0))
    eps = 1.1920928955078125e-07 if eps is None else eps
    y = input * (input.square().mean(dims, True) + eps).rsqrt()
    return y if weight is None else y * weight


@_shown("NativeBatchNormBackward0", "input", "weight", "bias")
def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1,
        eps=1e-5):
    """Normalises each channel of [N, C, ..]: in training by the batch's statistics, which update
    the running ones."""
    shape = [1, -1, *[1] * (input.dim() - 2)]
    dims = [d for d in range(input.dim()) if d != 1]
    mean, var = running_mean, running_var
    if training or running_mean is None:
        n = input.numel() // max(1, input.size(1))
        if n <= 1:
            raise ValueError(f"Expected more than 1 value per channel when training, got input size {input.shape}")
        mean, var = input.mean(dims), input.var(dims, unbiased=False)
        if running_mean is not None:
            with _NoGrad():
                running_mean.mul_(1 - momentum).add_(mean * momentum)
                running_var.mul_(1 - momentum).add_(var * (momentum * n / (n - 1)))
    return _scaled((input - mean.reshape(shape)) / (var.reshape(shape) + eps).sqrt(), weight, bias)


def _scaled(y, weight, bias):
    """Each channel of [N, C, ..] by its own weight and bias."""
    shape = [1, -1, *[1] * (y.dim() - 2)]
    y = y if weight is None else y * weight.reshape(shape)
    return y if bias is None else y + bias.reshape(shape)


@_shown("NativeGroupNormBackward0", "input", "weight", "bias")
def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """Normalises groups of neighbouring channels of [N, C, ..]."""
    if input.dim() < 2 or input.size(1) % num_groups:
        raise RuntimeError(f"group_norm: {num_groups} groups of the channels of {list(input.shape)}")
    rows = input.reshape(input.size(0), num_groups, -1)
    return _scaled(layer_norm(rows, rows.shape[-1:], eps=eps).reshape(input.shape), weight, bias)


def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False,
        scale=None):
    """softmax(QKᵀ/√d)·V; a bool mask keeps where true, any other is added."""
    if is_causal and attn_mask is not None:
        raise RuntimeError("scaled_dot_product_attention: is_causal=True beside an attn_mask")
    if attn_mask is not None and not attn_mask.is_floating_point():
        if attn_mask.dtype != _stepgrad.bool:
            raise RuntimeError(f"scaled_dot_product_attention: a mask is bool or float, not {attn_mask.dtype}")
        attn_mask = ~attn_mask
    scale = query.size(-1) ** -0.5 if scale is None else scale
    return _attend(query, key, value, attn_mask, scale, dropout_p, is_causal)


def _attend(query, key, value, mask, scale, dropout_p, is_causal=False):
    """Fused if `mask` is a bool or has only 0 and -inf; else unfused. 0 for a query without keys."""
    keyless = None
    if mask is not None:
        hidden = mask == float("-inf") if mask.is_floating_point() else mask
        keyless = hidden.all(-1, keepdim=True)
        keyless = keyless if bool(keyless.any()) else None
        if keyless is not None:
            mask, hidden = mask.masked_fill(keyless, 0), hidden & ~keyless
        if not mask.requires_grad and bool((hidden | (mask == 0)).all()):
            mask = hidden
    if dropout_p < 1 and (mask is None or not mask.is_floating_point()):
        y = _stepgrad._attention(query, key, value, mask, scale, is_causal, dropout_p)
    else:
        scores = query @ key.transpose(-1, -2) * scale
        if is_causal:
            scores = _masked(scores, _ones(scores.shape[-2:], _stepgrad.bool).triu(1))
        y = dropout(_masked(scores, mask).softmax(-1), dropout_p) @ value
    return y if keyless is None else y.masked_fill(keyless, 0)


def _masked(scores, mask):
    """Plus -inf where a bool mask is true, or plus any other mask."""
    if mask is None:
        return scores
    return scores + (mask if mask.is_floating_point() else _where(mask, float("-inf"), 0.0))


def one_hot(input, num_classes=-1):
    if input.dtype != _stepgrad.int64:
        raise RuntimeError("one_hot is only applicable to index tensor.")
    if input.numel() and int(input.min()) < 0:
        raise RuntimeError(f"Class values must be non-negative, and not {int(input.min())}.")
    n = int(input.max()) + 1 if num_classes == -1 else num_classes
    if input.numel() and int(input.max()) >= n:
        raise RuntimeError(f"Class values must be smaller than num_classes, {n}, and not {int(input.max())}.")
    return (input.unsqueeze(-1) == arange(n)).long()


@_shown("ConstantPadNdBackward0")
def pad(input, pad, mode="constant", value=0.0):
    if mode != "constant":
        raise NotImplementedError(f"pad: mode '{mode}'")
    if len(pad) % 2 or len(pad) > 2 * input.dim():
        raise RuntimeError(f"pad: {len(pad)} numbers for {input.dim()} dimensions")
    for i in range(len(pad) // 2):
        dim = input.dim() - 1 - i
        before, after = pad[2 * i : 2 * i + 2]
        parts = [input.narrow(dim, max(0, -before), input.size(dim) + min(0, before) + min(0, after))]
        for n, at in ((before, 0), (after, len(parts))):
            if n > 0:
                size = [*input.shape[:dim], n, *parts[0].shape[dim + 1 :]]
                filled = full(size, 0.0 if value is None else value, dtype=input.dtype)
                parts = [filled, *parts] if at == 0 else [*parts, filled]
        input = cat(parts, dim)
    return input


def _one(x):
    return x if isinstance(x, (int, str)) else x[0]


@_shown("ConvolutionBackward0", "input", "weight", "bias")
def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """A kernel of any size: its taps side by side, then one product per group of channels."""
    stride, padding, dilation = map(_one, (stride, padding, dilation))
    if weight.dim() != 3 or input.dim() not in (2, 3) or input.size(-2) != weight.size(1) * groups:
        raise RuntimeError(f"conv1d: a weight of {list(weight.shape)} for an input of {list(input.shape)}")
    if len(weight) % groups:
        raise RuntimeError(f"conv1d: {groups} groups of a weight of {list(weight.shape)}")
    if groups > 1:
        parts = zip(input.chunk(groups, -2), weight.chunk(groups, 0))
        y = cat([conv1d(x, w, None, stride, padding, dilation) for x, w in parts], -2)
        return y if bias is None else y + bias.unsqueeze(-1)
    x = input if input.dim() == 3 else input.unsqueeze(0)
    reach = dilation * (weight.size(2) - 1)
    if padding == "same":
        if stride != 1:
            raise RuntimeError("padding='same' is not supported for strided convolutions")
        x = pad(x, (reach // 2, reach - reach // 2))
    elif padding not in (0, "valid"):
        if isinstance(padding, str):
            raise RuntimeError(f"conv1d: padding is a number, 'same' or 'valid', and not '{padding}'")
        x = pad(x, (padding, padding))
    n = x.size(2) - reach
    if n < 1:
        raise RuntimeError("conv1d: the kernel is longer than the input")
    windows = [x[:, :, k : k + n : stride] if stride > 1 else x.narrow(2, k, n)
        for k in range(0, reach + 1, dilation)]
    rows = cat([w.transpose(1, 2) for w in windows], -1)
    y = linear(rows, weight.transpose(1, 2).reshape(weight.size(0), -1), bias).transpose(1, 2)
    return y if input.dim() == 3 else y.squeeze(0)


def normalize(input, p=2.0, dim=1, eps=1e-12):
    return input / input.norm(p, dim, True).clamp_min(eps).expand_as(input)


def _unit(x, dim, eps):
    """x / max(‖x‖, eps). Where eps is larger, the norm's gradient is x / eps, as in torch 1.13."""
    norm = x.norm(2, dim, True)
    small = norm.detach() < eps
    if _unseen(small.any) or eps > 1e-6 and _stepgrad._shows_ops():  # a live page may cross it
        squares = x.square().sum(dim, True)
        norm = _stepgrad._where(small, (squares + (eps * eps - squares.detach())).sqrt(), norm)
    return x / norm


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    if x1.dim() != x2.dim() or x1.size(dim) != x2.size(dim):  # the norms are those of the broadcast rows
        x1, x2 = _broadcast(x1, x2)
    return (_unit(x1, dim, eps) * _unit(x2, dim, eps)).sum(dim)


from .losses import *
from .checks import check_all as _check_all

_check_all(globals())
