"""torch's argument conventions: NumPy's names, `input` by name, and `out`."""

import functools

_NAMES = {"axis": "dim", "keepdims": "keepdim", "x2": "other"}
_FIRST = ("input", "x", "a", "x1", "self")


def lenient(f, function=False):
    """f with NumPy's argument names; as a function of torch, also with its first argument by name,
    and `out`, which is overwritten."""

    @functools.wraps(f, updated=())
    def call(*args, **kwargs):
        if not kwargs:
            return f(*args)
        kwargs = {_NAMES.get(name, name): value for name, value in kwargs.items()}
        out = kwargs.pop("out", None) if function else None
        if function and not args:
            args = tuple(kwargs.pop(name) for name in _FIRST if name in kwargs)
        y = f(*args, **kwargs)
        return y if out is None else _written(out, y)

    return call


def _written(out, y):
    if isinstance(out, (tuple, list)):
        return type(y)(_written(*both) for both in zip(out, y))
    if y.requires_grad or out.requires_grad:
        raise RuntimeError("out=...: is not for what has a gradient")
    if out.numel() == 0 and y.numel():
        raise NotImplementedError(f"out: a tensor of {list(out.shape)} does not grow to "
                                  f"{list(y.shape)} here")
    return out.copy_(y)
