"""LBFGS: Newton's step with an inverse Hessian approximated from the latest changes of the gradient
(Nocedal 1980). Equations and algorithms are those of Nocedal and Wright 2006."""

import math

import _stepgrad

from . import Optimizer, _options
from ..modes import enable_grad


def _cubic(a, b):
    """Where the cubic with the values and slopes of two points (t, f, slope) is least (3.59). NaN: nowhere."""
    (t, f, slope), (u, g, rise) = sorted((a[:3], b[:3]), key=lambda x: x[0])
    if t == u:
        return math.nan
    d1 = slope + rise - 3 * (f - g) / (t - u)
    d2 = (d1 * d1 - slope * rise).sqrt()
    return u - (u - t) * ((rise + d2 - d1) / (rise - slope + 2 * d2))


def _strong_wolfe(at, t, begin, smallest):
    """A step that meets the strong Wolfe conditions (algorithms 3.5 and 3.6), as its point (t, f, slope, ...).
    at(t) is the point there, and `begin` the one at 0."""
    _, f0, slope0 = begin[:3]
    before, x = begin, at(t)

    def rises(x):
        """x breaks the Armijo condition."""
        return x[1] > f0 + 1e-4 * x[0] * slope0

    def is_flat(x):
        return abs(x[2]) <= -0.9 * slope0

    def between(least, most, a, b):
        found = _cubic(a, b)
        return (least + most) / 2 if math.isnan(found) else min(max(found, least), most)

    for tried in range(25):  # until a minimum is between two steps
        if rises(x) or tried > 1 and x[1] >= before[1]:
            break
        if is_flat(x):
            return x
        if x[2] >= 0:
            break
        t = between(t + 0.01 * (t - before[0]), 10 * t, before, x)
        before, x = x, at(t)
    else:
        return min(begin, x, key=lambda x: x[1])
    ends = [before, x]
    low = int(x[1] < before[1])
    was_near = False
    for _ in range(25 - tried):
        least, most = sorted(end[0] for end in ends)
        if most - least < smallest:
            break
        t = between(least, most, *ends)
        margin = 0.1 * (most - least)
        is_near = min(most - t, t - least) < margin
        if is_near and (was_near or t in (least, most)):  # an end twice: a tenth away from it
            t, is_near = (most - margin if most - t < t - least else least + margin), False
        was_near = is_near
        x = at(t)
        if rises(x) or x[1] >= ends[low][1]:
            ends[1 - low] = x
            low = int(ends[1][1] < ends[0][1])
        else:
            if is_flat(x):
                return x
            if x[2] * (ends[1 - low][0] - ends[low][0]) >= 0:
                ends[1 - low] = ends[low]
            ends[low] = x
    return ends[low]


class LBFGS(Optimizer):
    def __init__(self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7, tolerance_change=1e-9,
                 history_size=100, line_search_fn=None):
        max_eval = max_iter * 5 // 4 if max_eval is None else max_eval
        super().__init__(params, {"lr": lr, **_options(locals(), "lr")})  # of any sign, as in torch
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")

    def _gradient(self):
        return _stepgrad._cat([(_stepgrad._zeros(p.shape, p.dtype) if p.grad is None else p.grad).reshape(-1)
                               for p in self.param_groups[0]["params"]], 0, False)

    def _move(self, d, t):
        if not t:  # 0 times infinity is NaN
            return
        begin = 0
        with _stepgrad._NoGrad():
            for p in self.param_groups[0]["params"]:
                p.add_(d[begin : begin + p.numel()].view(p.shape), alpha=t)
                begin += p.numel()

    def _loss(self, closure):
        with enable_grad():
            return closure()

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
        found = self._loss(closure)
        loss, evaluations = float(found), 1
        state.setdefault("func_evals", 0), state.setdefault("n_iter", 0)
        g = self._gradient()
        if g.abs().max() <= group["tolerance_grad"]:
            state["func_evals"] += 1
            return found
        d, before, previous = (state.get(name) for name in ("d", "prev_flat_grad", "prev_loss"))

        def at(t):
            """The point that a step t of d leads to; the parameters stay."""
            nonlocal evaluations
            start = [p.detach().clone() for p in group["params"]]
            self._move(d, t)
            f, evaluations = float(self._loss(closure)), evaluations + 1
            g = self._gradient()
            with _stepgrad._NoGrad():
                for p, x in zip(group["params"], start):
                    p.copy_(x)
            return t, math.inf if math.isnan(f) else f, g.dot(d), g

        for i in range(group["max_iter"]):
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
            t = state["t"] = min(1.0, 1.0 / g.abs().sum()) * lr if state["n_iter"] == 1 else lr
            slope = g.dot(d)
            if slope > -group["tolerance_change"]:
                break
            if group["line_search_fn"] is not None:
                if group["line_search_fn"] != "strong_wolfe":
                    raise RuntimeError("only 'strong_wolfe' is supported")
                smallest = group["tolerance_change"] / d.abs().max()
                t, loss, _, g = _strong_wolfe(at, t, (0, loss, slope, g), smallest)
                state["t"] = t
            self._move(d, t)
            if i + 1 == group["max_iter"]:
                break
            if group["line_search_fn"] is None:
                loss, g, evaluations = float(self._loss(closure)), self._gradient(), evaluations + 1
            change = float((d * t).abs().max())
            if evaluations >= group["max_eval"] or g.abs().max() <= group["tolerance_grad"] or \
                    change <= group["tolerance_change"] or abs(loss - previous) < group["tolerance_change"]:
                break
        state.update(d=d, prev_flat_grad=before, prev_loss=previous, func_evals=state["func_evals"] + evaluations)
        return found
