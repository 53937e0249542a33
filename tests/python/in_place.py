"""The effect of statements that write to x on everything that shares its memory, and on
gradients."""

import torch

from shown import digits

# What x is: numbers, the output of an op, a view of one, a leaf, and a leaf where nothing is recorded.
STARTS = ("z.clone()", "w * 1", "(w * 1).t()", "w", "w")


def written(code, starts=STARTS, **names):
    """For each start: x and, if there is one, y, their versions, and the gradients of the leaves w, u and v; or
    the type of the error."""
    return [_after(code, start, i < 4, names) for i, start in enumerate(starts)]


def _after(code, start, recorded, names):
    leaves = {"w": torch.arange(1.0, 10).reshape(3, 3), "u": torch.arange(1.0, 4), "v": torch.tensor(2.0)}
    env = {**names, "torch": torch, "F": torch.nn.functional, "z": torch.arange(9.0).reshape(3, 3), "m": torch.eye(3) > 0,
        "i": torch.arange(9).reshape(3, 3), "first": torch.tensor([0]), "nn": torch.nn,
        **{name: x.requires_grad_() for name, x in leaves.items()}}
    env["x"] = eval(start, env)
    try:
        with torch.set_grad_enabled(recorded):
            exec(code, env)
        made = [x for x in (env["x"], env.get("y")) if isinstance(x, torch.Tensor)]
        told = [(digits(x.tolist()), x._version, type(x).__name__) for x in made]
        loss = sum((x * torch.arange(1.0, x.numel() + 1).reshape(x.shape)).sum() for x in made if x.requires_grad)
        if isinstance(loss, torch.Tensor):
            loss.backward()
    except Exception as error:
        return type(error).__name__
    return told, [None if x.grad is None else digits(x.grad.tolist()) for x in leaves.values()]
