"""Tensors drawn at random, and tensors overwritten so."""

import _stepgrad
from _stepgrad import Tensor, float32, int64

from .creation import as_asked, check_drawn, rand, randn
from .random import drawing

__all__ = "randint randperm bernoulli normal multinomial".split()


def randint(low, high=None, size=None, *, generator=None, dtype=int64, **options):
    if size is None:
        low, high, size = (0, low, high) if not isinstance(high, int) else (low, high, size)
    if size is None:
        raise TypeError("randint(): the size is missing")
    if high <= low:
        raise RuntimeError(f"randint: from {low} to {high} there is no number")
    dtype, finish = as_asked(dtype, **options)
    uniform = rand(tuple(size), generator=generator)
    return finish((uniform * (high - low)).floor().to(dtype) + low)


def randperm(n, *, generator=None, dtype=int64, **options):
    dtype, finish = as_asked(dtype, **options)
    return finish(rand(n, generator=generator).argsort().to(dtype))


def bernoulli(input, p=None, *, generator=None):
    if not input.is_floating_point():
        raise RuntimeError(f"bernoulli: of floating point probabilities only, not of {input.dtype}")
    uniform = rand(input.shape, generator=generator)
    if p is None and not bool(((input >= 0) & (input <= 1)).all()):
        raise RuntimeError("bernoulli: Expected p_in >= 0 && p_in <= 1")
    return (uniform < (input if p is None else p)).to(input.dtype)


def normal(mean=0.0, std=1.0, size=None, *, generator=None, **options):
    dtype, finish = as_asked(**options)
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
        check_drawn(x.dtype)
    return _stepgrad._rand(x.shape, float32)


def _require(holds, text):
    if not holds:
        raise RuntimeError(text)


def _uniform(x, low=0.0, high=1.0, **named):  # its arguments are called from and to
    low, high = named.get("from", low), named.get("to", high)
    _require(low <= high, f"uniform_: from {low} to {high} there is no number")
    return _rand(x, True) * (high - low) + low


def _normal(x, mean=0.0, std=1.0):
    check_drawn(x.dtype)
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
