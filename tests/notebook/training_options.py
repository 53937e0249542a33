# Optimizers, schedulers and loaders with random options, for option_calls.py.
import torch
from torch.optim import lr_scheduler
from torch.utils import data

from drawn_options import TF, call, options, tensor
from shown import digits, shown

RATES = {"lr": (0.5, 0.05)}
OPTIMIZERS = {
    "SGD": dict(lr=(0.5, 0.05), momentum=(0.5, 0.9), dampening=(0.0, 0.3), weight_decay=(0.1,), nesterov=TF,
                maximize=TF),
    "Adam": dict(betas=((0.9, 0.99), (0.5, 0.0)), eps=(1e-8, 0.1), weight_decay=(0.1,), amsgrad=TF, maximize=TF, **RATES),
    "AdamW": dict(betas=((0.9, 0.99), (0.5, 0.0)), eps=(1e-8, 0.1), weight_decay=(0.1, 0.0), amsgrad=TF, **RATES),
    "RMSprop": dict(alpha=(0.5, 0.9), eps=(1e-8, 0.1), weight_decay=(0.1,), momentum=(0.5,), centered=TF, **RATES),
    "Adagrad": dict(lr_decay=(0.1,), weight_decay=(0.1,), initial_accumulator_value=(0.0, 0.5), eps=(1e-10, 0.1), **RATES),
}


def of_optimizer(r):
    name = r.choice(list(OPTIMIZERS))
    chosen = options(r, **OPTIMIZERS[name])
    made = call(f"torch.optim.{name}", "ps", chosen if "lr=" in chosen.replace("lr_", "") else "lr=0.25" + (chosen and ", " + chosen))
    yield made
    ps = [tensor(r, 3, grad=True), tensor(r, 2, 2, grad=True), tensor(r, 1, grad=True)]
    opt = eval(made)
    for _ in range(r.randint(1, 5)):
        opt.zero_grad()
        (ps[0].pow(2).sum() + (ps[1] * torch.tensor([[1.0, -2.0], [0.5, 3.0]])).sum().pow(2)).backward()
        opt.step()
    yield shown([p.detach() for p in ps])
    yield str([sorted(s) for s in opt.state_dict()["state"].values()])
    yield repr(opt).replace("foreach: None", "").replace("\n", " ") if name == "SGD" and "momentum" not in made else ""


SCHEDULERS = {
    "StepLR": ("{n}", dict(gamma=(0.5, 0.1))), "MultiStepLR": ("[2, {n}, 5]", dict(gamma=(0.5, 0.1))),
    "ExponentialLR": ("0.7", {}), "CosineAnnealingLR": ("{n}", dict(eta_min=(0.01, 0.1))),
    "LambdaLR": ("lambda e: 1 / (e + {n})", {}),
    "LinearLR": ("", dict(start_factor=(0.5, 0.1), end_factor=(1.0, 0.75), total_iters=(3, 5))),
    "ConstantLR": ("", dict(factor=(0.5, 0.1), total_iters=(3, 5))),
    "CosineAnnealingWarmRestarts": ("{n}", dict(T_mult=(1, 2), eta_min=(0.01,))),
    "OneCycleLR": ("0.5, total_steps=12", dict(pct_start=(0.3, 0.5), anneal_strategy=("cos", "linear"),
                   div_factor=(25.0, 4.0), final_div_factor=(1e4, 10.0), three_phase=TF)),
    "ReduceLROnPlateau": ("", dict(mode=("min", "max"), factor=(0.5, 0.1), patience=(0, 1, 2), threshold=(1e-4, 0.3),
                          threshold_mode=("rel", "abs"), cooldown=(0, 1), min_lr=(0.0, 0.05), eps=(1e-8, 0.03))),
}


def of_scheduler(r):
    def made(name):
        fixed, named = SCHEDULERS[name]
        return call(f"lr_scheduler.{name}", "opt", fixed.format(n=r.randint(1, 4)), options(r, **named))

    def rates():
        return [digits(float(g["lr"])) for g in opt.param_groups]

    name = r.choice(list(SCHEDULERS))
    text = made(name)
    if name != "ReduceLROnPlateau" and r.random() < 0.2:
        text = f"lr_scheduler.SequentialLR(opt, [{made('ConstantLR')}, {made('ExponentialLR')}], milestones=[{r.randint(1, 4)}])"
    yield text
    ps = [torch.zeros(1, requires_grad=True) for _ in range(2)]
    opt = torch.optim.SGD([{"params": ps[:1]}, {"params": ps[1:], "lr": 0.25}], lr=0.5)
    sched = eval(text, {**globals(), "opt": opt})
    seen = [rates()]
    for epoch in range(11):
        opt.step()
        sched.step(r.choice((1.0, 0.9, 0.5, 2.0))) if name == "ReduceLROnPlateau" else sched.step()
        seen.append(rates())
        if epoch == 4 and r.random() < 0.3 and "Sequential" not in text and name not in ("OneCycleLR", "LambdaLR"):
            state, rate = sched.state_dict(), [g["lr"] for g in opt.param_groups]
            opt = torch.optim.SGD([{"params": ps[:1]}, {"params": ps[1:], "lr": 0.25}], lr=0.5)
            sched = eval(text, {**globals(), "opt": opt})
            sched.load_state_dict(state)
            for group, lr in zip(opt.param_groups, rate):
                group["lr"] = lr
    yield str(seen)
    yield str(sched.last_epoch)


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
