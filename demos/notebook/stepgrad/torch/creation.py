"""New tensors."""

import _stepgrad
from _stepgrad import Tensor, bool as _bool, float32, int64

from stepgrad.tensor import device as _device

__all__ = """tensor as_tensor from_numpy from_dlpack zeros ones empty full rand randn randint randperm
arange linspace eye zeros_like ones_like empty_like full_like rand_like randn_like FloatTensor
LongTensor IntTensor BoolTensor bernoulli multinomial normal""".split()


def _finished(x, requires_grad, device=None):
    if device is not None:
        _device(device)
    return x.requires_grad_() if requires_grad else x


def _sizes(sizes):
    if len(sizes) == 1 and not hasattr(sizes[0], "__index__"):
        return tuple(sizes[0])
    return sizes


def tensor(data, *, dtype=None, device=None, requires_grad=False):
    return _finished(_stepgrad._tensor(data, dtype), requires_grad, device)


def as_tensor(data, dtype=None, device=None):
    if isinstance(data, Tensor):
        return data.to(dtype=dtype, device=device)
    if type(data).__name__ == "ndarray" and dtype is None:
        return from_numpy(data)
    return tensor(data, dtype=dtype, device=device)


def from_numpy(array):
    if type(array).__name__ != "ndarray":
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    return _stepgrad._from_array(array)


def from_dlpack(x):
    import numpy

    return from_numpy(numpy.from_dlpack(x))


def _maker(name):
    make = getattr(_stepgrad, "_" + name)

    def function(*size, dtype=None, device=None, requires_grad=False, **unused):
        size = unused.pop("size", size)
        unused.pop("generator", None)
        if unused:
            raise TypeError(f"{name}() got an unexpected keyword argument '{next(iter(unused))}'")
        return _finished(make(_sizes(size), dtype or float32), requires_grad, device)

    function.__name__ = name
    return function


zeros, ones, empty, rand, randn = map(_maker, ["zeros", "ones", "empty", "rand", "randn"])


def _type_of(value):
    return _bool if isinstance(value, bool) else int64 if isinstance(value, int) else float32


def full(size, fill_value, *, dtype=None, device=None, requires_grad=False):
    dtype = dtype or _type_of(fill_value)
    size = size if hasattr(size, "__iter__") else (size,)
    return _finished(_stepgrad._full(tuple(size), fill_value, dtype), requires_grad, device)


def arange(start, end=None, step=1, *, dtype=None, device=None, requires_grad=False):
    if end is None:
        start, end = 0, start
    if dtype is None:
        dtype = int64 if all(isinstance(x, int) for x in (start, end, step)) else float32
    return _finished(_stepgrad._arange(start, end, step, dtype), requires_grad, device)


def linspace(start, end, steps, *, dtype=None, requires_grad=False):
    step = (end - start) / max(1, steps - 1)
    half = steps // 2  # from both ends, so that the last is `end`
    values = [start + i * step if i <= half else end - (steps - 1 - i) * step for i in range(steps)]
    return tensor(values, dtype=dtype or float32, requires_grad=requires_grad)


def eye(n, m=None, *, dtype=None, requires_grad=False):
    m = n if m is None else m
    same = arange(n).unsqueeze(1) == arange(m).unsqueeze(0)
    return _finished(same.to(dtype or float32), requires_grad)


def randint(low, high=None, size=None, *, dtype=int64, device=None):
    if size is None:
        low, high, size = 0, low, high
    if high <= low:
        raise RuntimeError(f"randint: from {low} to {high} there is no number")
    return (_stepgrad._rand(tuple(size), float32) * (high - low)).floor().to(dtype) + low


def randperm(n):
    return rand(n).argsort()


def _like(make, floats=False):
    def function(x, *, dtype=None, device=None, requires_grad=False):
        if floats and not (dtype or x.dtype).is_floating_point:
            raise RuntimeError(f"random numbers are not drawn as {dtype or x.dtype}")
        return _finished(make(x.shape, dtype or x.dtype), requires_grad, device)

    return function


zeros_like, ones_like, empty_like = map(_like, [_stepgrad._zeros, _stepgrad._ones, _stepgrad._empty])
rand_like, randn_like = (_like(make, True) for make in (_stepgrad._rand, _stepgrad._randn))


def full_like(x, fill_value, *, dtype=None):
    return full(x.shape, fill_value, dtype=dtype or x.dtype)


def bernoulli(p):
    return (rand_like(p) < p).to(p.dtype)


def normal(mean, std, size):
    return randn(size) * std + mean


def multinomial(probabilities, num_samples, replacement=False):
    """Gumbel's trick: the largest of log p plus noise are drawn with probability p."""
    if replacement and num_samples > 1:
        draws = [multinomial(probabilities, 1) for _ in range(num_samples)]
        return _stepgrad._cat(draws, -1, False)
    noise = -(-rand_like(probabilities).clamp(min=1e-10).log()).log()
    return (probabilities.detach().log() + noise).topk(num_samples).indices


def _of(dtype):
    def function(*data):
        if len(data) == 1 and not isinstance(data[0], int):
            return _stepgrad._tensor(data[0], dtype)
        return _stepgrad._empty(data, dtype)

    return function


FloatTensor, LongTensor = _of(float32), _of(int64)
IntTensor, BoolTensor = _of(_stepgrad.int32), _of(_bool)
