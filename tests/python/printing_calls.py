# Many random tensors as text: the test compares the output of torch and stepgrad.
import random

import torch

for seed in range(600):
    r = random.Random(seed)
    shape = [r.choice((0, 1, 2, 3, 5, 9, 30)) for _ in range(r.randint(0, 3))]
    if seed % 50 == 49:
        shape = r.choice(([1001], [60, 40], [3, 5, 100], [8, 8, 20]))
    n = 1
    for size in shape:
        n *= size
    kind = r.choice(("normal", "normal", "whole", "wide", "tiny", "odd", "int", "bool", "int32"))
    draw = {
        "normal": lambda: r.gauss(0, 3),
        "whole": lambda: float(r.randint(-9, 99)),
        "wide": lambda: r.gauss(0, 1) * 10 ** r.randint(-3, 5),
        "tiny": lambda: r.gauss(0, 1e-6),
        "odd": lambda: r.choice((float("nan"), float("inf"), -float("inf"), 1.5, 0.0, -0.0, 2e9)),
        "int": lambda: r.randint(-10**r.randint(0, 6), 10**r.randint(0, 6)),
        "int32": lambda: r.randint(-9, 9),
        "bool": lambda: r.random() < 0.5,
    }[kind]
    dtype = {"int": torch.int64, "bool": torch.bool, "int32": torch.int32}.get(kind, torch.float32)
    x = torch.tensor([draw() for _ in range(n)], dtype=dtype).reshape(shape)
    if dtype == torch.float32 and r.random() < 0.3:
        x.requires_grad_()
    if r.random() < 0.2:
        torch.set_printoptions(precision=r.choice((2, 4, 6)), linewidth=r.choice((60, 80, 120)),
            edgeitems=r.choice((2, 3)), threshold=r.choice((20, 1000)),
            sci_mode=r.choice((None, None, True, False)))
    print(seed, kind, x)
    if r.random() < 0.1:
        torch.set_printoptions(profile="default")
    print(torch.nn.Parameter(x) if dtype == torch.float32 else x.shape)
