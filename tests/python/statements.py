# Runs files statement by statement and prints, a line each, what came out: numbers, dtype, shape and
# the gradients of the leaves that have names, or the type of the error. The test compares torch's
# lines and stepgrad's. Each statement has the names of this file. All after a line `# Refused`
# raise, up to `# Not refused`, and no others: a statement whose names are gone would raise under both, and compare
# nothing.
import ast
import collections, contextlib, copy, io, itertools, math, pickle
import sys
import warnings

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.autograd import Function, grad
from torch.optim import lr_scheduler as S
from torch.utils.checkpoint import checkpoint
from torch.utils.data import (
    BatchSampler, ConcatDataset, DataLoader, Dataset, IterableDataset, RandomSampler, Sampler, SequentialSampler, Subset,
    TensorDataset, default_collate, random_split)

from scripts.filled import filled as with_numbers
from shown import digits, shown
from in_place import written

warnings.simplefilter("ignore")
FLOATS = torch.float16, torch.bfloat16, torch.float32
WHOLE = torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool


def filled(module):
    return with_numbers(module, 0.5).eval()


def leaf(numbers):
    return torch.tensor(numbers, requires_grad=True)


def tried(f, *args):
    try:
        return f(*args)
    except Exception as error:
        return type(error).__name__


def optimizer(code, p):
    """Of the parameters p, as in SGD(p, 0.1)."""
    return eval("optim." + code, {"optim": optim, "p": p})


def function(forward, backward):
    """A Function of one's own, as a function."""
    return type("Own", (Function,), {"forward": staticmethod(forward), "backward": staticmethod(backward)}).apply


class Table(dict):
    pass


def table(f, text):
    """f of each line: a line of output each."""
    return Table((code, f(code)) for code in text.strip().splitlines())


def gradients(y, env):
    """Those of the named leaves behind y, whose elements have the gradients 1, 2, 3, ..."""
    if not isinstance(y, torch.Tensor) or not y.requires_grad or y.is_leaf:
        return ""
    y.backward(torch.arange(1.0, y.numel() + 1).reshape(y.shape))
    text = ""
    for name, x in sorted(env.items()):
        if isinstance(x, torch.Tensor) and x.is_leaf and x.grad is not None:
            text += f" d{name}={digits(x.grad.tolist())}"
            x.grad = None
    return text


def run(source, env):
    marks = [(0, False)] + [(n, line == "# Refused") for n, line in enumerate(source.splitlines()) if "efused" in line[:13]]
    for node in ast.parse(source).body:
        code = ast.get_source_segment(source, node)
        if node.__class__.__name__ in ("FunctionDef", "ClassDef") and node.decorator_list:
            code = "\n".join(source.splitlines()[node.decorator_list[0].lineno - 1 : node.end_lineno])
        raised = False
        try:
            if isinstance(node, ast.Expr):
                y = eval(compile(code, "statement", "eval"), env)
                line = shown(y, 64) + gradients(y, env)
                if isinstance(y, Table):
                    line = "".join(f"\n{name} -> {shown(value, 64)}" for name, value in y.items())
                    print(line[1:])
                    continue
            else:
                exec(compile(code, "statement", "exec"), env)
                line = "done"
        except Exception as error:
            raised = True
            line = type(error).__name__ + (f"  # {error!s:.150}".replace("\n", " ") if "-v" in sys.argv else "")
        refused = [mark for n, mark in marks if n < node.lineno][-1]
        if raised != refused and "stepgrad" not in sys.modules:
            print("MISPLACED", end=" ")
        print(code.split("\n")[0], "->", line.replace("\n", "\\n"))


for path in sys.argv[1:]:
    if path != "-v":
        print("==", path)
        with open(path) as file:
            run(file.read(), {**globals()})
