"""LBFGS: Newton's step with an inverse Hessian approximated from the latest changes of the gradient
(Nocedal 1980). Equations and algorithms are those of Nocedal and Wright 2006."""

import math

import _stepgrad

from . import Optimizer, _options
from ..modes import enable_grad


def _cubic(a, b):
    """Where the cubic with the values and slopes of two points (t, f, slope) is least (3.59)."""
    (t, f, slope), (u, g, rise) = a, b
    d1 = slope + rise - 3 * (f - g) / (t - u)
    square = d1 * d1 - slope * rise
    if square < 0:
        return math.nan
    d2 = math.copysign(math.sqrt(square), u - t)
    return u - (u - t) * (rise + d2 - d1) / (rise - slope + 2 * d2)


def _strong_wolfe(at, t, begin, smallest):
    """The point (t, f, slope, ...) of a step that falls enough to a slope that is flat enough (algorithms 3.5
    and 3.6). at(t) is the point there, and `begin` the one at 0."""
    _, f0, slope0 = begin[:3]
    before, high = begin, None

    def rises(x, than):
        return x[1] > f0 + 1e-4 * x[0] * slope0 or than[0] > 0 and x[1] >= than[1]

    def is_flat(x):
        return abs(x[2]) <= -0.9 * slope0

    for tried in range(25):  # until a minimum is between two steps
        x = at(t)
        if rises(x, before) or is_flat(x) or x[2] >= 0:
            break
        least, most = t + 0.01 * (t - before[0]), 10 * t
        found = _cubic(before[:3], x[:3])
        t = (least + most) / 2 if math.isnan(found) else min(max(found, least), most)
        before = x
    else:
        return min(begin, x, key=lambda x: x[1])
    if not rises(x, before) and is_flat(x):
        return x
    low, high = sorted((before, x), key=lambda x: x[1])
    was_near = False
    for _ in range(25 - tried):
        least, most = sorted((low[0], high[0]))
        if most - least < smallest:
            break
        found = _cubic(low[:3], high[:3])
        t = (least + most) / 2 if math.isnan(found) else min(max(found, least), most)
        margin = 0.1 * (most - least)
        is_near = min(most - t, t - least) < margin
        if is_near and (was_near or t in (least, most)):  # an end twice: a tenth away from it
            t, is_near = (most - margin if most - t < t - least else least + margin), False
        was_near = is_near
        x = at(t)
        if x[1] > f0 + 1e-4 * t * slope0 or x[1] >= low[1]:
            high = x
        else:
            if is_flat(x):
                return x
            high = low if x[2] * (high[0] - low[0]) >= 0 else high
            low = x
    return low


class LBFGS(Optimizer):
    def __init__(self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7, tolerance_change=1e-9,
                 history_size=100, line_search_fn=None):
        if line_search_fn not in (None, "strong_wolfe"):
            raise RuntimeError("only 'strong_wolfe' is supported")
        max_eval = max_eval or max_iter * 5 // 4
        super().__init__(params, {"lr": lr, **_options(locals(), "lr")})  # of any sign, as in torch
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")

    def _gradient(self):
        return _stepgrad._cat([(_stepgrad._zeros(p.shape, p.dtype) if p.grad is None else p.grad).reshape(-1)
                               for p in self.param_groups[0]["params"]], 0, False)

    def _move(self, d, t):
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
        state.setdefault("n_iter", 0)
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
            if group["line_search_fn"]:
                def at(t):
                    nonlocal evaluations
                    start = [p.detach().clone() for p in group["params"]]
                    self._move(d, t)
                    f, evaluations = float(self._loss(closure)), evaluations + 1
                    g = self._gradient()
                    with _stepgrad._NoGrad():
                        for p, x in zip(group["params"], start):
                            p.copy_(x)
                    return t, f, float(g.dot(d)), g

                smallest = group["tolerance_change"] / float(d.abs().max())
                t, loss, _, g = _strong_wolfe(at, t, (0, loss, slope, g), smallest)
                state["t"] = t
            self._move(d, t)
            if i + 1 == group["max_iter"]:
                break
            if not group["line_search_fn"]:
                loss, g, evaluations = float(self._loss(closure)), self._gradient(), evaluations + 1
            change = float((d * t).abs().max())
            if evaluations >= group["max_eval"] or g.abs().max() <= group["tolerance_grad"] or \
                    change <= group["tolerance_change"] or abs(loss - previous) < group["tolerance_change"]:
                break
        state.update(d=d, prev_flat_grad=before, prev_loss=loss, func_evals=state.get("func_evals", 0) + evaluations)
        return found
