"""A parameter after five steps, with drawn gradients."""

import torch

from golden import drawn


def stepped(make):
    w = drawn(3, 4).requires_grad_()
    optimizer = make([w])
    for _ in range(5):
        w.grad = drawn(3, 4)
        optimizer.step()
    return [w]


def entries():
    sgd, adamw = torch.optim.SGD, torch.optim.AdamW
    makers = {
        "sgd": lambda w: sgd(w, 0.1),
        "sgd with momentum": lambda w: sgd(w, 0.1, momentum=0.9),
        "sgd with decay": lambda w: sgd(w, 0.1, weight_decay=0.2),
        "sgd with both": lambda w: sgd(w, 0.1, momentum=0.9, weight_decay=0.2),
        "adamw": adamw,
        "adamw without decay": lambda w: adamw(w, 0.1, weight_decay=0),
        "adamw of other betas": lambda w: adamw(w, 0.1, betas=(0.8, 0.95), eps=1e-3, weight_decay=0.3),
    }
    return {f"optimizers/{name}": lambda make=make: stepped(make) for name, make in makers.items()}
