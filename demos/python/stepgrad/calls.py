"""torch's argument conventions: NumPy's names, `input` by name, and `out`."""

import functools
import inspect

from _stepgrad import Tensor

_NAMES = {"axis": "dim", "keepdims": "keepdim", "x2": "other"}
_KEEP_A_DIM = "sum mean prod max min median".split()
_FIRST = ("input", "x", "a", "x1", "self", "tensor")
# Parameters that are tensors, but in these functions.
_TENSORS = {**dict.fromkeys("mat1 mat2 vec vec2 tensor mask weights".split(), ()), "index": ("select",),
            "source": ("movedim",), "src": ("scatter",)}
_OF_TENSORS = "allclose isclose equal expand_as view_as type_as logical_and".split()  # whose `other` is no number


def check_tensors(name, *tensors):
    for x in tensors:
        if not isinstance(x, Tensor):
            raise TypeError(f"{name}(): of Tensors, not {type(x).__name__}")


def kinds_of(f):
    """Place, name and types of a Python function's flags, found by their defaults, and tensors, by their names."""
    own = inspect.unwrap(f)
    if not inspect.isfunction(own):
        return []
    kinds = []
    for place, (name, parameter) in enumerate(inspect.signature(own).parameters.items()):
        default, also = parameter.default, (type(None),) * (parameter.default is None)
        if isinstance(default, bool):
            kinds.append((place, name, bool))
        elif f.__name__ not in _TENSORS.get(name, (f.__name__,)) or name == "other" and f.__name__ in _OF_TENSORS:
            kinds.append((place, name, (Tensor, *also)))
    return kinds


def titled(f, name):
    """f, which messages call by this name."""
    f.__name__ = f.__qualname__ = name
    f.__code__ = f.__code__.replace(co_name=name)
    return f


def lenient(f, function=True):
    """f with NumPy's argument names; and as a function of torch, also with its first argument by name, and `out`,
    which is overwritten. A flag is a bool, and a tensor a Tensor."""
    kinds = kinds_of(f)

    def check(args, kwargs):
        for place, name, kind in kinds:
            if place < len(args) or name in kwargs:
                x = args[place] if place < len(args) else kwargs[name]
                if not isinstance(x, kind):
                    wanted = "bool" if kind is bool else "Tensor"
                    raise TypeError(f"{f.__name__.lstrip('_')}(): argument '{name}' must be {wanted}, not {type(x).__name__}")

    @functools.wraps(f, updated=())
    def call(*args, **kwargs):
        try:
            check(args, kwargs)
            if not kwargs:
                return f(*args)
            kwargs = {_NAMES.get(name, name): value for name, value in kwargs.items()}
            if "keepdim" in kwargs and "dim" not in kwargs and len(args) < 2 and f.__name__ in _KEEP_A_DIM:
                raise TypeError(f"{f.__name__}(): keepdim is about a dim, which is missing")
            out = kwargs.pop("out", None) if function else None
            if function and not args:
                args = tuple(kwargs.pop(name) for name in _FIRST if name in kwargs)
            y = f(*args, **kwargs)
            return y if out is None else _written(out, y)
        except (TypeError, AttributeError) as error:  # only then the first argument is looked at
            if not function or args and isinstance(args[0], Tensor):
                raise
            found = f"must be Tensor, not {type(args[0]).__name__}" if args else "is missing"
            raise TypeError(f"{f.__name__}(): argument 'input' (position 1) {found}") from error

    return call


def _written(out, y):
    if isinstance(out, (tuple, list)):
        return type(y)(_written(*both) for both in zip(out, y))
    if y.requires_grad or out.requires_grad:
        raise RuntimeError("out=...: is not for what has a gradient")
    if out.numel() == 0 and y.numel():
        raise NotImplementedError(f"out: a tensor of {list(out.shape)} does not grow to {list(y.shape)} here")
    return out.copy_(y)
