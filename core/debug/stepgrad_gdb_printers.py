"""How tensors and nodes print in gdb, and what `step` passes over."""

import os

import gdb
import stepgrad_tape as tapes
from stepgrad_tape import Problem, Unreadable

# Plumbing, by the end of its path: `step` runs through it. Everything between the reader's line and
# a gradient must stay off this list, for gdb steps out of a skipped function as soon as it is in.
SKIPPED_FILES = [
    "core/check.hpp", "core/grad_mode.cpp", "core/grad_mode.hpp", "core/ledger.cpp",
    "core/ledger.hpp", "core/node.cpp", "core/node.hpp", "core/pool.cpp", "core/pool.hpp",
    "core/random.cpp", "core/record.cpp", "core/record.hpp", "core/ref.hpp", "core/shape.cpp", "core/shape.hpp", "core/storage.cpp",
    "core/storage.hpp", "core/tape.cpp", "core/tape_table.cpp", "core/tensor.cpp",
    "core/tensor.hpp", "core/tensor_tape.cpp", "core/walk.cpp", "core/walk.hpp",
    "core/kernels/table.cpp", "core/kernels/scalar/table.cpp",
]
SKIPPED_GLOBS = ["*/core/kernels/simd/*"]
SKIPPED_FUNCTIONS = ["^std::", "^__gnu_cxx::", "^operator.(new|delete)",
                     "^stepgrad::.*check", "^stepgrad::nn::Module<.*>::self",
                     "^stepgrad::operator", "^stepgrad::Autocast::"]


class Value:
    """gdb's values as stepgrad_tape wants them."""

    def __init__(self, value):
        self.gdb = value

    def _get(self, get):
        try:
            return get()
        except gdb.MemoryError as error:
            raise Unreadable(str(error).lower()) from None
        except gdb.error as error:
            raise Unreadable(str(error)) from None

    def field(self, name):
        return Value(self._get(lambda: self.gdb[name]))

    def target(self):
        return Value(self._get(lambda: self.gdb.referenced_value()))

    def item(self, index):
        return Value(self._get(lambda: self.gdb[index]))

    def int(self):
        return self._get(lambda: int(self.gdb))

    def number(self):
        return self._get(lambda: float(self.gdb))

    def text(self):
        return self._get(lambda: self.gdb.string("utf-8", "replace", 80)).split("\0")[0]

    def size(self):
        return self.gdb.type.sizeof

    def address(self):
        return self._get(lambda: int(self.gdb.address))

    def read(self, address, size):
        return self._get(lambda: gdb.selected_inferior().read_memory(address, size))


# ---- What a value is -----------------------------------------------------------------------------


def plain_type(value):
    type = value.type.strip_typedefs()
    if type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        type = type.target().strip_typedefs()
    return type.unqualified()


def pointed_type(type):
    return type.target().strip_typedefs().unqualified() if type.code == gdb.TYPE_CODE_PTR else type


KINDS = {"Tensor", "Saved", "Arg", "Node", "Input", "TensorImpl"}
_kinds = {}  # of struct names that were looked up before


def kind_of(type):
    """Which of ours a struct is, or is derived from: Tensor, Saved, Arg, Node, Input; or None."""
    if type.code != gdb.TYPE_CODE_STRUCT or not type.tag:
        return None
    if type.tag not in _kinds:
        found = None
        if type.tag.startswith("stepgrad::") and type.tag[10:] in KINDS:
            found = type.tag[10:]
        else:
            for field in type.fields():
                if field.is_base_class:
                    found = found or kind_of(field.type.strip_typedefs())
        _kinds[type.tag] = found
    return _kinds[type.tag]


def referenced(value):
    """The value itself, behind references and one pointer."""
    if value.type.strip_typedefs().code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        value = value.referenced_value()
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
        value = value.dereference()
    return value


def tensor_of(value):
    """The checked tensor that a gdb value is or holds; None if it is of another type."""
    value = referenced(value)
    kind = kind_of(plain_type(value))
    if kind == "Arg":
        value = value["tensor"]
    return tapes.Tensor(Value(value)) if kind in ("Tensor", "Saved", "Arg") else None


def as_node(value):
    """A node as what it is by its base: derived structs have a static member `formula` too."""
    return Value(referenced(value).cast(gdb.lookup_type("stepgrad::Node")))


def the_tape():
    check_version()
    return tapes.Tape(Value(gdb.lookup_global_symbol("stepgrad::the_tape").value()))


def check_version():
    symbol = gdb.lookup_global_symbol("stepgrad_debug_abi")
    problem = tapes.abi_problem(int(symbol.value()) if symbol else None)
    if problem:
        raise Problem(problem)


# ---- Printers ------------------------------------------------------------------------------------

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


class TensorPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        try:
            check_version()
            tensor = tensor_of(self.value)
            return tensor.line() if in_summary() else "\n".join(tensor.lines())
        except Problem as problem:
            text = str(problem)
            return text if in_summary() else "Tensor <%s>" % text


class NodePrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        try:
            check_version()
            node = tapes.Node(as_node(self.value))
            return node.line() if in_summary() else "\n".join(node.lines())
        except Problem as problem:
            return "<%s>" % problem


class InputPrinter:
    def __init__(self, value):
        self.value = referenced(value)

    def to_string(self):
        try:
            return tapes.Input(Value(self.value)).text()
        except (Problem, Unreadable) as problem:
            return "<%s>" % problem


class ImplPrinter:
    """What a handle points to, with its rows as children, for the tree in an IDE."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "TensorImpl"

    def children(self):
        storage = self.value["storage"]["p_"]
        try:
            shape = tapes.read_shape(Value(self.value["shape"]))
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


class ShapePrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        try:
            return tapes.fmt.shape_text(tapes.read_shape(Value(self.value)))
        except (Problem, Unreadable) as problem:
            return "<%s>" % problem


class ProductsPrinter:
    """The sizes of a product, in a kernel's frame."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        m, n, k, batch = (int(self.value[name]) for name in ("m", "n", "k", "batch"))
        return "[%d, %d], %d terms each%s" % (m, n, k, "" if batch == 1 else ", %d times" % batch)


class PointerPrinter:
    """`this` and its like: what it points to, on one line."""

    KINDS = {"Tensor", "Saved", "Node", "Input"}

    def __init__(self, value):
        self.value = value

    def to_string(self):
        try:
            value = self.value.dereference()
            kind = kind_of(pointed_type(plain_type(self.value)))
            text = tensor_of(value).line() if kind in ("Tensor", "Saved") else \
                tapes.Node(as_node(value)).line() if kind == "Node" else \
                tapes.Input(Value(value)).text()
        except (Problem, Unreadable) as problem:
            text = "<%s>" % problem
        return text if in_summary() else "(%s) %#x -> %s" % (self.value.type, self.value, text)


PRINTERS = {"Tensor": TensorPrinter, "Saved": TensorPrinter, "Arg": TensorPrinter,
            "Node": NodePrinter, "Input": InputPrinter, "TensorImpl": ImplPrinter}


def find_printer(value):
    type = plain_type(value)
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
