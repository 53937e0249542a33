"""Tensors as text, exactly as torch prints them."""

import math

import _stepgrad

_USUAL = {"precision": 4, "threshold": 1000.0, "edgeitems": 3, "linewidth": 80}
_PROFILES = {"default": {}, "short": {"precision": 2, "edgeitems": 2}, "full": {"threshold": math.inf}}
options = {**_USUAL, "sci_mode": None}


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    given = {name: type(_USUAL[name])(value) for name, value in given.items() if value is not None}
    if profile in _PROFILES:  # torch takes any other name
        options.update({**_USUAL, **_PROFILES[profile]})
    options.update(given, sci_mode=None if sci_mode is None else bool(sci_mode))


def text(x):
    if x.numel() == 1:  # a number, which a program may go on with
        x._tell_read("str()")
    usual = ("torch.float32", "torch.int64", "torch.bool") if x.numel() else ("torch.float32",)
    suffixes = [] if str(x.dtype) in usual else [f"dtype={x.dtype}"]
    if x._node is not None:
        suffixes.append(f"grad_fn=<{type(x.grad_fn).__name__}>")
    elif x.requires_grad:
        suffixes.append("requires_grad=True")
    return _stepgrad._text(x, suffixes, **options)
