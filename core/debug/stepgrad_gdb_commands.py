"""The commands that look at tensors and the tape. `stepgrad` lists them, `help NAME` says more."""

import os

import gdb
import stepgrad_tape as tapes
from stepgrad_gdb_values import (Value, as_node, check_version, kind_of, plain_type, pointed_type,
                                 referenced, tensor_of, the_tape)
from stepgrad_pictures import heatmap_lines, npy_header
from stepgrad_read import Problem, Unreadable
from stepgrad_tensor import Input, Node


class Command(gdb.Command):
    """One command: its subclass's docstring is the help, run() does it."""

    all = []

    def __init__(self, name, completer=gdb.COMPLETE_NONE, alias=None):
        super().__init__(name, gdb.COMMAND_DATA, completer)
        self.name = name
        self.all.append(self)
        if alias:
            gdb.execute("alias %s = %s" % (alias, name))

    def invoke(self, text, from_tty):
        try:
            check_version()
            self.run(text.strip())
        except (Problem, Unreadable) as problem:
            raise gdb.GdbError("%s: %s" % (self.name, problem)) from None
        except gdb.error as error:
            raise gdb.GdbError("%s: %s" % (self.name, str(error).rstrip("."))) from None

    def run(self, text):
        raise NotImplementedError


def say(lines):
    gdb.write("\n".join(lines) + "\n")


# ---- What the reader names -----------------------------------------------------------------------


def subject(text):
    """The tensor that an expression gives, or else the node of the tape that is so named."""
    if not text:
        raise Problem("of which tensor? For instance: w1, ffn.w1, dY, #3")
    if not text.startswith("#"):
        try:
            value = gdb.parse_and_eval(text)
        except gdb.error as error:
            node = None if " " in text else named(text)
            if node is None:
                raise Problem(str(error).rstrip(".")) from None
            return node
        try:
            tensor = tensor_of(value)
        except Problem as problem:
            raise Problem("%s is %s" % (text, problem)) from None
        # A bare name may be a variable somewhere in libm; on the tape it means more.
        return tensor or (named(text) if text.isidentifier() else None) or node_of(text, value)
    node = named(text)
    if node is None:
        raise Problem("there is no op %s on the tape" % text)
    return node


def node_of(text, value):
    kind = kind_of(plain_type(referenced(value)))
    if kind == "Input":
        node = Input(Value(referenced(value))).node
        if node is None:
            raise Problem("%s is not on the tape" % text)
        return node
    if kind == "Node":
        return Node(as_node(value))
    raise Problem("%s is no tensor but of type %s" % (text, value.type))


def named(text):
    """What ffn.w1 means in a frame that has no ffn: the w1 of the tape."""
    try:
        return the_tape().find(text) or the_tape().find(text.rsplit(".")[-1])
    except Problem:
        return None


def tensor_named(text):
    found = subject(text)
    if isinstance(found, Node):
        raise Problem("%s is on the tape, but its numbers are in no variable of this frame" % text)
    return found


def node_named(text):
    found = subject(text)
    node = found if isinstance(found, Node) else found.node
    if node is None or not node.wants_grad:
        raise Problem("%s requires no gradient" % text)
    return node


# ---- Looking -------------------------------------------------------------------------------------


class TapeCommand(Command):
    """tape: what was recorded, oldest op first. ok: its gradient has run. =>: backward is there."""

    def run(self, text):
        say(tapes.tape_lines(the_tape()))


class GradCommand(Command):
    """grad X: the gradient of tensor X, an expression, or the name or #number on the tape."""

    def run(self, text):
        say(tapes.grad_lines(node_named(text)))


class ExplainCommand(Command):
    """explain X: what each consumer of X contributed to its gradient, where, and the sum."""

    def run(self, text):
        say(tapes.explain_lines(node_named(text)))


class WhyNanCommand(Command):
    """why-nan [X]: the first op on the tape (behind X) that made a NaN or Inf, and from what."""

    def run(self, text):
        say(tapes.why_nan_lines(the_tape(), node_named(text) if text else None))


class HeatmapCommand(Command):
    """heatmap X: a picture of X's rows; red is above 0, blue below, magenta is NaN or Inf."""

    def run(self, text):
        tensor = tensor_named(text)
        colour = gdb.parameter("style enabled") and "NO_COLOR" not in os.environ
        say([tensor.line()] + heatmap_lines(tensor.shape, tensor.read, colour))


class SaveNpyCommand(Command):
    """save-npy X FILE: writes X so that numpy.load(FILE) reads it."""

    PIECE = 1 << 22  # elements

    def run(self, text):
        if " " not in text:
            raise Problem("which tensor, and to which file? For instance: save-npy w1 w1.npy")
        expression, path = text.rsplit(None, 1)
        tensor = tensor_named(expression)
        path = os.path.expanduser(path)
        try:
            with open(path + ".part", "wb") as file:
                file.write(npy_header(tensor.shape, tensor.item_size))
                for first in range(0, tensor.count, self.PIECE):
                    tensor.read(first, min(self.PIECE, tensor.count - first)).tofile(file)
            os.replace(path + ".part", path)
        except OSError as error:
            raise Problem("%s: %s" % (path, error.strerror)) from None
        say(["%s written to %s" % (tensor.kind(), path)])


class TensorsCommand(Command):
    """tensors: one line for each tensor of the selected frame."""

    def run(self, text):
        say(tensor_lines(gdb.selected_frame()) or ["no tensors in this frame"])


def tensor_lines(frame):
    found = []
    block = frame.block()
    while block and not block.is_global and not block.is_static:
        for symbol in block:
            if symbol.is_variable or symbol.is_argument:
                not_yet = symbol.is_variable and symbol.line >= frame.find_sal().line
                late = "line %d has not run yet" % symbol.line if not_yet else None
                found += tensors_in(symbol.name, symbol.value(frame), late)
        block = block.superblock if not block.function else None
    width = max((len(name) for name, _ in found), default=0)
    return ["%s  %s" % (name.ljust(width), text) for name, text in found]


def tensors_in(name, value, late, depth=2):
    """(expression, line) of a tensor, or of those that are members: of a module, or a node."""
    type = plain_type(value)
    if type.code == gdb.TYPE_CODE_PTR:
        if name != "this" or int(value) == 0:
            return []
        type, value, name = pointed_type(type), value.dereference(), ""
    kind = kind_of(type)
    if kind in ("Tensor", "Saved", "Arg"):
        return [(name or "*this", late or tensor_line(value))]
    if kind == "Input":
        return [(name, "edge to " + Input(Value(value)).text())]
    if type.code != gdb.TYPE_CODE_STRUCT or not type.tag.startswith("stepgrad::") or depth == 0:
        return []
    prefix = name + "." if name else ""
    found = []
    for field in type.fields():
        if not field.is_base_class and not field.artificial and field.name != "next":
            found += tensors_in(prefix + field.name, value[field], late, depth - 1)
    return found


def tensor_line(value):
    try:
        return tensor_of(value).line()
    except (Problem, Unreadable) as problem:
        return str(problem)


class StepgradCommand(Command):
    """stepgrad: what stepgrad adds to gdb."""

    def run(self, text):
        say(command.__doc__.split("\n")[0] for command in self.all)
        say(["$at(x, i, j): an element. $grad(x): a gradient. $bad(x): 1 if there is a NaN or Inf.",
             "layout grad: source, tape and tensors side by side. tui disable leaves it."])


def install():
    StepgradCommand("stepgrad")
    TapeCommand("tape")
    TensorsCommand("tensors")
    GradCommand("grad", gdb.COMPLETE_EXPRESSION)
    ExplainCommand("explain", gdb.COMPLETE_EXPRESSION)
    WhyNanCommand("why-nan", gdb.COMPLETE_EXPRESSION)
    HeatmapCommand("heatmap", gdb.COMPLETE_EXPRESSION)
    SaveNpyCommand("save-npy", gdb.COMPLETE_EXPRESSION)
