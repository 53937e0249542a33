"""What the arguments of torch.nn.functional must be: those named like tensors are tensors; and, as its documentation
states it, a table for what is made of ops that would broadcast or promote instead. checked() refuses before anything is
computed."""

import functools
import inspect

import _stepgrad
from _stepgrad import Tensor


def _tensor(x, of):
    return isinstance(x, Tensor), "a tensor"


def _floating(x, of):
    return isinstance(x, Tensor) and x.is_floating_point(), "a tensor of floating point numbers"


def _like_input(x, of):
    return x.dtype == of["input"].dtype or _stepgrad._casts(), f"a tensor of {of['input'].dtype}, as the input"


def _or_none(rule):
    return lambda x, of: (True, "") if x is None else rule(x, of)


def _whole(least):
    return lambda x, of: (all(isinstance(n, int) and n >= least for n in x) if isinstance(x, (tuple, list)) else
                          isinstance(x, str) or isinstance(x, int) and x >= least, f"a whole number from {least} on")


def _flag(x, of):
    return isinstance(x, bool), "a bool"


def _number(x, of):
    return isinstance(x, (int, float)), "a number"


def _vector(length, what):
    """None, or as many numbers, of the input's dtype."""
    def rule(x, of):
        n = length(of)
        fits = isinstance(x, Tensor) and tuple(x.shape) == (n,) and _like_input(x, of)[0]
        return x is None or fits, f"a vector of {n}, as {what}, of {of['input'].dtype}"
    return rule


def _within(x, of):
    return x is None or isinstance(x, Tensor) and x.dim() <= of["input"].dim(), "a tensor of no more dimensions than the input"


def _training_needs_both(x, of):
    both = (of.get("running_mean") is None) == (x is None)
    return both and (x is not None or of.get("training", False)), "given beside running_mean, or neither in training"


def _even(x, of):
    dim = of.get("dim", -1)
    return not -x.dim() <= dim < x.dim() or x.size(dim) % 2 == 0, f"of an even size along dimension {dim}"


def _row(x, of):
    n = len(of["weight"])
    return x is None or not x.dim() or x.size(-1) in (1, n), f"a row of {n} numbers, as the weight has rows"


_channels = _vector(lambda of: of["input"].size(1) if of["input"].dim() > 1 else 0, "the input has channels")
_outputs = _vector(lambda of: len(of["weight"]), "the weight has rows")
_TENSORS = "input target weight bias query key attn_mask logits x1 x2 anchor positive negative pos_weight".split()
_FLAGS = "training log_target swap".split()
_TABLE = {
    "glu": {"input": [_floating, _even]},
    "gelu": {"input": [_floating]},
    "prelu": {"input": [_floating], "weight": [_floating, _like_input]},
    "batch_norm": {"input": [_floating], "running_mean": [_channels], "running_var": [_channels, _training_needs_both],
                   "weight": [_channels], "bias": [_channels], "momentum": [_number], "eps": [_number]},
    "group_norm": {"input": [_floating], "weight": [_channels], "bias": [_channels]},
    "layer_norm": {"weight": [_or_none(_like_input)], "bias": [_or_none(_like_input)]},
    "linear": {"weight": [_like_input], "bias": [_or_none(_like_input), _row]},
    "conv1d": {"weight": [_like_input], "bias": [_outputs],
               "stride": [_whole(1)], "padding": [_whole(0)], "dilation": [_whole(1)], "groups": [_whole(1)]},
    "embedding": {"padding_idx": [_or_none(_whole(-2**53))]},
    "cosine_similarity": {"dim": [_whole(-9)]},
    "cross_entropy": {"weight": [_or_none(_like_input)], "ignore_index": [_whole(-2**63)]},
    "nll_loss": {"input": [_floating], "weight": [_or_none(_like_input)], "ignore_index": [_whole(-2**63)]},
    "kl_div": {"input": [_floating]},
    "binary_cross_entropy": {"weight": [_within]},
    "binary_cross_entropy_with_logits": {"weight": [_within]},
}


def checked(f):
    """f, which refuses what the table's rules for it do."""
    own = inspect.unwrap(f)
    names, last = own.__code__.co_varnames[:own.__code__.co_argcount], own.__defaults__ or ()
    may_be_none = {name for name, default in zip(reversed(names), reversed(last)) if default is None}
    rules = {name: [_or_none(_tensor) if name in may_be_none else _tensor] * (name in _TENSORS) +
             [_flag] * (name in _FLAGS) + _TABLE.get(own.__name__, {}).get(name, []) for name in names}
    rules = {name: each for name, each in rules.items() if each}

    @functools.wraps(f)
    def call(*args, **kwargs):
        of = {**dict(zip(names, args)), **kwargs}
        for name, each in rules.items():
            for rule in each if name in of else ():
                fits, wanted = rule(of[name], of)
                if not fits:
                    x = of[name]
                    found = f"of {list(x.shape)}, {x.dtype}" if isinstance(x, Tensor) else repr(x)
                    raise (RuntimeError if isinstance(x, Tensor) or x is None and rule is not _tensor else TypeError)(
                        f"{f.__name__}: {name} is {found}, and should be {wanted}")
        return f(*args, **kwargs)
    return call


def check_all(functions):
    functions.update({name: checked(f) for name, f in functions.items()
                      if name[0] != "_" and getattr(f, "__module__", "").startswith(__package__)})
