"""Which tensors backward refuses to go on with if they were written over after an op, one line for each op."""

import itertools
import pathlib
import sys

import torch

MADE = {"a": (3, 3), "b": (3, 3), "c": (3, 3), "v": (3,), "s": (), "p": (1, 3, 3)}


def operands():
    torch.manual_seed(0)
    numbers = {name: torch.rand(shape) * 0.8 + 0.1 for name, shape in MADE.items()}
    return {**numbers, "i": torch.tensor([[0, 1, 2], [2, 0, 1], [1, 2, 0]]), "t": torch.tensor([0, 2, 1]),
            "m": torch.eye(3) > 0}


def gradients(code, wanting, written):
    """Of those that want one; the write leaves other numbers there."""
    env = operands()
    for name in wanting:
        env[name].requires_grad_()
    env["y"] = eval(code, {"torch": torch, "F": torch.nn.functional, **env})
    if written:
        with torch.no_grad():
            x = env[written]
            x.copy_(x.flip(0) if written in "itm" else x / 2)
    env["y"].backward(torch.ones_like(env["y"]))
    return [env[name].grad.tolist() for name in wanting]


def outcome(code, wanting, written):
    try:
        after = gradients(code, wanting, written)
    except RuntimeError:
        return "refused"
    return "right" if after == gradients(code, wanting, None) else "wrong"


for code in pathlib.Path(sys.argv[0]).with_name("saved_tensors.txt").read_text().splitlines():
    named = [name for name in operands() if name in compile(code, "op", "eval").co_names]
    floats = [name for name in named if name in MADE]
    for n in range(1, len(floats) + 1):
        for wanting in itertools.combinations(floats, n):
            for written in [*named, "y"]:
                print(f"{code}; {' '.join(wanting)} wanting, {written} written: {outcome(code, wanting, written)}")
