"""Activations of torch.nn.functional."""

import functools

import _stepgrad

from stepgrad.grad_fn import shown as _shown


def relu(input, inplace=False):
    return input.relu_() if inplace else input.relu()


def gelu(input, approximate="none"):
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return input.gelu() if approximate == "none" else input.gelu_tanh()


def softplus(input, beta=1, threshold=20):
    return _stepgrad._softplus(input, beta, threshold)


@_shown("LogSigmoidBackward0")
def logsigmoid(input):
    return -softplus(-input)


def _inplace(f):
    """An activation with the option `inplace`, its last parameter, which overwrites the input."""
    count = f.__code__.co_argcount

    @functools.wraps(f)
    def call(input, *args, inplace=False, **kwargs):
        if len(args) == count:
            *args, inplace = args
        if not inplace:
            return f(input, *args, **kwargs)
        op, before = f.__name__ + "_", input._before(f.__name__ + "_")
        input._become(op, f(before, *args, **kwargs))
        name = {"elu": "Elu", "selu": "Elu", "leaky_relu": "LeakyRelu"}.get(f.__name__)
        if name and not input._is_view():
            _stepgrad._show_as(input, name + "Backward1", before)
        return input

    return call


@_inplace
def leaky_relu(input, negative_slope=0.01):
    return _stepgrad._leaky_relu(input, negative_slope)


@_inplace
def elu(input, alpha=1.0):
    return _stepgrad._elu(input, alpha)


@_inplace
def hardtanh(input, min_val=-1.0, max_val=1.0):
    return _stepgrad._hardtanh(input, min_val, max_val)


@_inplace
def relu6(input):
    return hardtanh(input, 0.0, 6.0)


@_shown("EluBackward0")
@_inplace
def selu(input):
    return elu(input, 1.6732632423543772) * 1.0507009873554805


@_inplace
def sigmoid(input):
    return input.sigmoid()


@_inplace
def tanh(input):
    return input.tanh()


@_inplace
def silu(input):
    return input.silu()


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """softmax of logits plus Gumbel noise; hard: 1 at the largest, with the soft gradient."""
    noise = -logits.detach().clone().exponential_().log()
    y = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return y
    soft = y.detach()
    return _stepgrad._zeros(soft.shape, soft.dtype).scatter(dim, soft.argmax(dim, True), 1.0) - soft + y


@_shown("PreluBackward0", "input", "weight")
def prelu(input, weight):
    """One weight, or one for each index along dimension 1."""
    if weight.dim() > 1 or weight.numel() > 1 and (input.dim() < 2 or len(weight) != input.size(1)):
        raise RuntimeError(f"prelu: a weight of {list(weight.shape)} for an input of {list(input.shape)}")
    wide = weight.reshape(-1, *(1,) * (input.dim() - 2)) if weight.numel() > 1 else weight.reshape(())
    return _stepgrad._where(input > 0, input, wide * input)


@_shown("GluBackward0")
def glu(input, dim=-1):
    a, b = input.chunk(2, dim)
    return a * b.sigmoid()
