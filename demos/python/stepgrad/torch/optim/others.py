"""Less common optimizers. Each update() is its paper's formula."""

import math

import _stepgrad

from . import Optimizer, _average, _average_square, _begun, _decayed, _options, _zero


class _Decayed(Optimizer):
    """With betas and an eps; weight_decay is added to the gradient."""

    counts_in_tensors = True

    def update(self, w, g, state, group):
        self.decayed(w, _decayed(w, g, group), state, group["lr"], group["eps"], group, *group["betas"])


class Adamax(_Decayed):
    """Adam with the largest |g| so far (Kingma and Ba 2014)."""

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, *, maximize=False):
        super().__init__(params, _options(locals()))

    def decayed(self, w, g, state, lr, eps, group, beta1, beta2):
        t = _begun(state, w, "exp_avg", "exp_inf")
        m = _average(state["exp_avg"], g, beta1)
        state["exp_inf"] = (state["exp_inf"] * beta2).maximum(g.abs() + eps)
        w.addcdiv_(m, state["exp_inf"], value=-lr / (1 - beta1**t))


class NAdam(_Decayed):
    """Adam with Nesterov's momentum (Dozat 2016)."""

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3, foreach=None):
        super().__init__(params, _options(locals()))

    def decayed(self, w, g, state, lr, eps, group, beta1, beta2):
        t = _begun(state, w, "exp_avg", "exp_avg_sq", mu_product=_zero() + 1)
        mu, following = (beta1 * (1 - 0.5 * 0.96 ** (i * group["momentum_decay"])) for i in (t, t + 1))
        state["mu_product"] *= mu
        product = float(state["mu_product"])
        m, v = _average(state["exp_avg"], g, beta1), _average_square(state["exp_avg_sq"], g, beta2)
        size = (v / (1 - beta2**t)).sqrt().add_(eps)
        w.addcdiv_(g, size, value=-lr * (1 - mu) / (1 - product))
        w.addcdiv_(m, size, value=-lr * following / (1 - product * following))


class RAdam(_Decayed):
    """Adam once the variance of its steps is bounded; momentum before (Liu et al. 2019)."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None):
        super().__init__(params, _options(locals()))

    def decayed(self, w, g, state, lr, eps, group, beta1, beta2):
        t = _begun(state, w, "exp_avg", "exp_avg_sq")
        m, v = _average(state["exp_avg"], g, beta1), _average_square(state["exp_avg_sq"], g, beta2)
        last, left = 2 / (1 - beta2) - 1, 1 - beta2**t
        length = last - 2 * t * beta2**t / left
        step = m / (1 - beta1**t)
        if length > 5:
            r = (length - 4) * (length - 2) * last / ((last - 4) * (last - 2) * length)
            step = step * math.sqrt(r * left) / (v.sqrt() + eps)
        w.add_(step, alpha=-lr)


class Adadelta(Optimizer):
    """Steps scaled like earlier steps (Zeiler 2012)."""

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *, maximize=False):
        if not 0 <= rho <= 1:
            raise ValueError(f"Invalid rho value: {rho}")
        super().__init__(params, _options(locals()))

    def update(self, w, g, state, group):
        rho, eps = group["rho"], group["eps"]
        if not state:
            state.update(step=0, square_avg=_stepgrad._zeros(w.shape, w.dtype),
                         acc_delta=_stepgrad._zeros(w.shape, w.dtype))
        state["step"] += 1
        g = _decayed(w, g, group)
        v = _average_square(state["square_avg"], g, rho)
        step = (state["acc_delta"] + eps).sqrt() / (v + eps).sqrt() * g
        _average_square(state["acc_delta"], step, rho)
        w.add_(step, alpha=-group["lr"])


class Rprop(Optimizer):
    """By the gradient's sign only: larger steps while it stays, smaller ones when it flips
    (Riedmiller 1993)."""

    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), foreach=None, maximize=False):
        if not 0 < etas[0] < 1 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        super().__init__(params, _options(locals()))

    def update(self, w, g, state, group):
        if not state:
            state.update(step=0, prev=_stepgrad._zeros(w.shape, w.dtype),
                         step_size=_stepgrad._full(w.shape, group["lr"], w.dtype))
        state["step"] += 1
        turn = (g * state["prev"]).sign()
        factor = _stepgrad._where(turn > 0, group["etas"][1], _stepgrad._where(turn < 0, group["etas"][0], turn + 1))
        state["step_size"].mul_(factor).clamp_(*group["step_sizes"])
        g = g.masked_fill(turn < 0, 0)
        w.sub_(g.sign() * state["step_size"])
        state["prev"].copy_(g)
