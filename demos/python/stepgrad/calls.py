"""torch's argument conventions: NumPy's names, `input` by name, and `out`; and what an argument must be."""

import functools
import inspect
import math

from _stepgrad import Tensor, _is_whole

_NAMES = {"axis": "dim", "keepdims": "keepdim", "x2": "other"}
_KEEP_A_DIM = "sum mean prod max min median".split()
_FIRST = ("input", "x", "a", "x1", "self", "tensor")


def is_number(x):  # or a tensor without dimensions
    return hasattr(x, "__float__") and not (isinstance(x, Tensor) and x.dim()) and type(x).__name__ not in ("type", "ndarray")


_TESTS = {Tensor: ("Tensor", lambda x: isinstance(x, Tensor)), bool: ("bool", lambda x: isinstance(x, bool)),
    int: ("int", _is_whole), float: ("Number", is_number),
    tuple: ("int or tuple of ints", lambda x: isinstance(x, (tuple, list, Tensor)) or _is_whole(x)),
    list: ("tuple of ints", lambda x: isinstance(x, (tuple, list)))}
# What a parameter of this name is, but in the functions behind it, or in them alone.
_KINDS = {
    Tensor: """mat1 mat2 vec vec2 tensor mask weights index:select source:movedim
    src:scatter input target weight:lerp bias query key attn_mask logits x1 anchor positive negative pos_weight
    value=scaled_dot_product_attention x2=cosine_similarity,cdist other=allclose,isclose,equal,expand_as,view_as,type_as,logical_and,logical_or,kron prepend append end""",
    int: """dim:sum,mean,norm,var,std,logsumexp,all,any,max,min,normalize,count_nonzero axis0 axis1 k decimals diagonal chunks minlength
    num_samples num_groups groups num_classes n padding_idx ignore_index index=select""",
    float: """value:index_fill,pad,scaled_dot_product_attention alpha beta nan posinf neginf rtol atol fill_value delta margin
    eps p=dropout,triplet_margin_loss label_smoothing momentum max_norm""",
    tuple: "shifts repeats split_size split_size_or_sections source=movedim destination",
    list: "shape=reshape dims=flip,permute,tile"}
_OF_NUMBERS = """add sub mul multiply div true_divide floor_divide remainder xlogy bitwise_and bitwise_or bitwise_xor
bitwise_left_shift bitwise_right_shift""".split()  # functions whose first argument may be one


def must_be(kind, function, argument, x):
    word, fits = _TESTS[kind]
    if not fits(x):
        raise TypeError(f"{function}(): argument '{argument}' must be {word}, not {type(x).__name__}")


def check_tensors(name, *tensors):
    for x in tensors:
        must_be(Tensor, name, "tensors", x)


def rename(error, name):
    """Puts this name for an inner op's in a message."""
    op, colon, text = str(error).partition(": ")
    if colon and op.isidentifier():
        error.args = f"{name}: {text}",


def _kind_of(function, name, default):
    if isinstance(default, bool) and name not in ("inplace", "hard"):
        return bool
    for kind, words in _KINDS.items():
        for word in words.split():
            its, _, functions = word.replace(":", "=").partition("=")
            if its == name and (function in functions.split(",")) == ("=" in word):
                return kind


def kinds_of(f):
    """Place, name, kind, and whether None will do, of a Python function's parameters."""
    own = inspect.unwrap(f)
    parameters = inspect.signature(own).parameters.items() if inspect.isfunction(own) else ()
    kinds = [(math.inf if its.kind == its.KEYWORD_ONLY else place, name, _kind_of(f.__name__, name, its.default),
            its.default is None and f.__name__ not in ("median", "prod"))
        for place, (name, its) in enumerate(parameters)]
    return [row for row in kinds if row[2]]


def titled(f, name):
    """f, which messages call by this name."""
    f.__name__ = f.__qualname__ = name
    f.__code__ = f.__code__.replace(co_name=name)
    return f


def lenient(f, function=True):
    """f, checked, with NumPy's names (but nn.functional's: None); a function's first argument also by name, and `out`."""
    kinds, name_of_f = kinds_of(f), f.__name__.lstrip("_")

    def check(args, kwargs):
        for place, name, kind, or_none in kinds:
            if place < len(args) or name in kwargs:
                x = args[place] if place < len(args) else kwargs[name]
                if not (or_none and x is None):
                    must_be(kind, name_of_f, name, x)
        if function and not (args and is_number(args[0]) and name_of_f in _OF_NUMBERS):
            must_be(Tensor, name_of_f, "input", args[0] if args else None)

    @functools.wraps(f, updated=())
    def call(*args, **kwargs):
        out = None
        if kwargs and function is not None:
            kwargs = {_NAMES.get(name, name): value for name, value in kwargs.items()}
            if "keepdim" in kwargs and "dim" not in kwargs and len(args) < 2 and f.__name__ in _KEEP_A_DIM:
                raise TypeError(f"{f.__name__}(): keepdim is about a dim, which is missing")
            out = kwargs.pop("out", None) if function else None
            if function and not args:
                args = tuple(kwargs.pop(name) for name in _FIRST if name in kwargs)
        check(args, kwargs)
        try:
            y = f(*args, **kwargs)
        except (RuntimeError, IndexError, ValueError) as error:
            rename(error, name_of_f)
            raise
        return y if out is None else _written(out, y)

    return call


def _written(out, y):
    if isinstance(out, (tuple, list)):
        return type(y)(_written(*both) for both in zip(out, y))
    if y.requires_grad or out.requires_grad:
        raise RuntimeError("out=...: is not for what has a gradient")
    if out.numel() == 0 and y.numel():
        raise NotImplementedError(f"out: a tensor of {list(out.shape)} does not grow to {list(y.shape)} here")
    return out.copy_(y)
