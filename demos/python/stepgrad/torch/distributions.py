"""Distributions: sampling, log-probability and entropy."""

import math

import _stepgrad

from stepgrad.algebra import broadcast_tensors as _broadcast
from stepgrad.calls import must_be as _must_be

from .creation import as_tensor, rand, randn
from .drawn import multinomial as _multinomial
from .nn import functional as F


class Distribution:
    """A batch of shape batch_shape, one number each."""

    event_shape = ()

    @property
    def batch_shape(self):
        return self._of.shape

    @property
    def stddev(self):
        return self.variance.sqrt()

    def sample(self, sample_shape=()):
        with _stepgrad._NoGrad():
            return self._draw((*sample_shape, *self.batch_shape))

    def rsample(self, sample_shape=()):
        raise NotImplementedError(f"{type(self).__name__}.rsample: a sample that has a gradient is Normal's alone")


def _numbers(name, x, kind=float):
    if not isinstance(x, _stepgrad.Tensor):
        _must_be(kind, "a distribution", name, x)
    return as_tensor(x)


def _one_of(probs, logits, kind=_stepgrad.Tensor):
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")
    x = logits if probs is None else probs
    x = _numbers("logits" if probs is None else "probs", x, kind)
    if probs is not None and not bool((x >= 0).all()):
        raise ValueError(f"Expected parameter probs to be non-negative, but found {x}")
    return x


class Categorical(Distribution):
    """One of n, by probs or logits [.., n]."""

    def __init__(self, probs=None, logits=None, validate_args=None):
        x = _one_of(probs, logits)
        if probs is None:
            self.logits = x - x.logsumexp(-1, True)
            self.probs = self.logits.exp()
        else:
            self.probs = x / x.sum(-1, True)
            self.logits = self.probs.clamp(1.1920928955078125e-07, 1 - 1.1920928955078125e-07).log()
        self._of = self.probs[..., 0]

    def _draw(self, shape):
        rows = self.probs.reshape(-1, self.probs.size(-1))
        n = math.prod(shape) // max(1, len(rows))
        return _multinomial(rows, n, True).t().reshape(shape)

    def log_prob(self, value):
        value, logits = _broadcast(value.long().unsqueeze(-1), self.logits)
        return logits.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        return -(self.probs * self.logits.clamp(min=-3.4028234663852886e38)).sum(-1)

    @property
    def mode(self):
        return self.probs.argmax(-1)


class Multinomial(Distribution):
    """How often each of n is drawn in `total_count` draws."""

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        self.total_count, self._one = total_count, Categorical(probs, logits)
        self.probs, self.logits, self._of = self._one.probs, self._one.logits, self._one._of
        self.mean = total_count * self.probs

    def _draw(self, shape):
        return F.one_hot(self._one._draw((self.total_count, *shape)), self.probs.size(-1)).sum(0).float()


class Bernoulli(Distribution):
    """1 or 0."""

    def __init__(self, probs=None, logits=None, validate_args=None):
        x = _one_of(probs, logits, float)
        if probs is not None and not bool((x <= 1).all()):
            raise ValueError(f"Expected parameter probs to be in [0, 1], but found {x}")
        self.probs = self.mean = self._of = x.sigmoid() if probs is None else x
        inside = self.probs.clamp(1.1920928955078125e-07, 1 - 1.1920928955078125e-07)
        self.logits = x if probs is None else inside.log() - (-inside).log1p()

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def _draw(self, shape):
        return (rand(shape) < self.probs).float()

    def log_prob(self, value):
        logits, value = _broadcast(self.logits, value)
        return -F.binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self):
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")


class Normal(Distribution):
    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = _broadcast(_numbers("loc", loc).float(), _numbers("scale", scale).float())
        self._of = self.mean = self.loc
        if not bool((self.scale > 0).all()):
            raise ValueError(f"Expected parameter scale to be positive, but found {self.scale}")

    @property
    def variance(self):
        return self.scale.square()

    def _draw(self, shape):
        return self.loc + self.scale * randn(shape)

    def rsample(self, sample_shape=()):
        return self._draw((*sample_shape, *self.batch_shape))

    def log_prob(self, value):
        return -((value - self.loc) / self.scale).square() / 2 - self.scale.log() - math.log(2 * math.pi) / 2

    def cdf(self, value):
        return (1 + ((value - self.loc) / (self.scale * 2**0.5)).erf()) / 2

    def entropy(self):
        return self.scale.log() + (1 + math.log(2 * math.pi)) / 2
