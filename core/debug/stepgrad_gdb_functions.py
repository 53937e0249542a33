"""stepgrad's functions in gdb's expressions."""

import math

import gdb
from stepgrad_gdb_values import of, to_gdb
from stepgrad_memory import Problem, Unreadable
from stepgrad_tensor import Input, tensor_of


class Function(gdb.Function):
    def __init__(self):
        super().__init__(type(self).__name__.lower())


class At(Function):
    """$at(x, i, j): an element, which can be assigned or watched: watch -l $at(w1, 0, 2)"""

    def invoke(self, *arguments):
        if not arguments:
            raise gdb.GdbError("$at: of which tensor? For instance: $at(w1, 0, 2)")
        tensor, index = tensor_argument("$at", arguments[0]), arguments[1:]
        try:
            return element(tensor, [int(i) for i in index])
        except Problem as problem:
            raise gdb.GdbError("$at: %s" % problem) from None


class Grad(Function):
    """$grad(x): x's gradient, a tensor: watch -l $at($grad(w1), 0, 2). In a gradient, also of its input x"""

    def invoke(self, *arguments):
        x = the_one("$grad", arguments)
        edge = of(x)
        node = Input(edge.pointed()).node if edge.kind() == "Input" else tensor_argument("$grad", x).node
        if node and node.grad():
            return to_gdb(node.value.field("grad"))
        if node and node.arrived():
            return to_gdb(node.value.field("pass").field("arrived"))
        raise gdb.GdbError("$grad: there is no gradient yet")


class Bad(Function):
    """$bad(x): 1 if x holds a NaN or Inf: break stepgrad_backward_step if $bad(dY)"""

    def invoke(self, *arguments):
        tensor = tensor_argument("$bad", the_one("$bad", arguments))
        return int(not all(map(math.isfinite, tensor.numbers())))


def element(tensor, index):
    """The element itself, which can be assigned."""
    scalar = gdb.lookup_type({4: "float", 8: "double"}[tensor.item_size])
    place = gdb.Value(tensor.element_address(index))
    return place.cast(scalar.pointer()).dereference()


def the_one(function, arguments):
    if len(arguments) != 1:
        raise gdb.GdbError("%s: it takes one tensor, for instance %s(w1)" % (function, function))
    return arguments[0]


def tensor_argument(function, value):
    try:
        tensor = tensor_of(of(value))
    except (Problem, Unreadable) as problem:
        raise gdb.GdbError("%s: %s" % (function, problem)) from None
    if tensor is None:
        raise gdb.GdbError("%s: this is no tensor but of type %s" % (function, value.type))
    return tensor


def install():
    At()
    Grad()
    Bad()
