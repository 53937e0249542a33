"""Random tensors, and random in-place methods."""

import operator

import _stepgrad
from _stepgrad import Tensor, float32, int64, _NoGrad, _number, _randn

from stepgrad.calls import lenient, titled

from .creation import as_asked, check_drawn, rand, randn
from .random import drawing

__all__ = "randint randperm bernoulli normal multinomial".split()


def _require(holds, text):
    if not holds:
        raise RuntimeError(text)


def _check_bounds(dtype, low, high):
    """For integers drawn from [low, high): checks that dtype holds them, with equal chances."""
    _require(low < high, f"randint, random_: from {low} to {high} there is no number")
    for bound in (low, high - 1):
        _require(dtype._least <= bound <= dtype._most, f"randint, random_: {bound} is out of bounds for {dtype}")
    _require(max(high - low, -low, high) <= 2**24, f"randint, random_: from {low} to {high} there are numbers "
        "beyond 2^24, which the engine's floats do not tell apart")


def randint(*args, low=None, high=None, size=None, generator=None, dtype=int64, **options):
    """randint([low,] high, size)"""
    *bounds, size = args if size is None and args else (*args, size)
    bounds = [*([] if low is None else [low]), *bounds, *([] if high is None else [high])]
    if not 1 <= len(bounds) <= 2 or low is not None and high is None or not isinstance(size, (tuple, list)):
        raise TypeError(f"randint(): wanted are [low,] high and a size, as in randint(10, (2, 3)), and not {args}")
    low, high = map(operator.index, bounds if len(bounds) == 2 else (0, *bounds))
    dtype, finish = as_asked(dtype or int64, **options)
    _check_bounds(dtype, low, high)
    return finish(((rand(tuple(size), generator=generator) * (high - low)).floor() + low).to(dtype))


def randperm(n, *, generator=None, dtype=int64, **options):
    dtype, finish = as_asked(dtype, **options)
    _require(n - 1 <= dtype._most, f"randperm: {n - 1} is out of bounds for {dtype}")
    return finish(rand(n, generator=generator).argsort().to(dtype))


def _check_share(p):
    inside = bool(((p >= 0) & (p <= 1)).all()) if isinstance(p, Tensor) else 0 <= p <= 1
    _require(inside, f"bernoulli expects p to be in [0, 1], but got p={p}")


def bernoulli(input, p=None, *, generator=None):
    _stepgrad._check_floating("bernoulli", input)
    p = input if p is None else _number(p)
    _check_share(p)
    return (rand(input.shape, generator=generator) < p).to(input.dtype)


def _check_spread(std):
    least = std.min().item() if isinstance(std, Tensor) and std.numel() else 0 if isinstance(std, Tensor) else std
    _require(least >= 0, f"normal expects std >= 0.0, but found std {least}")


def normal(mean=0.0, std=1.0, size=None, *, generator=None, **options):
    dtype, finish = as_asked(**options)
    if size is not None:
        mean, std = map(_number, (mean, std))
    else:
        size = (mean + std if isinstance(mean, Tensor) and isinstance(std, Tensor)
            else mean if isinstance(mean, Tensor) else std).shape
    _check_spread(std)
    with _NoGrad():
        return finish((randn(size, generator=generator) * std + mean)._to(dtype or float32))


@lenient
def multinomial(input, num_samples, replacement=False, *, generator=None):
    """One draw, or draws without replacement: the largest log p plus Gumbel noise."""
    p = input.detach()
    _stepgrad._check_floating("multinomial", p)
    if p.dim() not in (1, 2) or num_samples <= 0:
        raise RuntimeError("multinomial: at least one sample, of a vector or a matrix of probabilities")
    if not bool((p.isfinite() & (p >= 0)).all()) or bool((p.sum(-1) == 0).any()):
        raise RuntimeError("multinomial: a probability is negative or not finite, or all are 0")
    if replacement and num_samples > 1:
        below = p.cumsum(-1) / p.sum(-1, True)
        u = rand(*p.shape[:-1], num_samples, 1, generator=generator)
        return (below.unsqueeze(-2) <= u).sum(-1).clamp(max=p.size(-1) - 1)
    if num_samples > p.size(-1):
        raise RuntimeError(f"multinomial: {num_samples} of {p.size(-1)}, without replacement")
    if bool(((p > 0).sum(-1) < num_samples).any()):
        raise RuntimeError(f"multinomial: fewer than {num_samples} probabilities are not 0")
    noise = -(-rand(p.shape, generator=generator).clamp(min=1e-10).log()).log()
    return (p.log() + noise).topk(num_samples).indices


def _in_place(draw):
    """x.NAME_(..., generator=): overwrites x with draw(x, ...)."""
    titled(draw, draw.__name__[1:] + "_")

    def fill(self, *args, generator=None, **named):
        def plain(p):  # which no gradient reaches
            return p.detach() if draw is _bernoulli and isinstance(p, Tensor) and p.dim() else _number(p)

        args, named = [*map(plain, args)], {k: plain(v) for k, v in named.items()}
        with _NoGrad(), drawing(generator):
            drawn = draw(self, *args, **named)
        return self._become(draw.__name__, drawn._to(self.dtype))

    return fill


def _rand(x, floats=False):
    if floats:
        check_drawn(x.dtype)
    return _stepgrad._rand(x.shape, float32)


def _from_and_to(given, named, low, high):
    """The arguments of these names: `from` cannot be a parameter's."""
    both = {"from": low, "to": high}
    if len(given) > 2 or named.keys() - both.keys():
        raise TypeError(f"uniform_ and random_ take from and to, and got {[*given, *named]}")
    return {**both, **dict(zip(both, given)), **named}.values()


def _uniform(x, *bounds, **named):
    low, high = _from_and_to(bounds, named, 0.0, 1.0)
    _require(low <= high, f"uniform_: from {low} to {high} there is no number")
    _require(max(-low, high, high - low) <= x.dtype._most, f"uniform_: from {low} to {high}, or what is between, is out of "
        f"bounds for {x.dtype}")
    return _rand(x, True) * (high - low) + low


def _normal(x, mean=0.0, std=1.0):
    check_drawn(x.dtype)
    _check_spread(std)
    return _randn(x.shape, float32) * std + mean


def _bernoulli(x, p=0.5):
    _check_share(p)
    return _rand(x) < p


def _exponential(x, lambd=1.0):
    _require(lambd >= 0, f"exponential_ expects lambda >= 0.0, but found lambda={lambd}")
    return -(1 - _rand(x, True)).log() / lambd


def _random(x, *bounds, **named):
    most = min(2**24, int(x.dtype._most) + 1)
    low, high = _from_and_to((0, *bounds) if len(bounds) == 1 and not named else bounds, named, 0, most)
    high = most if high is None else high
    _check_bounds(x.dtype, low, high)
    return (_rand(x) * (high - low)).floor() + low


for _draw in (_uniform, _normal, _exponential, _random, _bernoulli):
    setattr(Tensor, _draw.__name__[1:] + "_", _in_place(_draw))
Tensor.bernoulli, Tensor.multinomial = bernoulli, multinomial
