"""torch.nn.functional, as far as it is here."""

import _stepgrad
from _stepgrad import _layer_norm, _linear

from ..functions import cat, stack  # noqa: F401


def linear(input, weight, bias=None):
    return _linear(input, weight, bias)


def relu(input, inplace=False):
    return input.relu_() if inplace else input.relu()


def gelu(input, approximate="none"):
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return _stepgrad._gelu(input) if approximate == "none" else _stepgrad._gelu_tanh(input)


def silu(input, inplace=False):
    y = _stepgrad._silu(input)
    return input.copy_(y) if inplace else y


def sigmoid(input):
    return input.sigmoid()


def tanh(input):
    return input.tanh()


def softplus(input, beta=1, threshold=20):
    from ..functions import where

    small = input * beta <= threshold
    inner = where(small, input, 0.0) * beta
    return where(small, (inner.exp() + 1).log() / beta, input)


def logsigmoid(input):
    return -softplus(-input)


def leaky_relu(input, negative_slope=0.01):
    from ..functions import where

    return where(input > 0, input, input * negative_slope)


def softmax(input, dim=None, dtype=None):
    return input.softmax(-1 if dim is None else dim, dtype)


def log_softmax(input, dim=None, dtype=None):
    return input.log_softmax(-1 if dim is None else dim, dtype)


def dropout(input, p=0.5, training=True, inplace=False):
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0:
        return input
    if p == 1:
        return input.mul_(0.0) if inplace else input * 0.0
    mask = _stepgrad._dropout_mask(input, 1 - p)
    return input.mul_(mask) if inplace else input * mask


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    sizes = tuple(normalized_shape)
    if tuple(input.shape[input.dim() - len(sizes) :]) != sizes:
        raise RuntimeError(f"layer_norm: normalized_shape={list(sizes)}, and the input has size "
                           f"{list(input.shape)}")
    weight = _stepgrad._ones(sizes, input.dtype) if weight is None else weight
    bias = _stepgrad._zeros(sizes, input.dtype) if bias is None else bias
    if len(sizes) == 1:
        return _layer_norm(input, weight, bias, eps)
    rows = input.reshape(*input.shape[: input.dim() - len(sizes)], -1)
    return _layer_norm(rows, weight.reshape(-1), bias.reshape(-1), eps).reshape(input.shape)


def embedding(input, weight, padding_idx=None):
    y = _stepgrad._embedding(weight, input)
    if padding_idx is None or not y.requires_grad:
        return y
    is_padding = (input == padding_idx % weight.size(0)).unsqueeze(-1)
    return _stepgrad._where(is_padding, y.detach(), y)


def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False):
    """softmax(QKᵀ/√d)·V, with what a bool mask is false for left out; any other mask is added."""
    scores = query @ key.transpose(-1, -2) / query.size(-1) ** 0.5
    if is_causal:
        n, m = scores.shape[-2:]
        attn_mask = _stepgrad._ones((n, m), _stepgrad.bool).tril()
    if attn_mask is not None:
        scores = scores + attn_mask if attn_mask.is_floating_point() else \
            scores.masked_fill(~attn_mask, float("-inf"))
    return dropout(scores.softmax(-1), dropout_p, dropout_p > 0) @ value


def one_hot(tensor, num_classes=-1):
    from ..creation import arange

    n = int(tensor.max()) + 1 if num_classes == -1 else num_classes
    if tensor.numel() and int(tensor.max()) >= n:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return (tensor.unsqueeze(-1) == arange(n)).long()


def pad(input, pad, mode="constant", value=0.0):
    if mode != "constant" or len(pad) % 2:
        raise NotImplementedError(f"pad: mode '{mode}'")
    from ..creation import full

    for i in range(len(pad) // 2):
        dim = input.dim() - 1 - i
        before, after = pad[2 * i : 2 * i + 2]
        parts = [input.narrow(dim, max(0, -before), input.size(dim) + min(0, before) + min(0, after))]
        for n, at in ((before, 0), (after, len(parts))):
            if n > 0:
                size = [*input.shape[:dim], n, *parts[0].shape[dim + 1 :]]
                filled = full(size, value, dtype=input.dtype)
                parts = [filled, *parts] if at == 0 else [*parts, filled]
        input = cat(parts, dim)
    return input


def conv1d(input, weight, bias=None, stride=1, padding=0):
    """A kernel of any size: its taps side by side, and one product."""
    if weight.dim() != 3 or input.dim() not in (2, 3) or input.size(-2) != weight.size(1):
        raise RuntimeError(f"conv1d: an input of {list(input.shape)} and a weight of "
                           f"{list(weight.shape)} do not fit")
    batched = input if input.dim() == 3 else input.unsqueeze(0)
    taps = weight.size(2)
    if padding:
        batched = pad(batched, (padding, padding))
    n = batched.size(2) - taps + 1
    if n < 1:
        raise RuntimeError("conv1d: the kernel is longer than the input")
    windows = [batched.narrow(2, k, n)[:, :, ::stride] if stride > 1 else batched.narrow(2, k, n)
               for k in range(taps)] if taps > 1 or stride > 1 else [batched]
    rows = cat([w.transpose(1, 2) for w in windows], -1) if taps > 1 else windows[0].transpose(1, 2)
    y = linear(rows, weight.transpose(1, 2).reshape(weight.size(0), -1), bias).transpose(1, 2)
    return y if input.dim() == 3 else y.squeeze(0)


# ---- Losses --------------------------------------------------------------------------------------


def _reduced(loss, reduction):
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return loss if reduction == "none" else getattr(loss, reduction)()


def mse_loss(input, target, reduction="mean"):
    return _reduced((input - target).square(), reduction)


def l1_loss(input, target, reduction="mean"):
    return _reduced((input - target).abs(), reduction)


def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean",
                  label_smoothing=0.0):
    if input.dim() < 1:
        raise ValueError("cross_entropy: a tensor of logits has a dimension of classes")
    classes = 0 if input.dim() == 1 else 1
    if target.is_floating_point():
        if tuple(target.shape) != tuple(input.shape):
            raise RuntimeError("cross_entropy: probabilities have the shape of the logits")
        n = input.size(classes)
        target = target * (1 - label_smoothing) + label_smoothing / n
        loss = -(target * input.log_softmax(classes)).sum(classes)
        return loss.sum() / (loss.numel()) if reduction == "mean" else _reduced(loss, reduction)
    if input.dim() > 2:
        input = input.permute(0, *range(2, input.dim()), 1)
    if tuple(input.shape[:-1]) != tuple(target.shape):
        raise ValueError(f"Expected target size {list(input.shape[:-1])}, got {list(target.shape)}")
    if weight is None and reduction == "mean":
        return _stepgrad._cross_entropy(input, target, ignore_index, label_smoothing)
    if label_smoothing:
        raise NotImplementedError("cross_entropy: label_smoothing beside weight or reduction")
    return _nll(input.log_softmax(-1), target, weight, ignore_index, reduction)


def nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    if input.dim() > 2:
        input = input.permute(0, *range(2, input.dim()), 1)
    return _nll(input, target, weight, ignore_index, reduction)


def _nll(log_p, target, weight, ignore_index, reduction):
    counted = target != ignore_index
    ids = target.masked_fill(~counted, 0)
    loss = -log_p.gather(-1, ids.unsqueeze(-1)).squeeze(-1)
    w = counted.to(log_p.dtype) if weight is None else weight[ids] * counted
    loss = _stepgrad._where(counted, loss, 0.0) * w
    if reduction == "mean":
        return loss.sum() / w.sum()
    return _reduced(loss, reduction)


def binary_cross_entropy_with_logits(input, target, reduction="mean"):
    return _reduced(softplus(input) - input * target, reduction)


def binary_cross_entropy(input, target, reduction="mean"):
    loss = -(target * input.log().clamp(min=-100) + (1 - target) * (1 - input).log().clamp(min=-100))
    return _reduced(loss, reduction)


def normalize(input, p=2.0, dim=1, eps=1e-12):
    return input / input.norm(p, dim, True).clamp(min=eps)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    return (x1 * x2).sum(dim) / (x1.norm(2, dim).clamp(min=eps) * x2.norm(2, dim).clamp(min=eps))
