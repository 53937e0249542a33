"""Reads tensors, nodes and the tape out of a program's memory, and says what is there.

Knows no debugger: gdb and lldb each hand in their values behind these few methods.

    value.field(name)   a member, also of a base class      value.target()   what a pointer points to
    value.int()         an integer, or a pointer's address  value.text()     the text at a char*
    value.item(i)       of an array or behind a pointer     value.size()      sizeof
    value.number()      a floating-point number             value.address()
    value.read(address, size)    bytes of memory

Each raises Unreadable where memory or a member is not there. Nothing here runs the program, and
nothing is believed before it is checked: a tensor may be freed, or not constructed yet.
"""

import stepgrad_format as fmt

ABI = 1  # of stepgrad_debug_abi in core/debug/abi.cpp
MAX_DIMS = 6
MAX_ELEMENTS = 1 << 40
MAX_REFS = 1 << 24
MAX_LIST = 20000  # how far a list is followed


class Unreadable(Exception):
    """Memory that is not there."""


class Problem(Exception):
    """What is wrong, in a sentence for the reader."""


class Tensor:
    """A checked tensor. Problem: there is none, and why."""

    def __init__(self, value):
        impl = value.field("impl_").field("p_")
        self.address = impl.int()
        if self.address == 0:
            raise Problem("undefined")
        try:
            self._check(impl.target())
        except Unreadable as error:
            raise Problem("dangling or not initialised: %s" % error) from None

    def _check(self, impl):
        self.refs = impl.field("refs").int()
        self.name = impl.field("name").text()
        if self.name == "<freed>":
            raise Problem("freed")
        self.shape = read_shape(impl.field("shape"))
        if not 1 <= self.refs < MAX_REFS:
            raise Problem("freed or not initialised: %d owners" % self.refs)
        self.count = 1
        for size in self.shape:
            self.count *= size
        storage = impl.field("storage").field("p_")
        data = storage.target().field("data")
        self.data = data.int()
        self.item_size = data.target().size()
        if self.count > MAX_ELEMENTS or storage.target().field("size").int() != self.count:
            raise Problem("freed or not initialised: %s does not fit its storage"
                          % fmt.shape_text(self.shape))
        self._memory = storage
        if self.count:
            self.read(0, 1), self.read(self.count - 1, 1)
        node = impl.field("node").field("p_")
        self.node = Node(node.target()) if node.int() else None

    def read(self, offset, count):
        size = self.item_size
        return fmt.unpack(self._memory.read(self.data + offset * size, count * size), size)

    def element_address(self, index):
        if len(index) != len(self.shape):
            raise Problem("%d indices into %s" % (len(index), self.kind()))
        offset = 0
        for i, size in zip(index, self.shape):
            if not -size <= i < size:
                raise Problem("index %d is outside %s" % (i, self.kind()))
            offset = offset * size + i % size
        return self.data + offset * self.item_size

    def stats(self):
        return fmt.Stats(self.count, self.read)

    def kind(self):
        return "f%d%s" % (8 * self.item_size, fmt.shape_text(self.shape))

    def line(self):
        """f32[3, 4] 'w1' leaf, grad: none yet"""
        text = self.kind() + (" '%s'" % self.name if self.name else "")
        node = self.node
        if node and node.is_leaf():
            text += " leaf, grad: " + node.grad_state()
        elif node:
            text += " <- %s #%d" % (node.op, node.number)
        return text

    def lines(self):
        """Everything there is to say, for print."""
        lines = ["Tensor " + self.line().split(", grad: ")[0]]
        lines += ["  " + line for line in fmt.element_lines(self.shape, self.read)]
        lines.append("  " + self.stats().line())
        if self.node and self.node.wants_grad:
            lines.append("  grad: " + self.node.grad_line())
        if self.node and not self.node.is_leaf():
            lines.append("  made by " + self.node.line())
        return lines


class Node:
    """A checked node. Problem: it is none."""

    def __init__(self, value):
        try:
            self._check(value)
        except Unreadable as error:
            raise Problem("no node: %s" % error) from None

    def _check(self, value):
        self.value = value
        formula = value.field("formula").target()
        self.op = formula.field("op").text()
        self.forward = formula.field("forward").text()
        self.gradient = formula.field("gradient").text()
        self.number = value.field("number").int()
        self.name = value.field("name").text()
        self.shape = read_shape(value.field("shape"))
        self.at = called_at(value.field("loc"), value.field("caller"))
        self.wants_grad = bool(value.field("wants_grad").int())
        self.walked = bool(value.field("walked").int())
        self.done = bool(value.field("done").int())
        self.address = value.address()

    def is_leaf(self):
        return self.op == "leaf"

    def inputs(self):
        return [Input(value) for value in chain(self.value.field("inputs"), "next")]

    def saved(self):
        """(letter, Tensor or None) of each tensor that the gradient needs."""
        found = []
        for value in chain(self.value.field("saved"), "next"):
            found.append((value.field("letter").text(), defined(value)))
        return found

    def arrived(self):
        return defined(self.value.field("arrived"))

    def grad(self):
        return defined(self.value.field("grad"))

    def ledger(self):
        pointer = self.value.field("ledger").field("p_")
        return Ledger(pointer.target()) if pointer.int() else None

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
        if self.is_leaf() or not self.walked:
            return "none yet"
        return "passed on and not kept (retain_grad() keeps it)"

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
        lines = [self.line(), "  " + "   ".join(t for t in (self.forward, self.gradient) if t)]
        lines += ["  %s: %s" % (letter, tensor.line() if tensor else "not saved")
                  for letter, tensor in self.saved()]
        arrived = self.arrived()
        if arrived:
            lines.append("  gradient so far: %s  %s" % (arrived.kind(), arrived.stats().line()))
        return lines


class Input:
    """An edge of the tape."""

    def __init__(self, value):
        node = value.field("node").field("p_")
        self.node = Node(node.target()) if node.int() else None
        self.name = self.node.name if self.node else value.field("name").text()
        self.shape = read_shape(value.field("shape"))

    def text(self):
        """'w1' [4, 8], or #3 [3, 8] for what op 3 made"""
        who = ""
        if self.name:
            who = "'%s' " % self.name
        elif self.node and not self.node.is_leaf():
            who = "#%d " % self.node.number
        return who + fmt.shape_text(self.shape)


class Ledger:
    """What the engine has noted of an op: core/ledger.hpp."""

    def __init__(self, value):
        self.inputs = [Range(each) for each in vector(value.field("inputs"))]
        self.output = Range(value.field("output"))
        self.arrived = Range(value.field("arrived"))
        self.earlier = defined(value.field("earlier"))
        self.contributions = [Contribution(v) for v in vector(value.field("contributions"))]


class Range:
    def __init__(self, value):
        self.min, self.max = value.field("min").number(), value.field("max").number()
        self.nan, self.inf = value.field("nan").int(), value.field("inf").int()

    def bad(self):
        return self.nan or self.inf

    def text(self):
        return fmt.range_text(self.min, self.max, self.nan, self.inf)


class Contribution:
    def __init__(self, value):
        self.op = value.field("op").text()
        self.number = value.field("number").int()
        self.at = called_at(value.field("loc"), value.field("caller"))
        self.before = read_shape(value.field("before"))
        self.range = Range(value.field("range"))
        self.part = Tensor(value.field("part"))


def read_shape(value):
    dims = value.field("dims_").int()
    if not 0 <= dims <= MAX_DIMS:
        raise Problem("freed or not initialised: %d dimensions" % dims)
    sizes = [value.field("sizes_").item(i).int() for i in range(dims)]
    if min(sizes, default=0) < 0:
        raise Problem("freed or not initialised: sizes %s" % fmt.shape_text(sizes))
    return sizes


def called_at(loc, caller):
    """ffn.cpp:39, from main.cpp:12"""
    text = _line(loc)
    return text + ", from " + _line(caller) if caller.field("file").int() else text


def _line(loc):
    if loc.field("file").int() == 0:
        return "?"
    return "%s:%d" % (loc.field("file").text().rsplit("/")[-1], loc.field("line").int())


def defined(value):
    """The tensor, or None if it is undefined."""
    return Tensor(value) if value.field("impl_").field("p_").int() else None


def vector(value):
    """The elements of a std::vector, GNU's or LLVM's."""
    try:
        first, end = (value.field("_M_impl").field(name) for name in ("_M_start", "_M_finish"))
    except Unreadable:
        first, end = value.field("__begin_"), value.field("__end_")
    if first.int() == 0:
        return []
    count = (end.int() - first.int()) // first.target().size()
    if not 0 <= count <= MAX_LIST:
        raise Problem("freed or not initialised: a list of %d" % count)
    return [first.item(i) for i in range(count)]


def chain(pointer, link, limit=MAX_LIST):
    """What a list of pointers leads to, up to `limit`."""
    while pointer.int() and limit:
        yield pointer.target()
        pointer = pointer.target().field(link)
        limit -= 1


# ---- The tape ------------------------------------------------------------------------------------


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
    return fmt.columns([[*row, fmt.preview(parts[0].count, read)]
                        for row, read in zip(rows, reads)])


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


def abi_problem(found):
    if found is None:
        return ("this program is not linked with stepgrad, "
                "or was compiled without debug information (-g)")
    if found != ABI:
        return ("this script reads layout %d of stepgrad's structs, and the program has layout %d: "
                "load the script of the version that it was built from" % (ABI, found))
    return None
