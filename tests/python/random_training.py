# Optimizers and loaders with random options, for random_calls.py.
import copy

import torch
from torch.optim import lr_scheduler as S
from torch.utils import data

from random_options import TF, call, options, tensor
from shown import digits, shown

EPOCHS, PARTS = (0, 1, 2, 4, 7), (0, 1.5, 2.0, 2.75, 3, 6.5)

# Some values are refused.
ADAM = dict(lr=(0.5, 0.05, -0.1), betas=((0.9, 0.99), (0.5, 0.0), (1.0, 0.9)), eps=(1e-8, 0.1, 1e-3, -0.1))
DECAY = {"weight_decay": (0.1, 0.0, 0.5, -0.1)}
KEPT = "lr momentum dampening nesterov weight_decay betas eps alpha rho amsgrad centered params".split()
OPTIMIZERS = {
    "SGD": dict(lr=(0.5, 0.05, 0.0), momentum=(0.5, 0.9, -0.5), dampening=(0.0, 0.3), nesterov=TF, maximize=TF, **DECAY),
    "Adam": dict(amsgrad=TF, maximize=TF, **ADAM, **DECAY), "AdamW": dict(amsgrad=TF, maximize=TF, **ADAM, **DECAY),
    "RMSprop": dict(lr=(0.5, 0.05), alpha=(0.5, 0.9, -0.1), eps=(1e-8, 0.1), momentum=(0.5,), centered=TF, **DECAY),
    "Adagrad": dict(lr=(0.5, 0.05), lr_decay=(0.1, 0.0, -0.1), initial_accumulator_value=(0.0, 0.5, -1.0), eps=(1e-10, 0.1), **DECAY),
    "Adadelta": dict(lr=(0.5, 2.0), rho=(0.5, 0.9, 2.0), **DECAY),
}


def of_optimizer(r):
    """Steps, between which its state goes to another one, a rate changes, or a group comes."""
    name = r.choice(list(OPTIMIZERS))
    chosen = options(r, **OPTIMIZERS[name])
    made = call(f"torch.optim.{name}", "groups()", chosen if "lr=" in chosen.replace("lr_", "") else "lr=0.25" + (chosen and ", " + chosen))
    w, v, u = tensor(r, 3, grad=True), tensor(r, 2, 2, grad=True), tensor(r, 1, grad=True)
    several, to_none, by_closure = r.random() < 0.3, r.random() < 0.5, r.random() < 0.5
    changes = [r.random() for _ in range(r.randint(1, 9))]
    yield f"{made} {several} {to_none} {by_closure} {changes}"

    def groups():
        return [{"params": [w], "lr": 0.25}, {"params": [v, u]}] if several else [w, v, u]

    def closure():
        opt.zero_grad(set_to_none=to_none)
        loss = w.pow(2).sum() + (v * torch.tensor([[1.0, -2.0], [0.5, 3.0]])).sum().pow(2)
        loss.backward()
        return loss

    env = {"torch": torch, "groups": groups}
    opt = eval(made, env)
    saved = [copy.deepcopy(opt.state_dict())]  # from before the first step on
    for change in changes:
        if 0 < change < 0.2:
            state = opt.state_dict()
            if change < 0.12:
                saved.append(copy.deepcopy(state))
                state = saved[int(1000 * change) % len(saved)]
            if change > 0.06:  # else one that has run loads it
                opt = eval(made, env)
            opt.load_state_dict(state)  # refused if a group came
        elif 0.2 < change < 0.25:
            opt.param_groups[0]["lr"] = 0.05
        elif 0.25 < change < 0.3:
            opt.add_param_group({"params": [tensor(r, 2, grad=True)], "lr": 1.0})
        if by_closure:
            with torch.no_grad():
                yield f"{opt.step(closure):.6e}"
        else:
            closure(), opt.step()
    yield shown([p.detach() for p in (w, v, u)])
    state = opt.state_dict()
    yield str([f"{i} {k} {digits(float(x)) if k == 'step' else x is not None and digits(x.tolist())}"
        for i, s in sorted(state["state"].items()) for k, x in sorted(s.items()) if x is not None])
    yield str([f"{k} {shown(g[k]) if k != 'params' else g[k]}" for g in state["param_groups"] for k in sorted(g) if k in KEPT])
    yield repr(opt).replace("foreach: None", "").replace("\n", " ") if name == "SGD" and "momentum" not in made else ""


# ---- Schedules

# And what a step's argument may be.
SCHEDULES = (*((code, EPOCHS) for code in (
    "StepLR(o, 3, 0.5{})", "MultiStepLR(o, [2, 5, 5], 0.5{})", "ExponentialLR(o, 0.5{})", "CosineAnnealingLR(o, 4, 0.1{})",
    "LambdaLR(o, lambda i: 0.5**i{})", "LinearLR(o, 0.25, 0.75, 2{})", "ConstantLR(o, 0.5, 2{})", "Warm(o, 4{})")),
    *((f"CosineAnnealingWarmRestarts(o, {more}{{}})", PARTS) for more in ("3", "2, 2, 0.1")),
    *((f"OneCycleLR(o, 1.0, {more}{{}})", ()) for more in ("6", "8, three_phase=True", "5, pct_start=0.0")),
    ("SequentialLR(o, [ConstantLR(o, 0.5, 2), ExponentialLR(o, 0.5), LinearLR(o, 0.5, 1.0, 2)], [2, 5])", ()),
    ("ReduceLROnPlateau(o, 'min', 0.5, 1, cooldown=1, min_lr=0.1)", None),
    ("ReduceLROnPlateau(o, 'max', 0.5, 0, 0.25, 'abs', eps=0.3 / 4)", None))
MEASURED = [0.25], [0.5], [0.75], [1.0], [0.5, 7]  # and the epoch


class Warm(S._LRScheduler):
    def __init__(self, o, n, last_epoch=-1): self.n = n; super().__init__(o, last_epoch)
    def get_lr(self): return [base * min(1, (self.last_epoch + 1) / self.n) for base in self.base_lrs]


def of_schedule(r):
    """The rates after each step, also to an epoch; between them a state goes to another one, or back to this one."""
    code, epochs = r.choice(SCHEDULES)
    resumed = "{}" in code and r.random() < 0.3
    code = code.format(f", last_epoch={r.choice((-1, 0, 2))}" if resumed else "")
    env = {**vars(S), "Warm": Warm}

    def made():
        env["o"] = torch.optim.SGD([torch.ones(1, requires_grad=True)], 0.3, 0.9)
        env["o"].param_groups[0].update({"initial_lr": 1.0} if resumed else {})
        return eval(code, env)

    s, changes = made(), [r.random() for _ in range(r.randint(1, 14))]
    yield f"{code} {epochs is None or len(epochs)} {changes}"
    saved = [copy.deepcopy(s.state_dict())]
    for change in changes:
        if change < 0.1:
            env["o"].param_groups[0]["lr"] = 0.7
        elif change < 0.3:
            saved.append(copy.deepcopy(s.state_dict()))
            if change > 0.2:
                s = made()
            s.load_state_dict(saved[int(1000 * change) % len(saved)])
        else:
            env["o"].step()
            s.step(*(r.choice(MEASURED) if epochs is None else [r.choice(epochs)] if epochs and r.random() < 0.4 else []))
        yield shown([[g["lr"], g["momentum"]] for g in env["o"].param_groups] + [
            getattr(s, name, 0) for name in ("last_epoch", "num_bad_epochs", "cooldown_counter")])


# ---- Data


def of_data(r):
    n = r.randint(1, 7)
    sets = ("data.TensorDataset(torch.arange(n), torch.arange(n) * 0.5)", "list(range(n))",
        "data.Subset(list(range(10)), list(range(n))[::-1])", "[{'a': i, 'b': [i, torch.tensor(i + 0.5)]} for i in range(n)]",
        "data.ConcatDataset([list(range(2)), list(range(10, 10 + n))])", "[(i, 'x' * i) for i in range(n)]",
        "torch.arange(float(n) * 2).view(n, 2)")
    text = call("data.DataLoader", r.choice(sets), options(
        r, batch_size=(1, 2, 3, None), drop_last=TF, shuffle=(False,), num_workers=(0,)))
    if r.random() < 0.3:
        text = call("data.DataLoader", r.choice(sets), "batch_sampler=data.BatchSampler(data.SequentialSampler(range(n)), "
            f"{r.randint(1, 3)}, {r.choice(TF)})")
    elif r.random() < 0.2:
        text = call("data.DataLoader", "list(range(n))", "collate_fn=lambda xs: tuple(xs)", options(r, batch_size=(2, 3)))
    yield f"{text} of {n}"
    loader = eval(text, {**globals(), "n": n})
    yield shown([str(shown(batch)) for batch in loader])
    yield str(len(loader))
