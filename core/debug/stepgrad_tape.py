"""The tape as debuggers show it."""

from itertools import islice

import stepgrad_format as fmt
from stepgrad_memory import Problem
from stepgrad_read import linked
from stepgrad_tensor import Node, sources


class Tape:
    """The global the_tape. Problem: nothing is recorded."""

    def __init__(self, value):
        self.value = value
        self.ops = value.field("ops").int()
        if self.ops == 0:
            if value.field("numbered").int():
                raise Problem("the tape is empty: all that was recorded has been freed")
            raise Problem("nothing has been recorded yet")
        visiting = value.field("visiting")
        self.visiting = Node(visiting.target()) if visiting.int() else None

    def values(self):
        """The nodes' values, newest first."""
        return linked(self.value.field("newest"), "older")

    def nodes(self):
        return map(Node, self.values())

    def ops_near(self, limit):
        """So many ops around the one that backward visits, or else the newest ones; oldest first."""
        def ops(pointer, link):
            return list(islice((node for node in map(Node, linked(pointer, link)) if not node.is_leaf()), limit))

        here = self.value.field("visiting" if self.visiting else "newest")
        older, newer = ops(here, "older"), ops(here.target().field("newer"), "newer")
        before = max((limit + 1) // 2, limit - len(newer))
        return (older[:before][::-1] + newer)[:limit]

    def ops_between(self, first, last):
        found = [each for each in self.values() if max(first, 1) <= each.field("number").int() <= last]
        return [Node(value) for value in reversed(found)]

    def newest_op(self):
        for node in self.nodes():
            if node.wants_grad and not node.is_leaf():
                return node
        raise Problem("nothing on the tape requires a gradient")

    def is_visiting(self, address):
        return self.visiting is not None and address == self.visiting.address

    def op(self, number):
        """The op `#3`, or None."""
        found = (value for value in self.values() if "#%d" % value.field("number").int() == number != "#0")
        return next(map(Node, found), None)

    def named(self, name):
        """The newest op whose output has that name, or else all leaves that have it, or whose name ends with it."""
        exact, longer = [], []
        for value in self.values():
            text = value.field("name").text()
            if text == name or text.endswith("." + name):
                (exact if text == name else longer).append(value)
        found = [Node(value) for value in exact or longer if name]
        return found if not found or found[0].is_leaf() else found[:1]

    def here(self):
        """The op whose gradient runs and its formula, for a build without source lines."""
        return [self.visiting.line(), "  " + fmt.backward(self.visiting.gradient)] if self.visiting else []

    def mark(self, node):
        return "=>" if self.is_visiting(node.address) else "ok" if node.visited else ""


def tape_lines(tape, ops):
    """Those ops; ok: its gradient has run; =>: backward is there."""
    rows = [["", "", "op", "inputs", "output", "called at"]]
    for node in ops:
        output = fmt.shape_text(node.shape) + (" '%s'" % node.name if node.name else "")
        rows.append([tape.mark(node), "#%d" % node.number, node.op, node.operands(), output, node.at])
    lines = fmt.columns(rows, {0: fmt.backward, 1: fmt.forward, 2: fmt.forward})
    if len(rows) - 1 < tape.ops:
        lines.append("(%d of %d ops)" % (len(rows) - 1, tape.ops))
    if tape.visiting and tape.visiting.is_leaf():
        lines.append(fmt.backward("=> %s: %s" % (tape.visiting.title(), tape.visiting.gradient)))
    return lines


def grad_lines(node):
    """A gradient so far."""
    grad = node.arrived() or node.grad()
    lines = ["%s: %s" % (fmt.backward("gradient of " + node.title()), node.grad_line())]
    return lines + ["  " + line for line in fmt.element_lines(grad.shape, grad.read)] \
        if grad else lines


def behind(value):
    """The addresses of a node and all nodes that it was computed from."""
    found, to_come = {}, [value]
    while to_come:
        value = to_come.pop()
        if value.address() not in found:
            found[value.address()] = value
            to_come += map(value.at_address, filter(None, sources(value)))
    return found


def why_nan_lines(tape, node=None):
    """The first op (behind `node`) whose output was not finite, or else the first such
    gradient."""
    values = sorted(behind(node.value).values(), key=lambda value: -value.field("number").int()) \
        if node else tape.values()
    kept = [(value, ledger) for value in values if (ledger := Node(value).ledger())][::-1]
    if not kept:
        raise Problem("no ledger was kept: call set_ledger(true) before the ops")
    for value, ledger in kept:
        if ledger.output.bad() and value.field("number").int():
            return _forward_nan(Node(value), ledger)
    parts = [(by.number, Node(value), by) for value, ledger in kept
        for by in ledger.contributions if by.range.bad()]
    if not parts:
        return ["no op on the tape made a NaN or Inf"]
    number, node, by = max(parts, key=lambda part: part[0])
    lines = ["the gradient of %s #%d made it, called at %s" % (by.op, number, by.at)]
    lines.append("  for its input %s: %s" % (node.title(), by.range.text()))
    maker = tape.op("#%d" % number)
    if maker:
        lines += ["  " + fmt.backward(maker.gradient), "  the gradient that arrived there: "
            + maker.ledger().arrived.text()]
        lines += _input_ranges(maker, maker.ledger())
    return lines


def _forward_nan(node, ledger):
    lines = ["%s made it, called at %s" % (node.title(), node.at)]
    if any(range.bad() for range in ledger.inputs):
        lines = ["%s is the first on the tape to have it, called at %s; it came in from outside"
            % (node.title(), node.at)]
    lines.append("  %s   %s: %s" % (fmt.forward(node.forward), fmt.shape_text(node.shape), ledger.output.text()))
    return lines + _input_ranges(node, ledger)


def _input_ranges(node, ledger):
    return ["  %s: %s" % (each.text(), range.text())
        for each, range in zip(node.inputs(), ledger.inputs)]
