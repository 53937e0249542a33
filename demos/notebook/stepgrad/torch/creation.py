"""New tensors."""

import warnings

import _stepgrad
from _stepgrad import Tensor, bool as _bool, float32, int64

from stepgrad.tensor import device as _device

from .random import drawing

__all__ = """tensor as_tensor asarray from_numpy from_dlpack zeros ones empty full rand randn randint
randperm arange linspace eye zeros_like ones_like empty_like full_like rand_like
randn_like bernoulli multinomial normal get_default_dtype set_default_dtype
set_default_tensor_type FloatTensor LongTensor IntTensor BoolTensor ByteTensor CharTensor ShortTensor
HalfTensor BFloat16Tensor""".split()


def _as_asked(dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False,
              memory_format=None):
    """What torch's functions for new tensors take: a dtype, and how to finish one. Of devices there is
    one, of layouts too."""
    if device is not None:
        _device(device)
    return dtype, Tensor.requires_grad_ if requires_grad else _as_it_is


def _as_it_is(x):
    return x


def _sizes(sizes):
    return tuple(sizes[0]) if len(sizes) == 1 and not hasattr(sizes[0], "__index__") else sizes


def tensor(data, *, dtype=None, **options):
    dtype, finish = _as_asked(dtype, **options)
    if isinstance(data, Tensor):
        warnings.warn("To copy construct from a tensor, it is recommended to use sourceTensor.clone().detach(), "
                      "rather than torch.tensor(sourceTensor).", stacklevel=2)
    return finish(_stepgrad._tensor(data, dtype))


def as_tensor(data, dtype=None, device=None):
    if isinstance(data, Tensor):
        return data.to(dtype=dtype, device=device)
    if type(data).__name__ == "ndarray" and dtype is None:
        return from_numpy(data)
    return tensor(data, dtype=dtype, device=device)


def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False):
    x = as_tensor(obj, dtype, device)
    x = x.clone() if copy else x
    return x.requires_grad_() if requires_grad else x


def from_numpy(array):
    if type(array).__name__ not in ("ndarray", "memmap"):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    return _stepgrad._from_array(array)


def from_dlpack(x):
    import numpy

    return from_numpy(numpy.from_dlpack(x))


def get_default_dtype():
    return float32


def set_default_dtype(d):
    if d not in (float32, "torch.FloatTensor", FloatTensor):
        raise TypeError(f"set_default_dtype: {d}: the engine's numbers are float32")


set_default_tensor_type = set_default_dtype


# ---- Of a size, and like another ------------------------------------------------------------------


def _maker(name):
    make = getattr(_stepgrad, "_" + name)

    def function(*size, generator=None, **options):
        if not size and "size" not in options:
            raise TypeError(f"{name}(): the size is missing")
        size = _sizes((options.pop("size"),) if "size" in options else size)
        dtype, finish = _as_asked(**options)
        if drawn and dtype not in (None, float32):
            _check_drawn(dtype)
        with drawing(generator):
            return finish(make(size, dtype or float32))

    drawn = name.startswith("rand")
    function.__name__ = name
    return function


def _check_drawn(dtype):
    if not getattr(dtype, "is_floating_point", False):
        raise RuntimeError(f"random numbers are not drawn as {dtype}")


zeros, ones, empty, rand, randn = map(_maker, ["zeros", "ones", "empty", "rand", "randn"])


def _like(make, floats=False):
    def function(input, *, dtype=None, **options):
        dtype, finish = _as_asked(dtype or input.dtype, **options)
        if floats:
            _check_drawn(dtype)
        return finish(make(input.shape, dtype))

    return function


zeros_like, ones_like, empty_like = map(_like, [_stepgrad._zeros, _stepgrad._ones, _stepgrad._empty])
rand_like, randn_like = (_like(make, True) for make in (_stepgrad._rand, _stepgrad._randn))


def _type_of(value):
    if isinstance(value, Tensor):
        return value.dtype
    return _bool if isinstance(value, bool) else int64 if isinstance(value, int) else float32


def full(size, fill_value, *, dtype=None, **options):
    dtype, finish = _as_asked(dtype or _type_of(fill_value), **options)
    size = tuple(size) if hasattr(size, "__iter__") else (size,)
    return finish(_stepgrad._full(size, fill_value, dtype))


def full_like(input, fill_value, *, dtype=None, **options):
    return full(input.shape, fill_value, dtype=dtype or input.dtype, **options)


for _make in (zeros, ones, empty):
    setattr(Tensor, "new_" + _make.__name__, lambda self, *size, dtype=None, _make=_make, **options:
            _make(*size, dtype=dtype or self.dtype, **options))
Tensor.new_full = lambda self, size, fill_value, dtype=None, **options: full(
    size, fill_value, dtype=dtype or self.dtype, **options)
Tensor.new_tensor = lambda self, data, dtype=None, **options: tensor(
    data, dtype=dtype or self.dtype, **options)


# ---- In steps -------------------------------------------------------------------------------------


def _whole(*numbers):
    return all(_type_of(x) == int64 for x in numbers)


def arange(start, end=None, step=1, *, dtype=None, **options):
    if end is None:
        start, end = 0, start
    dtype, finish = _as_asked(dtype or (int64 if _whole(start, end, step) else float32), **options)
    if not getattr(dtype, "is_floating_point", False):
        start, end, step = int(start), int(end), int(step)
    return finish(_stepgrad._arange(start, end, step, dtype))


def linspace(start, end, steps, *, dtype=None, **options):
    dtype, finish = _as_asked(dtype, **options)
    return finish(_stepgrad._linspace(start, end, steps)._typed(dtype or float32))


def eye(n, m=None, *, dtype=None, **options):
    dtype, finish = _as_asked(dtype, **options)
    return finish(_stepgrad._eye(n, n if m is None else m)._typed(dtype or float32))


# ---- Drawn ----------------------------------------------------------------------------------------


def randint(low, high=None, size=None, *, generator=None, dtype=int64, **options):
    if size is None:
        low, high, size = (0, low, high) if not isinstance(high, int) else (low, high, size)
    if size is None:
        raise TypeError("randint(): the size is missing")
    if high <= low:
        raise RuntimeError(f"randint: from {low} to {high} there is no number")
    dtype, finish = _as_asked(dtype, **options)
    uniform = rand(tuple(size), generator=generator)
    return finish((uniform * (high - low)).floor().to(dtype) + low)


def randperm(n, *, generator=None, dtype=int64, **options):
    dtype, finish = _as_asked(dtype, **options)
    return finish(rand(n, generator=generator).argsort().to(dtype))


def bernoulli(input, p=None, *, generator=None):
    if not input.is_floating_point():
        raise RuntimeError(f"bernoulli: of floating point probabilities only, not of {input.dtype}")
    uniform = rand(input.shape, generator=generator)
    if p is None and not bool(((input >= 0) & (input <= 1)).all()):
        raise RuntimeError("bernoulli: Expected p_in >= 0 && p_in <= 1")
    return (uniform < (input if p is None else p)).to(input.dtype)


def normal(mean=0.0, std=1.0, size=None, *, generator=None, **options):
    dtype, finish = _as_asked(**options)
    if size is None:
        size = (mean + std if isinstance(mean, Tensor) and isinstance(std, Tensor)
                else mean if isinstance(mean, Tensor) else std).shape
    if not isinstance(std, Tensor) and std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    with _stepgrad._NoGrad():
        return finish((randn(size, generator=generator) * std + mean)._typed(dtype or float32))


def multinomial(input, num_samples, replacement=False, *, generator=None):
    """One draw, or some without replacement, are those whose log p plus Gumbel's noise is largest."""
    p = input.detach()
    if not p.is_floating_point():
        raise RuntimeError(f"multinomial only supports floating-point dtypes for input, got: {p.dtype}")
    if p.dim() not in (1, 2) or num_samples <= 0:
        raise RuntimeError("multinomial: probabilities are a vector or a matrix, of which at least one "
                           "sample is drawn")
    if not bool((p.isfinite() & (p >= 0)).all()) or bool((p.sum(-1) == 0).any()):
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0, or "
                           "invalid multinomial distribution (sum of probabilities <= 0)")
    if replacement and num_samples > 1:
        below = p.cumsum(-1) / p.sum(-1, True)
        u = rand(*p.shape[:-1], num_samples, 1, generator=generator)
        return (below.unsqueeze(-2) <= u).sum(-1).clamp(max=p.size(-1) - 1)
    if num_samples > p.size(-1):
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    if bool(((p > 0).sum(-1) < num_samples).any()):
        raise RuntimeError("invalid multinomial distribution (with replacement=False, not enough "
                           "non-negative category to sample)")
    noise = -(-rand(p.shape, generator=generator).clamp(min=1e-10).log()).log()
    return (p.log() + noise).topk(num_samples).indices


def _in_place(draw):
    """x.NAME_(..., generator=): written over with what draw(x, ...) gives."""

    def fill(self, *args, generator=None, **named):
        with _stepgrad._NoGrad(), drawing(generator):
            return self.copy_(draw(self, *args, **named))

    return fill


def _rand(x, floats=False):
    if floats:
        _check_drawn(x.dtype)
    return _stepgrad._rand(x.shape, float32)


def _require(holds, text):
    if not holds:
        raise RuntimeError(text)


def _uniform(x, low=0.0, high=1.0, **named):  # its arguments are called from and to
    low, high = named.get("from", low), named.get("to", high)
    _require(low <= high, f"uniform_: from {low} to {high} there is no number")
    return _rand(x, True) * (high - low) + low


def _normal(x, mean=0.0, std=1.0):
    _check_drawn(x.dtype)
    _require(std >= 0, f"normal expects std >= 0.0, but found std {std}")
    return _stepgrad._randn(x.shape, float32) * std + mean


def _bernoulli(x, p=0.5):
    inside = ((p >= 0) & (p <= 1)).all() if isinstance(p, Tensor) else 0 <= p <= 1
    _require(inside, f"bernoulli_ expects p to be in [0, 1], but got p={p}")
    return _rand(x) < p


def _exponential(x, lambd=1.0):
    _require(lambd >= 0, f"exponential_ expects lambda >= 0.0, but found lambda={lambd}")
    return -(1 - _rand(x, True)).log() / lambd


def _from_to(x, *bounds):
    low, high = {0: (0, 2**24), 1: (0, *bounds)}.get(len(bounds), bounds)
    high = 2**24 if high is None else high
    _require(low < high, f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    return (_rand(x) * (high - low)).floor() + low


Tensor.uniform_, Tensor.normal_, Tensor.bernoulli_ = map(_in_place, (_uniform, _normal, _bernoulli))
Tensor.exponential_, Tensor.random_ = map(_in_place, (_exponential, _from_to))
Tensor.bernoulli, Tensor.multinomial = bernoulli, multinomial


# ---- By the names of their types ------------------------------------------------------------------


class _Typed(type):
    """torch.LongTensor: makes tensors of its dtype, and isinstance() knows them."""

    def __call__(cls, *data):
        if len(data) == 1 and not isinstance(data[0], int):
            return _stepgrad._tensor(data[0], cls.dtype)
        return _stepgrad._empty(data, cls.dtype)

    def __instancecheck__(cls, x):
        return isinstance(x, Tensor) and x.dtype == cls.dtype


def _of(name, dtype):
    return _Typed(name, (), {"dtype": dtype, "__module__": "torch"})


FloatTensor, HalfTensor = _of("FloatTensor", float32), _of("HalfTensor", _stepgrad.float16)
LongTensor, IntTensor = _of("LongTensor", int64), _of("IntTensor", _stepgrad.int32)
BoolTensor, ByteTensor = _of("BoolTensor", _bool), _of("ByteTensor", _stepgrad.uint8)
CharTensor, ShortTensor = _of("CharTensor", _stepgrad.int8), _of("ShortTensor", _stepgrad.int16)
BFloat16Tensor = _of("BFloat16Tensor", _stepgrad.bfloat16)
