"""The OpExamples of tests/ops, by the text that each has for PyTorch."""

import json
import pathlib
import re

import torch
import torch.nn.functional as F

from golden import drawn, dropped

# const OpExample of_add("add", add, "a + b", Shapes{{2, 3}, {3}});
EXAMPLE = re.compile(r'const OpExample \w+\(\s*"(\w+)",(.*?)\);\n(?! )', re.S)
TEXT = re.compile(r'"((?:[^"]|"\s*")*)"')
OPERAND = re.compile(r"leaf\(\{([\d, ]*)\}|(?:Tensor::of|(parameter))\(([\d.,{} -]*)\)")


def operands(text):
    """Drawn numbers for each leaf; where no operands are given, the op is one of each number."""
    if "Shapes{" in text:
        shapes = re.findall(r"\{([\d, ]*)\}", text.split("Shapes")[1])
        return [drawn(*map(int, filter(None, shape.split(", ")))) for shape in shapes]
    if "Tensors{" not in text:
        k = torch.arange(-4.0, 5)
        return [k * k.abs()]  # in [-16, 16], denser around 0; with the bounds of clamp
    found = []
    for shape, leaf, numbers in OPERAND.findall(text.split("Tensors{")[1]):
        given = torch.tensor(json.loads(numbers.translate({123: 91, 125: 93}))) if numbers else None
        shape = given.shape if numbers else [int(size) for size in shape.split(",") if size.strip()]
        found.append(given if numbers and not leaf else drawn(*shape))
    return found


def results(text, operands):
    xs = [x.requires_grad_() if x.is_floating_point() else x for x in operands]
    names = dict(zip("abcde", xs), torch=torch, F=F, dropped=dropped)
    y = eval(text, names)
    y.backward(drawn(*y.shape))
    return [y, *(x.grad for x in xs if x.requires_grad)]


def examples():
    """Each OpExample's op, its text for PyTorch, and the rest of its name."""
    for path in sorted((pathlib.Path(__file__).parents[1] / "ops").glob("*_test.cpp")):
        for op, rest in EXAMPLE.findall(path.read_text()):
            yield op, re.sub(r'"\s*"', "", TEXT.search(rest)[1]), rest


def entries():
    return {f"ops/{op}": lambda text=text, rest=rest: results(text, operands(rest))
        for op, text, rest in examples()}
