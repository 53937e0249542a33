"""A parameter after each of five steps, with given gradients."""

import torch

import golden

STEPS = 5


def steps(make, tensors, name):
    w = tensors["w"].clone().requires_grad_()
    optimizer = make([w])
    for t in range(1, STEPS + 1):
        w.grad = tensors[f"g{t}"].clone()
        optimizer.step()
        tensors[f"{name}/w{t}"] = w.detach().clone()


def data():
    return {"w": torch.randn(3, 4)} | {f"g{t}": torch.randn(3, 4) for t in range(1, STEPS + 1)}


def write(folder):
    torch.manual_seed(1)
    sgd = data()
    steps(lambda w: torch.optim.SGD(w, 0.1), sgd, "plain")
    steps(lambda w: torch.optim.SGD(w, 0.1, momentum=0.9), sgd, "momentum")
    steps(lambda w: torch.optim.SGD(w, 0.1, weight_decay=0.2), sgd, "weight_decay")
    steps(lambda w: torch.optim.SGD(w, 0.1, momentum=0.9, weight_decay=0.2), sgd, "both")
    golden.write(folder / "sgd.txt", sgd)

    adamw = data()
    steps(lambda w: torch.optim.AdamW(w), adamw, "default")
    steps(lambda w: torch.optim.AdamW(w, 0.1, weight_decay=0), adamw, "no_decay")
    steps(
        lambda w: torch.optim.AdamW(w, 0.1, betas=(0.8, 0.95), eps=1e-3, weight_decay=0.3),
        adamw,
        "all",
    )
    golden.write(folder / "adamw.txt", adamw)
