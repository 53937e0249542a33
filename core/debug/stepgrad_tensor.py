"""Tensors, nodes and ledgers as debuggers show them, from the values of stepgrad_memory.py."""

import copy
from itertools import chain

import stepgrad_format as fmt
from stepgrad_memory import Problem, Unreadable
from stepgrad_read import MAX_ELEMENTS, MAX_REFS, called_at, linked, read_shape, shared, vector

PIECE = 1 << 20  # elements read together


class Tensor:
    """A checked tensor. Problem: why it is none."""

    def __init__(self, value):
        self.value = value
        impl = value.field("impl_").field("p_")
        self.address = impl.int()
        if self.address == 0:
            raise Problem("undefined")
        try:
            self._check(impl.target())
        except Unreadable as error:
            raise Problem("dangling or not initialised: %s" % error) from None

    def _check(self, impl):
        self.shape = read_shape(impl.field("shape"))
        self.refs = impl.field("refs").int()
        self.name = impl.field("name").text()
        if not 1 <= self.refs < MAX_REFS:
            raise Problem("freed or not initialised: %d owners" % self.refs)
        self.count = 1
        for size in self.shape:
            self.count *= size
        storage = impl.field("storage").field("p_")
        data = impl.field("data")
        self.data = data.int()
        self.item_size = data.target().size()
        whole = storage.target().field("data").int(), storage.target().field("size").int()
        offset = (self.data - whole[0]) // self.item_size
        if self.count > MAX_ELEMENTS or impl.field("size").int() != self.count or \
                not 0 <= offset <= whole[1] - self.count:
            raise Problem("freed or not initialised: %s does not fit its storage"
                % fmt.shape_text(self.shape))
        self._memory = storage
        if self.count:
            self.read(0, 1), self.read(self.count - 1, 1)
        node = impl.field("node").field("p_")
        self.node, self.node_problem = None, ""
        try:
            self.node = Node(node.target()) if node.int() else None
        except (Problem, Unreadable) as problem:
            self.node_problem = " <%s>" % problem

    def read(self, offset, count):
        size = self.item_size
        return fmt.unpack(self._memory.read(self.data + offset * size, count * size), size)

    def pieces(self):
        """All elements, at most PIECE at a time."""
        for first in range(0, self.count, PIECE):
            yield self.read(first, min(PIECE, self.count - first))

    def numbers(self):
        return chain.from_iterable(self.pieces())

    def element_address(self, index):
        if len(index) != len(self.shape):
            raise Problem("%d indices into %s" % (len(index), self.kind()))
        return self.row(index).data

    def row(self, index):
        """The part x[i] or x[i][j], in the same memory."""
        if len(index) > len(self.shape):
            raise Problem("%d indices into %s" % (len(index), self.kind()))
        part = copy.copy(self)
        for i, size in zip(index, self.shape):
            if not -size <= i < size:
                raise Problem("index %d is outside %s" % (i, self.kind()))
            part.count //= size
            part.data += i % size * part.count * self.item_size
        part.shape, part.name, part.node = self.shape[len(index):], "", None
        return part

    def stats(self):
        return fmt.Stats(self.count, self.read)

    def glance(self):
        """One line for an IDE: line(), the first numbers and, if they are few, the range."""
        text = "%s = %s" % (self.line(), fmt.preview(self.count, self.read))
        return text + "  (%s)" % self.stats().range() if 1 < self.count <= 4096 else text

    def kind(self):
        return "f%d%s" % (8 * self.item_size, fmt.shape_text(self.shape))

    def line(self):
        """f32[3, 4] 'w1' leaf, grad: none yet"""
        text = self.kind() + (" '%s'" % self.name if self.name else "")
        text += self.node_problem
        node = self.node
        if node and node.is_leaf():
            text += " leaf, grad: " + node.grad_state()
        elif node:
            text += " <- %s #%d" % (node.op, node.number)
        return text

    def lines(self):
        """All about the tensor, for print."""
        lines = ["Tensor " + self.line().split(", grad: ")[0]]
        lines += ["  " + line for line in fmt.element_lines(self.shape, self.read)]
        lines.append("  " + self.stats().line())
        if self.node and self.node.wants_grad:
            lines.append("  grad: " + self.node.grad_line())
        if self.node and not self.node.is_leaf():
            lines.append("  made by " + self.node.line())
        return lines


class Node:
    """A checked node. Problem: why it is none. Most of it is read when needed: a tape may have a
    hundred thousand of them."""

    def __init__(self, value):
        try:
            self.value = value
            self.op = self._formula("op")
            self.number = value.field("number").int()
            self.shape = read_shape(value.field("shape"))
        except Unreadable as error:
            raise Problem("no node: %s" % error) from None

    def _formula(self, name):
        return self.value.field("formula").target().field(name).text()

    def _within(self):
        """, in matmul #1's gradient"""
        by = self.value.field("gradient_of")
        if by.field("formula").int() == 0:
            return ""
        op = by.field("formula").target().field("op").text()
        return ", in %s #%d's gradient" % (op, by.field("number").int())

    forward = property(lambda self: self._formula("forward"))
    gradient = property(lambda self: self._formula("gradient"))
    path = ""  # what tells it from other leaves of its name
    name = property(lambda self: self.path or self.value.field("name").text())
    at = property(lambda self: called_at(self.value.field("loc"), self.value.field("caller"))
        + self._within())
    wants_grad = property(lambda self: bool(self.value.field("wants_grad").int()))
    visited = property(lambda self: has_run(self.value))
    address = property(lambda self: self.value.address())

    def is_leaf(self):
        return self.op == "leaf"

    def inputs(self):
        return [Input(value) for value in linked(self.value.field("inputs"), "next")]

    def saved(self):
        """(letter, Tensor or None) of each tensor that the gradient needs."""
        found = []
        for value in linked(self.value.field("saved"), "next"):
            found.append((value.field("letter").text(), defined(value)))
        return found

    def arrived(self):
        return defined(self.value.field("pass").field("arrived"))

    def grad(self):
        return defined(self.value.field("grad"))

    def leaf(self):
        """A leaf's tensor, which its node names behind the members of Node; None: it is gone."""
        end = self.value.address() + self.value.size()
        return defined(self.value.field("grad").at_address(end)) if self.is_leaf() else None

    def ledger(self):
        found = shared(self.value.field("ledger"))
        return Ledger(found) if found else None

    def grad_state(self):
        if self.grad():
            return "here"
        return "on its way" if self.arrived() else "none yet"

    def grad_line(self):
        grad, arrived = self.grad(), self.arrived()
        if arrived:
            return "so far on its way: %s  %s" % (arrived.kind(), arrived.stats().line())
        if grad:
            return "%s  %s" % (grad.kind(), grad.stats().line())
        if self.visited:
            return "passed on and not kept (retain_grad() keeps it)"
        ledger = self.ledger()
        return "passed on just now: dY" if ledger and ledger.contributions else "none yet"

    def title(self):
        if self.is_leaf():
            return "leaf %s%s" % ("'%s' " % self.name if self.name else "",
                fmt.shape_text(self.shape))
        return "%s #%d" % (self.op, self.number)

    def line(self):
        """matmul #1 ('x' [3, 4], 'w1' [4, 8]) called at ffn.cpp:39, from main.cpp:12"""
        if self.is_leaf():
            return self.title()
        return "%s (%s) called at %s" % (self.title(), self.operands(), self.at)

    def operands(self):
        return ", ".join(each.text() for each in self.inputs())

    def lines(self):
        if self.is_leaf():
            return [self.line(), "  grad: " + self.grad_line()]
        lines = [self.line(), "  " + "   ".join(t for t in (fmt.forward(self.forward), fmt.backward(self.gradient)) if t)]
        lines += ["  %s: %s" % (letter, tensor.line() if tensor else "not saved")
            for letter, tensor in self.saved()]
        arrived = self.arrived()
        if arrived:
            lines.append("  gradient so far: %s  %s" % (arrived.kind(), arrived.stats().line()))
        return lines


def has_run(value):
    """Whether the node's gradient has run in its last pass."""
    return bool(value.field("pass").field("visited").int())


def sources(value):
    """The addresses of the nodes of a node's inputs; 0: not on the tape."""
    return [each.field("node").int() for each in linked(value.field("inputs"), "next")]


class Input:
    """An edge of the tape."""

    def __init__(self, value):
        node = value.field("node").field("p_")
        self.node = Node(node.target()) if node.int() else None
        self.name = self.node.name if self.node else value.field("name").text()
        self.shape = read_shape(value.field("shape"))

    def text(self):
        """'w1' [4, 8], or #3 [3, 8] for op 3's output"""
        who = ""
        if self.name:
            who = "'%s' " % self.name
        elif self.node and not self.node.is_leaf():
            who = "#%d " % self.node.number
        return who + fmt.shape_text(self.shape)


class Ledger:
    """The engine's record of an op: core/watch/ledger.hpp."""

    def __init__(self, value):
        self.value = value

    inputs = property(lambda self: [Range(v) for v in vector(self.value.field("inputs"))])
    output = property(lambda self: Range(self.value.field("output")))
    arrived = property(lambda self: Range(self.value.field("arrived")))
    contributions = property(
        lambda self: [Contribution(v) for v in vector(self.value.field("contributions"))])


class Range:
    def __init__(self, value):
        self.value = value
        self.nan, self.inf = value.field("nan").int(), value.field("inf").int()

    def bad(self):
        return self.nan or self.inf

    def text(self):
        return fmt.range_text(self.value.field("min").number(), self.value.field("max").number(),
            self.nan, self.inf)


class Contribution:
    """Read when needed: a tape may have a hundred thousand."""

    def __init__(self, value):
        self.value = value

    op = property(lambda self: self.value.field("op").text())
    number = property(lambda self: self.value.field("number").int())
    at = property(lambda self: called_at(self.value.field("loc"), self.value.field("caller")))
    range = property(lambda self: Range(self.value.field("range")))


def tensor_of(value):
    """The checked tensor that a value is, holds or points to; None: another type."""
    kind = value.kind()
    if kind not in ("Tensor", "Saved", "Arg"):
        return None
    value = value.pointed()
    return Tensor(value.field("tensor") if kind == "Arg" else value)


LINES = {  # of a value that is one of these
    "Node": lambda value: Node(value.node()).line() if value.kind() == "Node" else "",
    "Input": lambda value: Input(value.pointed()).text(),
    "Shape": lambda value: fmt.shape_text(read_shape(value.pointed()))}


def defined(value):
    """The tensor, or None if it is undefined."""
    return Tensor(value) if value.field("impl_").field("p_").int() else None
