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
import pathlib

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
    """How numbers decide between decimals, powers of ten and whole numbers, and how wide they are."""
    inf, nan = math.inf, math.nan
    for number in (0.0, -0.0, 1e-5, 123456.789, 1e8, nan):
        cases.add([], [number])
    cases.add([], [0.5], "leaf")
    cases.add([], [-inf], "leaf")
    for row in ([0.0, 0, 0], [-1.0, 100000], [2e8, 1], [1.5e9, 3e9], [0.0, -0.0, 0.5], [-0.0, 1, 2],
                [0.1, 0.25, 100.5, -1000], [0.001, 1.001], [0.00009, 0.05], [1e-30, 1e30],
                [0.99996, 0.5], [99.99999, 0.5], [-9.99996, 0.5], [nan, 1], [nan, 0.5],
                [inf, -inf, nan], [inf, 1, 20000], [-inf, 0.25, -0.5], [inf, 3e8], [nan, 1e-5],
                [-1e9, 0.5]):
        cases.add([len(row)], row)
    for row in ([0.0, 2, 5, 2, 3, -12], [-0.0, 1], [16777216.0, 1]):
        cases.add([len(row)], row, "whole")


def shapes(cases):
    cases.add([0], [])
    cases.add([0, 3], [], "leaf")
    cases.add([2, 0, 3], [])
    numbers = [0.5, -2, 3, 4, 5, 60]
    for shape in ([6, 1], [2, 3], [3, 1, 2], [1, 1, 1, 1, 1, 6]):
        cases.add(shape, numbers, "mul")
    cases.add([1, 2, 10], [k * k / 8 - 40 for k in range(20)], "clamp")
    cases.add([2, 1, 2], [-0.5, -1, -2.25, 0], "log_softmax")


def line_ends(cases):
    """Rows, and suffixes behind them, that just fit on the line, and that just do not."""
    for grad, first, step in (("plain", 0.0, 1.0), ("whole", 100.0, 10.0), ("leaf", 0.5, 1.0),
                              ("add", 0.0, 1.0), ("clamp", 100.0, 10.0)):
        def row(n):
            return [first + step * (i % 10) for i in range(n)]

        n = next(n for n in range(1, 40) if "\n" in text(torch.tensor(row(n)), grad))
        cases.add([n - 1], row(n - 1), grad)
        cases.add([n], row(n), grad)


def long(cases):
    """The elements left out when there are more than 1000."""
    for shape in ([1001], [7, 143], [9, 2, 56], [2, 1, 2, 251]):
        cases.add_long(shape, -0.5, 0.001, "leaf")
    cases.add_long([1001, 1], 0.0, 1.0, "whole")
    cases.add_long([1, 1001], 0.0, 1.0)
    cases.add_long([50, 40], 1.0, 1e6, "add")
    cases.add_long([2000], 0.25, 0.0, "add")


def write():
    with open(pathlib.Path(__file__).with_name("printing.txt"), "w") as file:
        cases = Cases(file)
        for group in (small, shapes, line_ends, long):
            group(cases)
