"""What torch.nn.functional's documentation states, besides calls.py's kinds, where ops would broadcast or promote."""

import functools
import inspect

import _stepgrad
from _stepgrad import Tensor, _is_whole

from stepgrad.calls import lenient


def _floating(x, of):
    return x.is_floating_point(), "a tensor of floating point numbers"


def _like_input(x, of):
    return x.dtype == of["input"].dtype or _stepgrad._casts(), f"a tensor of {of['input'].dtype}, as the input"


def _whole(least):
    """Also in a tuple or list of one, or a str, which is checked later."""
    def rule(x, of):
        x = x[0] if isinstance(x, (tuple, list)) and len(x) == 1 else x
        return isinstance(x, str) or _is_whole(x) and int(x) >= least, f"a whole number from {least} on"
    return rule


def _vector(length, what):
    """As many numbers, of the input's dtype."""
    def rule(x, of):
        n = length(of)
        fits = isinstance(x, Tensor) and tuple(x.shape) == (n,) and _like_input(x, of)[0]
        return fits, f"a vector of {n}, as {what}, of {of['input'].dtype}"
    return rule


def _within(x, of):
    return x.dim() <= of["input"].dim(), "a tensor of no more dimensions than the input"


def _training_needs_both(x, of):
    both = (of.get("running_mean") is None) == (x is None)
    return both and (x is not None or of.get("training", False)), "given beside running_mean, or neither in training"


def _even(x, of):
    dim = of.get("dim", -1)
    return not -x.dim() <= dim < x.dim() or x.size(dim) % 2 == 0, f"of an even size along dimension {dim}"


def _of_sizes(x, of):
    return tuple(x.shape) == tuple(of["normalized_shape"]), f"a tensor of {list(of['normalized_shape'])}"


def _row(x, of):
    n = len(of["weight"])
    return not x.dim() or x.size(-1) in (1, n), f"a row of {n} numbers, as the weight has rows"


_channels = _vector(lambda of: of["input"].size(1) if of["input"].dim() > 1 else 0, "the input has channels")
_outputs = _vector(lambda of: len(of["weight"]), "the weight has rows")
_TABLE = {
    "glu": {"input": [_floating, _even]},
    **dict.fromkeys(("gelu", "silu", "huber_loss", "kl_div"), {"input": [_floating]}),
    "prelu": {"input": [_floating], "weight": [_floating, _like_input]},
    "batch_norm": {"input": [_floating], "running_mean": [_channels], "running_var": [_training_needs_both, _channels],
    "weight": [_channels], "bias": [_channels]},
    "group_norm": {"input": [_floating], "num_groups": [_whole(1)], "weight": [_channels], "bias": [_channels]},
    "layer_norm": {"weight": [_like_input, _of_sizes], "bias": [_like_input, _of_sizes]},
    "linear": {"weight": [_like_input], "bias": [_like_input, _row]},
    "conv1d": {"weight": [_like_input], "bias": [_outputs], "stride": [_whole(1)], "padding": [_whole(0)],
    "dilation": [_whole(1)], "groups": [_whole(1)]},
    "cross_entropy": {"weight": [_like_input]},
    "nll_loss": {"input": [_floating], "weight": [_like_input]},
    "binary_cross_entropy": {"weight": [_within]},
    "binary_cross_entropy_with_logits": {"weight": [_within]},
}


def checked(f):
    """f, which refuses what the table does, before anything is computed."""
    names, rules = inspect.unwrap(f).__code__.co_varnames, _TABLE.get(f.__name__, {})

    @functools.wraps(f)
    def call(*args, **kwargs):
        of = {**dict(zip(names, args)), **kwargs}
        for name, rule in [(name, rule) for name, each in rules.items() if name in of for rule in each]:
            x = of[name]
            fits, wanted = (True, "") if x is None and rule is not _training_needs_both else rule(x, of)
            if not fits:
                found = f"of {list(x.shape)}, {x.dtype}" if isinstance(x, Tensor) else repr(x)
                raise (TypeError if isinstance(x, (str, tuple)) else RuntimeError)(
                    f"{f.__name__}: {name} is {found}, and should be {wanted}")
        return f(*args, **kwargs)
    return lenient(call, None)


def check_all(functions):
    functions.update({name: checked(f) for name, f in functions.items()
        if name[0] != "_" and getattr(f, "__module__", "").startswith(__package__)})
