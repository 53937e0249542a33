"""The tape as debuggers show it, and what can be told from it."""

import stepgrad_format as fmt
from stepgrad_read import MAX_LIST, Problem, chain
from stepgrad_tensor import Node


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

    def nodes(self):
        """Newest first."""
        return map(Node, chain(self.value.field("newest"), "older"))

    def ops_near(self, limit):
        """The ops around the one that backward is at, or else the newest, oldest first."""
        here = self.value.field("visiting" if self.visiting else "newest")
        older = [Node(each) for each in chain(here, "older", limit)]
        newer = [Node(each) for each in chain(here.target().field("newer"), "newer", limit)]
        ops = [node for node in older[::-1] + newer if not node.is_leaf()]
        before = max(limit // 2, limit - sum(not node.is_leaf() for node in newer))
        first = max(0, sum(not node.is_leaf() for node in older) - before)
        return ops[first:first + limit]

    def is_visiting(self, node):
        return self.visiting and node.address == self.visiting.address

    def find(self, what):
        """The node of the tensor named `what`, or of op `#3`; None if there is none."""
        for node in self.nodes():
            if what in ("#%d" % node.number, node.name or "#"):
                return node
        return None

    def mark(self, node):
        return "=>" if self.is_visiting(node) else "ok" if node.walked else ""


def tape_lines(tape, limit=40):
    """What was recorded, oldest first; ok: its gradient has run; =>: backward is there."""
    rows = [["", "", "op", "inputs", "output", "called at"]]
    for node in tape.ops_near(limit):
        output = fmt.shape_text(node.shape) + (" '%s'" % node.name if node.name else "")
        rows.append([tape.mark(node), "#%d" % node.number, node.op, node.operands(), output,
                     node.at])
    lines = fmt.columns(rows)
    if len(rows) - 1 < tape.ops:
        lines.append("(%d of %d ops)" % (len(rows) - 1, tape.ops))
    if tape.visiting and tape.visiting.is_leaf():
        lines.append("=> %s: %s" % (tape.visiting.title(), tape.visiting.gradient))
    return lines


def grad_lines(node):
    """A gradient, as far as it has come."""
    grad = node.arrived() or node.grad()
    lines = ["gradient of %s: %s" % (node.title(), node.grad_line())]
    return lines + ["  " + line for line in fmt.element_lines(grad.shape, grad.read)] \
        if grad else lines


def explain_lines(node):
    """Each consumer's contribution to a gradient, and their sum."""
    ledger = node.ledger()
    if not ledger:
        raise Problem("no ledger was kept: call set_ledger(true), and then backward()")
    shape = fmt.shape_text(node.shape)
    rows, parts = [], []
    if node.is_leaf() and ledger.earlier:
        rows.append(["earlier passes", "", shape])
        parts.append(ledger.earlier)
    for by in ledger.contributions:
        before = fmt.shape_text(by.before)
        rows.append(["%s #%d" % (by.op, by.number), by.at] if by.number else [by.op, ""])
        rows[-1].append(
            before if before == shape else before + " -> " + shape)
        parts.append(by.part)
    if not rows:
        raise Problem("nothing has been added to the gradient yet")

    def added(offset, count):
        read = [part.read(offset, count) for part in parts]
        return [sum(column) for column in zip(*read)]

    rows.append(["sum", "", shape])
    reads = [part.read for part in parts] + [added]
    table = fmt.columns([[*row, fmt.preview(parts[0].count, read)]
                         for row, read in zip(rows, reads)])
    return ["gradient of %s" % node.title()] + table


def behind(node):
    """The node and all that it was computed from, newest first."""
    found, to_come = {}, [node]
    while to_come and len(found) < MAX_LIST:
        node = to_come.pop()
        if node.address not in found:
            found[node.address] = node
            to_come += [each.node for each in node.inputs() if each.node]
    return sorted(found.values(), key=lambda node: -node.number)


def why_nan_lines(tape, node=None):
    """The first op (behind `node`) whose output was not finite; or else the first gradient."""
    ledgers = [(each, each.ledger()) for each in (behind(node) if node else tape.nodes())][::-1]
    if not any(ledger for _, ledger in ledgers):
        raise Problem("no ledger was kept: call set_ledger(true) before the ops")
    for node, ledger in ledgers:
        if ledger and not node.is_leaf() and ledger.output.bad():
            return _forward_nan(node, ledger)
    parts = [(by.number, node, by) for node, ledger in ledgers if ledger
             for by in ledger.contributions if by.range.bad()]
    if not parts:
        raise Problem("no NaN and no Inf was made on the tape")
    number, node, by = max(parts, key=lambda part: part[0])
    lines = ["the gradient of %s #%d made it, called at %s" % (by.op, number, by.at)]
    lines.append("  for its input %s: %s" % (node.title(), by.range.text()))
    maker = tape.find("#%d" % number)
    if maker:
        lines += ["  " + maker.gradient, "  the gradient that arrived there: "
                  + maker.ledger().arrived.text()]
        lines += _input_ranges(maker, maker.ledger())
    return lines


def _forward_nan(node, ledger):
    lines = ["%s made it, called at %s" % (node.title(), node.at)]
    if any(range.bad() for range in ledger.inputs):
        lines = ["%s is the first on the tape to have it, called at %s; it came in from outside"
                 % (node.title(), node.at)]
    lines.append("  %s   %s: %s" % (node.forward, fmt.shape_text(node.shape), ledger.output.text()))
    return lines + _input_ranges(node, ledger)


def _input_ranges(node, ledger):
    return ["  %s: %s" % (each.text(), range.text())
            for each, range in zip(node.inputs(), ledger.inputs)]
