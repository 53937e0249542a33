"""Modules that apply a function with fixed arguments: activations and losses, one line of a table
each."""

from . import functional as F
from .module import Module


def _flatten(input, start_dim, end_dim):
    return input.flatten(start_dim, end_dim)


_ACTIVATIONS = {
    "ReLU": (F.relu, {"inplace": False}),
    "ReLU6": (F.relu6, {"inplace": False}),
    "LeakyReLU": (F.leaky_relu, {"negative_slope": 0.01, "inplace": False}),
    "ELU": (F.elu, {"alpha": 1.0, "inplace": False}),
    "Hardtanh": (F.hardtanh, {"min_val": -1.0, "max_val": 1.0, "inplace": False}),
    "SELU": (F.selu, {"inplace": False}),
    "GELU": (F.gelu, {"approximate": "none"}),
    "SiLU": (F.silu, {"inplace": False}),
    "Sigmoid": (F.sigmoid, {}),
    "Tanh": (F.tanh, {}),
    "Softplus": (F.softplus, {"beta": 1, "threshold": 20}),
    "Softmax": (F.softmax, {"dim": None}),
    "LogSoftmax": (F.log_softmax, {"dim": None}),
    "GLU": (F.glu, {"dim": -1}),
    "Flatten": (_flatten, {"start_dim": 1, "end_dim": -1}),
}
_OLD = {"size_average": None, "reduce": None, "reduction": "mean"}
_LOSSES = {
    "MSELoss": (F.mse_loss, _OLD),
    "L1Loss": (F.l1_loss, _OLD),
    "SmoothL1Loss": (F.smooth_l1_loss, {**_OLD, "beta": 1.0}),
    "HuberLoss": (F.huber_loss, {"reduction": "mean", "delta": 1.0}),
    "TripletMarginLoss": (F.triplet_margin_loss, {"margin": 1.0, "p": 2.0, "eps": 1e-6, "swap": False, **_OLD}),
    "KLDivLoss": (F.kl_div, {**_OLD, "log_target": False}),
    "BCELoss": (F.binary_cross_entropy, {"weight": None, **_OLD}),
    "BCEWithLogitsLoss": (F.binary_cross_entropy_with_logits, {"weight": None, **_OLD, "pos_weight": None}),
    "CrossEntropyLoss": (F.cross_entropy, {"weight": None, "size_average": None, "ignore_index": -100,
    "reduce": None, "reduction": "mean", "label_smoothing": 0.0}),
    "NLLLoss": (F.nll_loss, {"weight": None, "size_average": None, "ignore_index": -100, "reduce": None,
    "reduction": "mean"}),
    "CosineSimilarity": (F.cosine_similarity, {"dim": 1, "eps": 1e-8}),
}
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
