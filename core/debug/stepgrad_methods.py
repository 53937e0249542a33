"""Tensor's methods that a debugger answers by reading memory, where it would call the program's:
print x.numel(), x.sum(). They work in core files too. Uses no debugger."""

import math

from stepgrad_format import shape_text
from stepgrad_memory import Problem


def size(x, dim):
    dims = len(x.shape)
    if not -dims <= dim < dims:
        raise Problem("there is no dimension %d in %s" % (dim, x.kind()))
    return x.shape[dim]


def item(x):
    if x.count != 1:
        raise Problem("%s is not a single number" % x.kind())
    return x.read(0, 1)[0]


def requires_grad(x):
    return x.node is not None and x.node.wants_grad


def is_leaf(x):
    return not requires_grad(x) or x.node.is_leaf()


def grad(x):
    if not is_leaf(x) and not x.node.value.field("retains_grad").int():
        raise Problem("%s is no leaf, and retain_grad() was not called" % x.kind())
    found = requires_grad(x) and x.node.grad()
    return "\n".join(found.lines()) if found else "undefined"


def of_all(reduce):
    def method(x):
        if not x.count:
            raise Problem("%s has no elements" % x.kind())
        return reduce(x)

    return method


def variance(x):
    mean = sum(x.numbers()) / x.count
    return sum((v - mean) ** 2 for v in x.numbers()) / (x.count - 1) if x.count > 1 else math.nan


def highest(pair):  # as in torch, the first of several NaN or equal numbers
    return pair[1] != pair[1], pair[1]


def lowest(pair):
    return pair[1] == pair[1], pair[1]


# (function of our Tensor and integers, how many integers or None for any, the result's type in C++; of those without
# one, gdb knows the value where it can)
METHODS = {
    "shape": (lambda x: shape_text(x.shape), 0, None),
    "name": (lambda x: '"%s"' % x.name, 0, None),
    "node": (lambda x: "\n".join(x.node.lines()) if x.node else "NULL", 0, None),
    "grad": (grad, 0, None),
    "size": (size, 1, "long long"),
    "at": (lambda x, *index: item(x.row(index)), None, "stepgrad::Scalar"),
    "dim": (lambda x: len(x.shape), 0, "int"),
    "numel": (lambda x: x.count, 0, "long long"),
    "requires_grad": (requires_grad, 0, "bool"),
    "is_leaf": (is_leaf, 0, "bool"),
    "item": (item, 0, "stepgrad::Scalar"),
    "sum": (lambda x: sum(x.numbers()), 0, "stepgrad::Scalar"),
    "mean": (of_all(lambda x: sum(x.numbers()) / x.count), 0, "stepgrad::Scalar"),
    "var": (of_all(variance), 0, "stepgrad::Scalar"),
    "std": (of_all(lambda x: math.sqrt(variance(x))), 0, "stepgrad::Scalar"),
    "max": (of_all(lambda x: max(enumerate(x.numbers()), key=highest)[1]), 0, "stepgrad::Scalar"),
    "min": (of_all(lambda x: min(enumerate(x.numbers()), key=lowest)[1]), 0, "stepgrad::Scalar"),
    "argmax": (of_all(lambda x: max(enumerate(x.numbers()), key=highest)[0]), 0, "long long"),
    "argmin": (of_all(lambda x: min(enumerate(x.numbers()), key=lowest)[0]), 0, "long long"),
}
