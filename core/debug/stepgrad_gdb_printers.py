"""Pretty-printers for tensors and nodes in gdb."""

import os

import gdb
from stepgrad_format import shape_text
from stepgrad_gdb_values import Value, check_version, kind_of, plain_type, pointed_type
from stepgrad_read import Problem, Unreadable, read_shape
from stepgrad_tensor import Input, Node, tensor_of

IN_MI = any(word.startswith(("--interpreter=mi", "-i=mi", "--interpreter=dap")) or word == "mi"
            for word in open("/proc/self/cmdline").read().split("\0")) \
    if os.path.exists("/proc/self/cmdline") else False


def in_summary():
    """Whether a frame or a list is being printed, which needs one line."""
    options = gdb.print_options() if hasattr(gdb, "print_options") else {}
    return IN_MI or bool(options.get("summary")) or gdb.parameter("stepgrad-oneline")


class OneLine(gdb.Parameter):
    """Whether tensors always print on one line, as in info locals."""

    set_doc = "Set whether tensors always print on one line."
    show_doc = "Show whether tensors always print on one line."

    def __init__(self):
        super().__init__("stepgrad-oneline", gdb.COMMAND_DATA, gdb.PARAM_BOOLEAN)
        self.value = False


class Printer:
    """A printer whose subclass defines text(value), one line or several."""

    def __init__(self, value):
        self.value = Value(value)

    def to_string(self):
        try:
            check_version()
            return self.text(self.value)
        except (Problem, Unreadable) as problem:
            return self.problem(str(problem))

    def problem(self, text):
        return "<%s>" % text


class TensorPrinter(Printer):
    def text(self, value):
        tensor = tensor_of(value)
        return tensor.glance() if IN_MI else \
            tensor.line() if in_summary() or inside(value.pointed().gdb) else "\n".join(tensor.lines())

    def problem(self, text):
        return text if in_summary() else "Tensor <%s>" % text


class TreePrinter(TensorPrinter):
    """For an IDE's tree of variables: a line, and rows as children. Over MI, gdb shows a line
    only for a value without children. So there are none once gdb has asked for them, and gdb asks
    for the line next. Each value gets a new printer."""

    given = False

    def __getattr__(self, name):
        if name != "children" or self.given or gdb.print_options().get("summary"):
            raise AttributeError(name)
        try:
            if not tensor_of(self.value).shape:
                raise AttributeError(name)
        except (Problem, Unreadable):
            raise AttributeError(name) from None
        return self.rows

    def rows(self):
        self.given = True
        value = self.value.pointed().gdb
        value = value["tensor"] if kind_of(value.type) == "Arg" else value
        return ImplPrinter(value["impl_"]["p_"].dereference()).children()


class NodePrinter(Printer):
    def text(self, value):
        node = Node(value.node())
        return node.line() if in_summary() else "\n".join(node.lines())


class InputPrinter(Printer):
    def text(self, value):
        return Input(value.pointed()).text()


class ImplPrinter:
    """The object behind a handle, with its rows as children, for an IDE's tree."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "TensorImpl"

    def children(self):
        try:
            shape = read_shape(Value(self.value["shape"]))
            data = self.value["data"]
            n = shape[-1] if shape else 1
            rows = int(self.value["size"]) // n if n else 0
            row = data.type.target().array(n - 1).pointer()
            first = data.cast(row)
            for i in range(min(rows, 100)):
                yield "[%d]" % i, (first + i).dereference()
        except (Problem, Unreadable, gdb.error) as problem:
            yield "error", gdb.Value(str(problem))
        for name in ("refs", "shape", "name"):
            yield name, self.value[name]
        yield "node", self.value["node"]["p_"]


class ShapePrinter(Printer):
    def text(self, value):
        return shape_text(read_shape(value.pointed()))


class ProductsPrinter(Printer):
    """A product's sizes, in a kernel's frame."""

    def text(self, value):
        m, n, k, batch = (value.pointed().field(name).int() for name in ("m", "n", "k", "batch"))
        return "[%d, %d], %d terms each%s" % (m, n, k, "" if batch == 1 else ", %d times" % batch)


class PointerPrinter(Printer):
    """`this` and other pointers: the object on one line."""

    KINDS = {"Tensor", "Saved", "Node", "Input"}

    def to_string(self):
        text = super().to_string()
        value = self.value.gdb
        return text if in_summary() else "(%s) %#x -> %s" % (value.type, value, text)

    def text(self, value):
        kind = value.kind()
        return tensor_of(value).line() if kind in ("Tensor", "Saved") else \
            Node(value.node()).line() if kind == "Node" else Input(value.pointed()).text()


TENSOR = TreePrinter if IN_MI and hasattr(gdb, "print_options") else TensorPrinter
PRINTERS = {"Tensor": TENSOR, "Saved": TENSOR, "Arg": TENSOR,
            "Node": NodePrinter, "Input": InputPrinter, "TensorImpl": ImplPrinter}

outermost = None  # the user's struct that is being printed: its first and last byte


def inside(value):
    """Whether a value is a member of a struct that is being printed."""
    return outermost is not None and outermost[0] <= int(value.address or 0) < outermost[1]


def is_shown(value):
    """Remembers a struct: gdb asks for its printer before those of its members."""
    global outermost
    if value.address and not inside(value):
        outermost = int(value.address), int(value.address) + value.type.sizeof


def forget_shown():
    global outermost
    outermost = None


def find_printer(value):
    type = plain_type(value.type)
    if type.code == gdb.TYPE_CODE_PTR:
        wanted = not IN_MI and kind_of(pointed_type(type)) in PointerPrinter.KINDS
        printer = PointerPrinter if wanted and int(value) else None
    elif type.tag == "stepgrad::Shape":
        printer = ShapePrinter
    elif type.tag == "stepgrad::kernels::Products":
        printer = ProductsPrinter
    else:
        printer = PRINTERS.get(kind_of(type))
        if printer is None and type.code == gdb.TYPE_CODE_STRUCT:
            is_shown(value)
    return printer(value) if printer else None


find_printer.name = "stepgrad"


def install(objfile):
    """Safe to call again."""
    OneLine()
    printers = (objfile or gdb).pretty_printers
    printers[:] = [each for each in printers if getattr(each, "name", "") != "stepgrad"]
    printers.insert(0, find_printer)
    if hasattr(gdb, "stepgrad_shown"):  # of the script that was loaded before
        gdb.events.before_prompt.disconnect(gdb.stepgrad_shown)
    gdb.stepgrad_shown = forget_shown
    gdb.events.before_prompt.connect(forget_shown)
