"""How PyTorch prints tensors.

A case is its shape and how it is on the tape, its numbers, and then the text:

    [2] leaf
    0.5 1
    tensor([0.5000, 1.0000], requires_grad=True)
    ---

Long tensors are given as "first:step". "whole" stands for PyTorch's integers. Nodes of stepgrad have
no number at the end of their names.
"""

import math

import torch
from torch import _tensor_str

OPS = {
    "plain": lambda x: x,
    "whole": lambda x: x.long(),
    "leaf": lambda x: x,
    "add": lambda x: x + 0,
    "mul": lambda x: x * 1,
    "clamp": lambda x: x.clamp(min=-math.inf),
    "log_softmax": lambda x: torch.log_softmax(x, -1),
}


def text(x, grad):
    x = OPS[grad](x.clone().requires_grad_(grad not in ("plain", "whole")))
    if x.grad_fn is None:
        return repr(x)
    indent = len("tensor(")
    numbers = _tensor_str._tensor_str(x.detach(), indent)
    suffix = f"grad_fn=<{type(x.grad_fn).__name__.rstrip('0123456789')}>"  # AddBackward0
    return _tensor_str._add_suffixes("tensor(" + numbers, [suffix], indent, False)


class Cases:
    def __init__(self, file):
        self.file = file

    def add(self, shape, numbers, grad="plain"):
        x = torch.tensor(numbers).reshape(shape)
        self.write(x, grad, " ".join(f"{number:.9g}" for number in x.reshape(-1).tolist()))

    def add_long(self, shape, first, step, grad="plain"):
        numel = torch.Size(shape).numel()
        x = torch.tensor([first + i * step for i in range(numel)]).reshape(shape)
        self.write(x, grad, f"{first}:{step}")

    def write(self, x, grad, numbers):
        print(f"{list(x.shape)} {grad}", numbers, text(x, grad), "---", sep="\n", file=self.file)


def small(cases):
    inf, nan = math.inf, math.nan
    rows = [
        [0.0], [1.0], [-1.0], [0.5], [-0.5], [1e-5], [123456.789], [1e8], [1.5e8], [1e30], [nan],
        [inf], [-inf], [-0.0],
        [0.0, 2, 5, 2, 3, 0], [0.0, 2, 5, 2, 3, -12], [0.0, 0, 0], [1.0, 5000], [-1.0, 100000],
        [1e8, 1], [2e8, 1], [1.5e9, 3e9], [16777216.0, 1],
        [0.0, -0.0, 0.5], [-0.0, 1, 2], [0.1, 0.25, 100], [0.1, 0.25, 100.5, -1000],
        [0.001, 1.5], [0.001, 1.001], [0.0001, 0.05], [0.00009, 0.05], [1e-30, 1e30],
        [0.99996, 0.5], [9.99996, 0.5], [99.99999, 0.5], [-9.99996, 0.5],
        [nan, 1], [nan, 0], [inf, -inf, nan], [nan, 0.5], [inf, 1, 20000], [-inf, 0, 0],
        [-inf, 0.25, -0.5], [inf, 3e8], [nan, 1e-5], [-1e9, 0.5], [1.0, nan, -12345],
    ]
    for row in rows:
        if len(row) == 1:
            cases.add([], row)
            cases.add([], row, "leaf")
        cases.add([len(row)], row)
        cases.add([1, len(row)], row, "leaf")
        if all(abs(number) < 2**31 and number.is_integer() for number in map(float, row)):
            cases.add([len(row)], row, "whole")


def shapes(cases):
    for shape in ([0], [0, 3], [3, 0], [2, 0, 3]):
        cases.add(shape, [])
        cases.add(shape, [], "leaf")
    for shape in ([2, 3], [6, 1], [1, 6], [1, 2, 3], [3, 1, 2], [2, 1, 1, 3], [1, 1, 1, 1, 1, 6]):
        cases.add(shape, [1.0, 2, 3, 4, 5, 6], "add")
        cases.add(shape, [0.5, -2, 3, 4, 5, 60], "mul")
    torch.manual_seed(2)
    for n in (5, 10, 20, 30):
        cases.add([n], torch.randn(n).tolist())
        cases.add([2, n], torch.randn(2 * n).tolist(), "leaf")
        cases.add([1, 2, n], (100 * torch.randn(2 * n)).tolist(), "clamp")
    cases.add([2, 3, 4], torch.log_softmax(torch.randn(24), 0).tolist(), "log_softmax")


def line_ends(cases):
    """Suffixes that just fit on the line, and just do not."""
    for n in range(1, 26):
        cases.add([n], [float(i % 10) for i in range(n)], "leaf")
        cases.add([n], [float(i % 10) for i in range(n)], "add")
        cases.add([2, n], [float(i % 10) for i in range(2 * n)], "whole")
        cases.add([n], [10.0 * i + 100 for i in range(n)], "log_softmax" if n == 1 else "clamp")
    for n in range(1, 10):
        cases.add([n], [i + 0.5 for i in range(n)], "leaf")
        cases.add([2, n], [i + 0.5 for i in range(2 * n)], "mul")


def long(cases):
    for shape in ([1000], [1001], [7, 143], [7, 145], [6, 200], [200, 6], [11, 10, 10], [1001, 1],
                  [1, 1001], [3, 4, 5, 20], [8, 8, 8, 8]):
        cases.add_long(shape, 0.0, 1.0)
        cases.add_long(shape, 0.0, 1.0, "whole")
        if shape != [1000]:
            cases.add_long(shape, -0.5, 0.001, "leaf")
    cases.add_long([50, 40], 1.0, 1e6, "add")
    cases.add_long([2000], 0.25, 0.0, "add")


def write(folder):
    with open(folder / "printing.txt", "w") as file:
        cases = Cases(file)
        for group in (small, shapes, line_ends, long):
            group(cases)
