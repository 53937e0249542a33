"""Optimizers, as in torch.optim, and their base class."""

import collections
import copy
import functools
import warnings

import _stepgrad
from _stepgrad import Tensor

from ..nn.parameter import zero_grads as _zero_grads


def _counted(step):
    @functools.wraps(step)
    def call(self, *args, **kwargs):
        before = self._step_count
        loss = step(self, *args, **kwargs)
        self._step_count = before + 1  # also if it called another class's
        return loss
    return call


class Optimizer:
    counts_in_tensors = False  # state["step"] is one
    _step_count = 0  # for a scheduler's warning

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if "step" in cls.__dict__:
            cls.step = _counted(cls.step)

    def __init__(self, params, defaults):
        if isinstance(params, Tensor):
            raise TypeError("an optimizer's params are a list of tensors or dicts, and not a tensor")
        self.defaults, self.state, self.param_groups = defaults, collections.defaultdict(dict), []
        params = list(params)
        if not params:
            raise ValueError("optimizer got an empty parameter list")
        for group in params if isinstance(params[0], dict) else [{"params": params}]:
            self.add_param_group(group)

    def add_param_group(self, param_group):
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError("a group's params are an ordered collection: the order of a set changes between runs")
        params = [params] if isinstance(params, Tensor) else list(params)
        for p in params:
            if not isinstance(p, Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, not {type(p).__name__}")
            if not p.is_leaf:
                raise ValueError("can't optimize a non-leaf Tensor")
        if len({id(p) for p in params}) < len(params):
            warnings.warn("optimizer contains a parameter group with duplicate parameters", stacklevel=3)
        others = {id(p) for own in self.param_groups for p in own["params"]}
        if any(id(p) in others for p in params):
            raise ValueError("some parameters appear in more than one parameter group")
        param_group["params"] = params  # the caller's dict is the group, as in torch
        for name, default in self.defaults.items():
            param_group.setdefault(name, default)
        if param_group.get("differentiable"):
            raise NotImplementedError("differentiable=True: a step is not recorded here")
        self.param_groups.append(param_group)

    def zero_grad(self, set_to_none=False):
        _zero_grads((p for group in self.param_groups for p in group["params"]), set_to_none)

    def step(self, closure=None):
        loss = None
        self._step_count += 1
        if closure is not None:
            with _stepgrad._Grad(True):
                loss = closure()
        with _stepgrad._NoGrad():
            for group in self.param_groups:
                for p in group["params"]:
                    grad = p.grad
                    if grad is not None:
                        grad = -grad if group.get("maximize") else grad
                        self.update(p, grad, self.state[p], group)
        return loss

    def _numbered(self):
        return {p: i for i, p in enumerate(q for g in self.param_groups for q in g["params"])}

    def state_dict(self):
        number = self._numbered()
        groups = []
        for group in self.param_groups:  # in torch's order
            others = {name: value for name, value in group.items() if name != "params"}
            groups.append({**others, "params": [number[p] for p in group["params"]]})
        return {"state": {number[p]: s for p, s in self.state.items()}, "param_groups": groups}

    def load_state_dict(self, state_dict):
        groups = copy.deepcopy(state_dict["param_groups"])
        if len(groups) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(g["params"]) != len(o["params"]) for g, o in zip(groups, self.param_groups)):
            raise ValueError("loaded state dict has a parameter group of another size")
        numbers = [i for g in groups for i in g["params"]]
        params = dict(zip(numbers, self._numbered()))
        self.state = collections.defaultdict(dict)
        self.state.update((params[i], copy.deepcopy(s)) for i, s in state_dict["state"].items())
        for p, state in self.state.items():
            for name, x in state.items():  # of a file in half precision, too
                if name != "step" and isinstance(x, Tensor) and x.dtype != p.dtype:
                    state[name] = x.to(p.dtype)
            if self.counts_in_tensors and "step" in state:
                state["step"] = _stepgrad._tensor(float(state["step"]), None)
        for g, own in zip(groups, self.param_groups):
            g["params"] = own["params"]
        self.param_groups = groups

    def __repr__(self):
        text = type(self).__name__ + " ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            for key in sorted(group):
                if key != "params":
                    text += f"    {key}: {group[key]}\n"
        return text + ")"


def _zero():
    return _stepgrad._zeros((), _stepgrad.float32)


def _begun(state, w, *names, **tensors):
    """Counts the step; starts with zeros."""
    if not state:
        state.update(step=_zero(), **{name: _stepgrad._zeros(w.shape, w.dtype) for name in names}, **tensors)
    state["step"] += 1
    return int(state["step"])


_SAID = {"lr": "learning rate", "eps": "epsilon"}
_NOT_NEGATIVE = {"lr", "eps", "weight_decay", "momentum", "alpha", "lr_decay", "initial_accumulator_value", "momentum_decay"}


def _options(given, *left_out):
    """The defaults of an optimizer's groups: what its __init__ was called with, which is locals() there."""
    options = {name: value for name, value in given.items() if name not in ("self", "params", "__class__", *left_out)}
    for name, value in options.items():
        if name in _NOT_NEGATIVE and not 0 <= value < float("inf"):
            raise ValueError(f"Invalid {_SAID.get(name, name)} value: {value}")
    for i in (0, 1) if "betas" in options else ():
        if not 0 <= options["betas"][i] < 1:
            raise ValueError(f"Invalid beta parameter at index {i}: {options['betas'][i]}")
    return options


def _average(x, g, beta):
    """x = β·x + (1 - β)·g"""
    return x.mul_(beta).add_(g, alpha=1 - beta)


def _average_square(x, g, beta):
    """x = β·x + (1 - β)·g²"""
    return x.mul_(beta).addcmul_(g, g, value=1 - beta)


def _decayed(w, g, group):
    """g + λ·w"""
    return g + w.detach() * group["weight_decay"] if group["weight_decay"] else g


class SGD(Optimizer):
    def __init__(self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False,
            *, maximize=False, foreach=None, differentiable=False):
        options = _options(locals())
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, options)

    def update(self, w, g, state, group):
        momentum, g = group["momentum"], _decayed(w, g, group)
        if momentum:
            if state.get("momentum_buffer") is not None:
                v = state["momentum_buffer"].mul_(momentum).add_(g, alpha=1 - group["dampening"])
            else:
                v = state["momentum_buffer"] = g.clone()
            g = g.add(v, alpha=momentum) if group["nesterov"] else v
        else:
            state.setdefault("momentum_buffer", None)
        w.add_(g * -group["lr"])


class AdamW(Optimizer):
    decoupled = counts_in_tensors = True

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2,
            amsgrad=False, *, maximize=False, foreach=None, capturable=False, differentiable=None,
            fused=None):
        left_out = [name for name, value in (("differentiable", differentiable), ("fused", fused)) if value is None]
        super().__init__(params, _options(locals(), "left_out", *left_out))

    def update(self, w, g, state, group):
        t = _begun(state, w, "exp_avg", "exp_avg_sq")
        decay, g = (group["weight_decay"], g) if self.decoupled else (0.0, _decayed(w, g, group))
        if group["amsgrad"]:
            return _amsgrad(w, g, state, group, decay)
        _stepgrad._adamw(w, g, state["exp_avg"], state["exp_avg_sq"], group["lr"], *group["betas"],
            group["eps"], decay, t)


class Adam(AdamW):
    decoupled = False

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False,
            *, differentiable=False, fused=False, **options):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, differentiable=differentiable,
            fused=fused, **options)


def _amsgrad(w, g, state, group, decay):
    """AdamW with the largest average of g² so far (Reddi et al. 2018)."""
    (beta1, beta2), t = group["betas"], int(state["step"])
    w.mul_(1 - group["lr"] * decay)
    m, v = _average(state["exp_avg"], g, beta1), _average_square(state["exp_avg_sq"], g, beta2)
    largest = state["max_exp_avg_sq"] = v.maximum(state.get("max_exp_avg_sq", v))
    size = (largest.sqrt() / (1 - beta2**t) ** 0.5).add_(group["eps"])
    w.addcdiv_(m, size, value=-group["lr"] / (1 - beta1**t))


class RMSprop(Optimizer):
    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False,
            foreach=None, maximize=False, differentiable=False):
        super().__init__(params, _options(locals()))

    def update(self, w, g, state, group):
        state.setdefault("step", 0)
        for name, wanted in (("square_avg", True), ("momentum_buffer", group["momentum"]),
                ("grad_avg", group["centered"])):
            if wanted and name not in state:
                state[name] = _stepgrad._zeros(w.shape, w.dtype)
        state["step"] += 1
        alpha = group["alpha"]
        g = _decayed(w, g, group)
        v = _average_square(state["square_avg"], g, alpha)
        if group["centered"]:
            v = v - _average(state["grad_avg"], g, alpha).square()
        step = g / v.sqrt().add_(group["eps"])
        if group["momentum"]:
            step = state["momentum_buffer"].mul_(group["momentum"]).add_(step)
        w.add_(step, alpha=-group["lr"])


class Adagrad(Optimizer):
    counts_in_tensors = True

    def __init__(self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10,
            foreach=None, *, maximize=False):
        super().__init__(params, _options(locals()))
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p].update(step=_zero(), sum=_stepgrad._full(
                    p.shape, group["initial_accumulator_value"], p.dtype))

    def update(self, w, g, state, group):
        state["step"] += 1
        g = _decayed(w, g, group)
        lr = group["lr"] / (1 + (int(state["step"]) - 1) * group["lr_decay"])
        w.addcdiv_(g, state["sum"].addcmul_(g, g, value=1).sqrt().add_(group["eps"]), value=-lr)


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


from . import lr_scheduler
