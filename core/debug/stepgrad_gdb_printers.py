"""How tensors and nodes print in gdb, and what `step` passes over."""

import os

import gdb
from stepgrad_format import shape_text
from stepgrad_gdb_values import Value, check_version, kind_of, plain_type, pointed_type
from stepgrad_read import Problem, Unreadable, read_shape
from stepgrad_tensor import Input, Node, tensor_of

# Plumbing, by the end of its path: `step` runs through it. Everything between the reader's line and
# a gradient must stay off this list, for gdb steps out of a skipped function as soon as it is in.
SKIPPED_FILES = [
    "core/check.hpp", "core/kernels/scalar/table.cpp", "core/kernels/table.cpp", "core/loc.hpp",
    "core/tape/modes.cpp", "core/tape/modes.hpp", "core/tape/node.cpp", "core/tape/node.hpp",
    "core/tape/observer.cpp", "core/tape/observer.hpp", "core/tape/pass.cpp", "core/tape/pass.hpp",
    "core/tape/record.cpp", "core/tape/record.hpp", "core/tape/tape.cpp",
    "core/tape/tensor_grad.cpp", "core/tensor/nested.cpp", "core/tensor/nested.hpp",
    "core/tensor/random.cpp", "core/tensor/shape.cpp", "core/tensor/shape.hpp",
    "core/tensor/tensor.cpp", "core/tensor/tensor.hpp", "core/loc.cpp",
]
SKIPPED_GLOBS = ["*/core/kernels/simd/*", "*/core/memory/*", "*/core/watch/*"] + [
    "./%s/*" % each for each in "elf libio malloc math nptl stdio-common stdlib string".split()
] + ["../sysdeps" + "/*" * depth for depth in range(1, 6)]  # the C library's, with its debug info
SKIPPED_FUNCTIONS = ["^std::", "^__gnu_cxx::", "^operator.(new|delete)",
                     "^stepgrad::.*check", "^stepgrad::nn::Module<.*>::self",
                     "^stepgrad::operator<<", "^stepgrad::matmul_kernels"]

# Over MI a printer with children shows as {...}; an IDE needs the line.
IN_MI = any(word.startswith(("--interpreter=mi", "-i=mi", "--interpreter=dap")) or word == "mi"
            for word in open("/proc/self/cmdline").read().split("\0")) \
    if os.path.exists("/proc/self/cmdline") else False


def in_summary():
    """Whether a frame or a list is being printed, which wants one line."""
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
    """A printer whose subclass says text(value), in one line or several."""

    def __init__(self, value):
        self.value = Value(value)

    def to_string(self):
        try:
            check_version()
            return self.text(self.value.pointed())
        except (Problem, Unreadable) as problem:
            return self.problem(str(problem))

    def problem(self, text):
        return "<%s>" % text


class TensorPrinter(Printer):
    def text(self, value):
        tensor = tensor_of(value)
        return tensor.glance() if IN_MI else \
            tensor.line() if in_summary() else "\n".join(tensor.lines())

    def problem(self, text):
        return text if in_summary() else "Tensor <%s>" % text


class NodePrinter(Printer):
    def text(self, value):
        node = Node(value.node())
        return node.line() if in_summary() else "\n".join(node.lines())


class InputPrinter(Printer):
    def text(self, value):
        return Input(value).text()


class ImplPrinter:
    """What a handle points to, with its rows as children, for the tree in an IDE."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "TensorImpl"

    def children(self):
        storage = self.value["storage"]["p_"]
        try:
            shape = read_shape(Value(self.value["shape"]))
            data = storage["data"]
            n = shape[-1] if shape else 1
            rows = int(storage["size"]) // n if n else 0
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
        return shape_text(read_shape(value))


class ProductsPrinter(Printer):
    """The sizes of a product, in a kernel's frame."""

    def text(self, value):
        m, n, k, batch = (value.field(name).int() for name in ("m", "n", "k", "batch"))
        return "[%d, %d], %d terms each%s" % (m, n, k, "" if batch == 1 else ", %d times" % batch)


class PointerPrinter(Printer):
    """`this` and its like: what it points to, on one line."""

    KINDS = {"Tensor", "Saved", "Node", "Input"}

    def to_string(self):
        text = super().to_string()
        value = self.value.gdb
        return text if in_summary() else "(%s) %#x -> %s" % (value.type, value, text)

    def text(self, value):
        kind = value.kind()
        return tensor_of(value).line() if kind in ("Tensor", "Saved") else \
            Node(value.node()).line() if kind == "Node" else Input(value).text()


PRINTERS = {"Tensor": TensorPrinter, "Saved": TensorPrinter, "Arg": TensorPrinter,
            "Node": NodePrinter, "Input": InputPrinter, "TensorImpl": ImplPrinter}


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
    return printer(value) if printer else None


find_printer.name = "stepgrad"


def install(objfile):
    """Safe to call again."""
    OneLine()
    printers = (objfile or gdb).pretty_printers
    printers[:] = [each for each in printers if getattr(each, "name", "") != "stepgrad"]
    printers.insert(0, find_printer)
    present = gdb.execute("info skip", to_string=True)
    skips = ["-fi " + each for each in SKIPPED_FILES] + ["-gfi " + each for each in SKIPPED_GLOBS] \
        + ["-rfu " + each for each in SKIPPED_FUNCTIONS]
    for skip in skips:
        if skip.split(" ", 1)[1] not in present:
            gdb.execute("skip " + skip, to_string=True)
