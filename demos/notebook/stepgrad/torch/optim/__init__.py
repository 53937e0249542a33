"""SGD, Adam and AdamW, as torch.optim has them."""

from copy import deepcopy

import _stepgrad
from _stepgrad import Tensor


class Optimizer:
    def __init__(self, params, defaults):
        self.defaults, self.state, self.param_groups = defaults, {}, []
        params = list(params)
        if not params:
            raise ValueError("optimizer got an empty parameter list")
        for group in params if isinstance(params[0], dict) else [{"params": params}]:
            self.add_param_group(group)

    def add_param_group(self, group):
        params = group["params"]
        params = [params] if isinstance(params, Tensor) else list(params)
        for p in params:
            if not isinstance(p, Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, not {type(p).__name__}")
            if not p.is_leaf:
                raise ValueError("can't optimize a non-leaf Tensor")
        others = {id(p) for own in self.param_groups for p in own["params"]}
        if any(id(p) in others for p in params):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append({**self.defaults, **group, "params": params})

    def zero_grad(self, set_to_none=False):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    if set_to_none:
                        p.grad = None
                    else:
                        p.grad.zero_()

    def step(self, closure=None):
        loss = None
        if closure is not None:
            with _stepgrad._EnableGrad():
                loss = closure()
        with _stepgrad._NoGrad():
            for group in self.param_groups:
                for p in group["params"]:
                    grad = p.grad
                    if grad is not None:
                        self.update(p, grad, self.state.setdefault(p, {}), group)
        return loss

    def _numbered(self):
        return {p: i for i, p in enumerate(q for g in self.param_groups for q in g["params"])}

    def state_dict(self):
        number = self._numbered()
        groups = [{**g, "params": [number[p] for p in g["params"]]} for g in self.param_groups]
        return {"state": {number[p]: s for p, s in self.state.items()}, "param_groups": groups}

    def load_state_dict(self, state_dict):
        groups = deepcopy(state_dict["param_groups"])
        if len(groups) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(g["params"]) != len(o["params"]) for g, o in zip(groups, self.param_groups)):
            raise ValueError("loaded state dict contains a parameter group that doesn't match the size "
                             "of optimizer's group")
        numbers = [i for g in groups for i in g["params"]]
        params = dict(zip(numbers, self._numbered()))
        self.state = {params[i]: deepcopy(s) for i, s in state_dict["state"].items()}
        self.param_groups = [{**g, "params": o["params"]} for g, o in zip(groups, self.param_groups)]

    def __repr__(self):
        text = type(self).__name__ + " ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            for key in sorted(group):
                if key != "params":
                    text += f"    {key}: {group[key]}\n"
        return text + ")"


def _check(**numbers):
    for name, value in numbers.items():
        if not 0 <= value < float("inf"):
            raise ValueError(f"Invalid {name} value: {value}")


class SGD(Optimizer):
    def __init__(self, params, lr, momentum=0, dampening=0, weight_decay=0, nesterov=False):
        _check(**{"learning rate": lr, "momentum": momentum, "weight_decay": weight_decay})
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, {"lr": lr, "momentum": momentum, "dampening": dampening,
                                  "weight_decay": weight_decay, "nesterov": nesterov})

    def update(self, w, g, state, group):
        momentum = group["momentum"]
        if group["weight_decay"]:
            g = g + w.detach() * group["weight_decay"]
        if momentum:
            if "momentum_buffer" in state:
                v = state["momentum_buffer"].mul_(momentum).add_(g, alpha=1 - group["dampening"])
            else:
                v = state["momentum_buffer"] = g.clone()
            g = g.add(v, alpha=momentum) if group["nesterov"] else v
        w.add_(g * -group["lr"])


class AdamW(Optimizer):
    decoupled = True

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2):
        _check(**{"learning rate": lr, "epsilon": eps, "weight_decay": weight_decay})
        for i, beta in enumerate(betas):
            if not 0 <= beta < 1:
                raise ValueError(f"Invalid beta parameter at index {i}: {beta}")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    def update(self, w, g, state, group):
        if not state:
            state["step"] = 0
            state["exp_avg"] = _stepgrad._zeros(w.shape, w.dtype)
            state["exp_avg_sq"] = _stepgrad._zeros(w.shape, w.dtype)
        state["step"] += 1
        decay = group["weight_decay"]
        if decay and not self.decoupled:
            g = g + w.detach() * decay
        _stepgrad._adamw(w, g, state["exp_avg"], state["exp_avg_sq"], group["lr"], *group["betas"],
                         group["eps"], decay if self.decoupled else 0.0, state["step"])


class Adam(AdamW):
    decoupled = False

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0):
        super().__init__(params, lr, betas, eps, weight_decay)


from . import lr_scheduler  # noqa: E402,F401
