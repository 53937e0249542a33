"""Modules that apply a function with fixed arguments: activations and losses. The arguments are those of the function
that have a default."""

import inspect

from . import functional as F
from .module import Module


def _flatten(input, start_dim=1, end_dim=-1):
    return input.flatten(start_dim, end_dim)


def _defaults(f):
    return {name: its.default for name, its in inspect.signature(f).parameters.items() if its.default is not its.empty}


_ACTIVATIONS = {
    **{name: (f, _defaults(f)) for name, f in {"ReLU": F.relu, "GELU": F.gelu, "Sigmoid": F.sigmoid, "Tanh": F.tanh,
    "Softplus": F.softplus, "GLU": F.glu, "Flatten": _flatten}.items()},
    **{name: (f, {**_defaults(f), "inplace": False}) for name, f in {"ReLU6": F.relu6, "LeakyReLU": F.leaky_relu,
    "ELU": F.elu, "Hardtanh": F.hardtanh, "SELU": F.selu, "SiLU": F.silu}.items()},
    "Softmax": (F.softmax, {"dim": None}),
    "LogSoftmax": (F.log_softmax, {"dim": None}),
}
_LOSSES = {name: (f, _defaults(f)) for name, f in {"MSELoss": F.mse_loss, "L1Loss": F.l1_loss,
    "SmoothL1Loss": F.smooth_l1_loss, "HuberLoss": F.huber_loss, "TripletMarginLoss": F.triplet_margin_loss,
    "KLDivLoss": F.kl_div, "BCELoss": F.binary_cross_entropy, "BCEWithLogitsLoss": F.binary_cross_entropy_with_logits,
    "CrossEntropyLoss": F.cross_entropy, "NLLLoss": F.nll_loss, "CosineSimilarity": F.cosine_similarity}.items()}
__all__ = [*_ACTIVATIONS, *_LOSSES]


class _Called(Module):
    """function(*inputs, **arguments of the constructor)."""

    def __init__(self, *args, **kwargs):
        super().__init__()
        if len(args) > len(self.defaults) or kwargs.keys() - self.defaults.keys():
            raise TypeError(f"{type(self).__name__}() takes {', '.join(self.defaults) or 'nothing'}")
        for name, value in {**self.defaults, **dict(zip(self.defaults, args)), **kwargs}.items():
            if name in ("weight", "pos_weight"):
                self.register_buffer(name, value)
            else:
                setattr(self, name, value)
        if "min_val" in self.defaults and not self.min_val < self.max_val:
            raise AssertionError(f"{type(self).__name__}: min_val {self.min_val} is not below max_val {self.max_val}")

    def forward(self, *inputs, **named):
        return self.function(*inputs, **named, **{name: getattr(self, name) for name in self.defaults})


class _Activation(_Called):
    def extra_repr(self):
        return ", ".join(f"{name}={getattr(self, name)!r}" for name in self.defaults
            if name != "inplace" or self.inplace)


def _classes(table, base):
    for name, (function, defaults) in table.items():
        made = type(name, (base,), {"function": staticmethod(function), "defaults": defaults})
        made.__module__ = __name__
        globals()[name] = made


_classes(_ACTIVATIONS, _Activation)
_classes(_LOSSES, _Called)
