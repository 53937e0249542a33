"""Less common optimizers. Each update() is its paper's formula."""

import math

import _stepgrad

from . import Optimizer, _decayed, _options, _zero
from ..modes import enable_grad


def _begun(state, w, *names, **tensors):
    """Counts the step; starts with zeros."""
    if not state:
        state.update(step=_zero(), **{name: _stepgrad._zeros(w.shape, w.dtype) for name in names}, **tensors)
    state["step"] += 1
    return int(state["step"])


class _Decayed(Optimizer):
    """With betas and an eps; weight_decay is added to the gradient."""

    counts_in_tensors = True

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, *, foreach=None, **more):
        super().__init__(params, _options({**locals(), **more}, "more"))

    def update(self, w, g, state, group):
        self.decayed(w, _decayed(w, g, group), state, group["lr"], group["eps"], group, *group["betas"])


class Adamax(_Decayed):
    """Adam with the largest |g| so far (Kingma and Ba 2014)."""

    def decayed(self, w, g, state, lr, eps, group, beta1, beta2):
        t = _begun(state, w, "exp_avg", "exp_inf")
        m = state["exp_avg"].mul_(beta1).add_(g, alpha=1 - beta1)
        state["exp_inf"] = (state["exp_inf"] * beta2).maximum(g.abs() + eps)
        w.addcdiv_(m, state["exp_inf"], value=-lr / (1 - beta1**t))


class NAdam(_Decayed):
    """Adam with Nesterov's momentum (Dozat 2016)."""

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3, **options):
        super().__init__(params, lr, betas, eps, weight_decay, momentum_decay=momentum_decay, **options)

    def decayed(self, w, g, state, lr, eps, group, beta1, beta2):
        t = _begun(state, w, "exp_avg", "exp_avg_sq", mu_product=_zero() + 1)
        mu, following = (beta1 * (1 - 0.5 * 0.96 ** (i * group["momentum_decay"])) for i in (t, t + 1))
        state["mu_product"] *= mu
        product = float(state["mu_product"])
        m = state["exp_avg"].mul_(beta1).add_(g, alpha=1 - beta1)
        v = state["exp_avg_sq"].mul_(beta2).addcmul_(g, g, value=1 - beta2)
        size = (v / (1 - beta2**t)).sqrt().add_(eps)
        w.addcdiv_(g, size, value=-lr * (1 - mu) / (1 - product))
        w.addcdiv_(m, size, value=-lr * following / (1 - product * following))


class RAdam(_Decayed):
    """Adam once the variance of its steps is bounded; momentum before (Liu et al. 2019)."""

    def __init__(self, params, lr=1e-3, *args, **options):
        super().__init__(params, lr, *args, **options)

    def decayed(self, w, g, state, lr, eps, group, beta1, beta2):
        t = _begun(state, w, "exp_avg", "exp_avg_sq")
        m = state["exp_avg"].mul_(beta1).add_(g, alpha=1 - beta1)
        v = state["exp_avg_sq"].mul_(beta2).addcmul_(g, g, value=1 - beta2)
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
        v = state["square_avg"].mul_(rho).addcmul_(g, g, value=1 - rho)
        step = (state["acc_delta"] + eps).sqrt() / (v + eps).sqrt() * g
        state["acc_delta"].mul_(rho).addcmul_(step, step, value=1 - rho)
        w.add_(step, alpha=-group["lr"])


class Rprop(Optimizer):
    """By the gradient's sign only: larger steps while it stays, smaller ones when it flips
    (Riedmiller 1993)."""

    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, foreach=None, maximize=False):
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


class LBFGS(Optimizer):
    """Newton's step with an inverse Hessian approximated from the latest changes of the gradient
    (Nocedal 1980)."""

    def __init__(self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7, tolerance_change=1e-9,
                 history_size=100, line_search_fn=None):
        if line_search_fn is not None:
            raise NotImplementedError(f"LBFGS: line_search_fn={line_search_fn!r}: steps are of lr alone here")
        max_eval = max_eval or max_iter * 5 // 4
        super().__init__(params, {"lr": lr, **_options(locals(), "lr")})  # of any sign, as in torch
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")

    def _gradient(self):
        return _stepgrad._cat([(_stepgrad._zeros(p.shape, p.dtype) if p.grad is None else p.grad).reshape(-1)
                               for p in self.param_groups[0]["params"]], 0, False)

    def _direction(self, g, state):
        """-H·g, from pairs of changes (of the gradient, of the parameters)."""
        q, pairs = -g, list(zip(state["old_dirs"], state["old_stps"]))
        shares = []
        for y, s in reversed(pairs):
            shares.append(s.dot(q) / y.dot(s))
            q = q - shares[-1] * y
        q = q * state["H_diag"]
        for (y, s), share in zip(pairs, reversed(shares)):
            q = q + (share - y.dot(q) / y.dot(s)) * s
        return q

    def step(self, closure):
        group, (first, *_) = self.param_groups[0], self.param_groups[0]["params"]
        state, lr = self.state[first], group["lr"]
        with enable_grad():
            found = closure()
        loss, evaluations = float(found), 1
        state.update(func_evals=state.get("func_evals", 0) + 1, n_iter=state.get("n_iter", 0))
        g, d, before = self._gradient(), state.get("d"), state.get("prev_flat_grad")
        for i in range(group["max_iter"]):
            if g.abs().max() <= group["tolerance_grad"]:
                break
            state["n_iter"] += 1
            if state["n_iter"] == 1:
                state.update(old_dirs=[], old_stps=[], H_diag=1)
                d = -g
            else:
                y, s = g - before, d * state["t"]
                if y.dot(s) > 1e-10:
                    for old, new in (("old_dirs", y), ("old_stps", s)):
                        state[old] = (state[old] + [new])[-group["history_size"]:]
                    state["H_diag"] = y.dot(s) / y.dot(y)
                d = self._direction(g, state)
            before, previous = g.clone(), loss
            t = state["t"] = min(1.0, 1.0 / float(g.abs().sum())) * lr if state["n_iter"] == 1 else lr
            slope = float(g.dot(d))
            if slope > -group["tolerance_change"]:
                break
            begin = 0
            with _stepgrad._NoGrad():
                for p in group["params"]:
                    p.add_(d[begin : begin + p.numel()].view(p.shape), alpha=t)
                    begin += p.numel()
            if i + 1 == group["max_iter"]:
                break
            with enable_grad():
                loss = float(closure())
            g, evaluations = self._gradient(), evaluations + 1
            state["func_evals"] += 1
            change = float((d * t).abs().max())
            if evaluations >= group["max_eval"] or g.abs().max() <= group["tolerance_grad"] or \
                    change <= group["tolerance_change"] or abs(loss - previous) < group["tolerance_change"]:
                break
        state.update(d=d, prev_flat_grad=before, prev_loss=loss)
        return found
