"""Pretty-printers for tensors and nodes in gdb."""

import os

import gdb
from stepgrad_gdb_values import check_version, connect, kind_of, of, to_gdb
from stepgrad_memory import Problem, Unreadable
from stepgrad_tensor import LINES, tensor_of

IN_MI = any(word.startswith(("--interpreter=mi", "-i=mi", "--interpreter=dap")) or word == "mi"
    for word in open("/proc/self/cmdline").read().split("\0")) \
    if os.path.exists("/proc/self/cmdline") else False


class Printer:
    """A printer whose subclass defines text(place), one line."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        try:
            check_version()
            return self.text(of(self.value))
        except (Problem, Unreadable) as problem:
            return str(problem) if self.bare else "<%s>" % problem

    bare = False


class TensorPrinter(Printer):
    bare = True

    def text(self, place):
        tensor = tensor_of(place)
        return tensor.glance() if IN_MI else tensor.line()


class TreePrinter(TensorPrinter):
    """For an IDE's tree of variables: a line, and rows as children. Over MI, gdb shows a line
    only for a value without children. So there are none once gdb has asked for them, and gdb asks
    for the line next. Each value gets a new printer."""

    given = False

    def __getattr__(self, name):
        if name != "children" or self.given or gdb.print_options().get("summary"):
            raise AttributeError(name)
        try:
            tensor = tensor_of(of(self.value))
        except (Problem, Unreadable):
            raise AttributeError(name) from None
        if not tensor.shape:
            raise AttributeError(name)
        return lambda: self.rows(tensor)

    def rows(self, tensor):
        self.given = True
        n = tensor.shape[-1]
        row = gdb.lookup_type({4: "float", 8: "double"}[tensor.item_size]).array(n - 1)
        first = gdb.Value(tensor.data).cast(row.pointer())
        for i in range(min(tensor.count // n if n else 0, 100)):
            yield "[%d]" % i, (first + i).dereference()
        value = self.value["tensor"] if kind_of(self.value.type) == "Arg" else self.value
        impl = to_gdb(of(value).pointed().field("impl_").field("p_").target())
        for name in ("refs", "shape", "name"):
            yield name, impl[name]
        yield "node", impl["node"]["p_"]


def line_printer(kind):
    return type(kind + "Printer", (Printer,), {"text": staticmethod(LINES[kind])})


class ProductsPrinter(Printer):
    """A product's sizes, in a kernel's frame."""

    def text(self, place):
        m, n, k, batch = (place.pointed().field(name).int() for name in ("m", "n", "k", "batch"))
        return "[%d, %d], %d terms each%s" % (m, n, k, "" if batch == 1 else ", %d times" % batch)


TENSOR = TreePrinter if IN_MI and hasattr(gdb, "print_options") else TensorPrinter
PRINTERS = {"Tensor": TENSOR, "Saved": TENSOR, "Arg": TENSOR, **{kind: line_printer(kind) for kind in ("Node", "Input")}}
NAMED = {"stepgrad::Shape": line_printer("Shape"), "stepgrad::kernels::Products": ProductsPrinter}


def find_printer(value):
    type = value.type.strip_typedefs()
    if type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        type = type.target().strip_typedefs()
    if type.code == gdb.TYPE_CODE_PTR:
        wanted = not IN_MI and int(value) and kind_of(type) in PRINTERS
        return PRINTERS[kind_of(type)](value) if wanted else None
    if type.code != gdb.TYPE_CODE_STRUCT:
        return None
    printer = NAMED.get(type.unqualified().tag) or PRINTERS.get(kind_of(type))
    return printer(value) if printer else None


find_printer.name = "stepgrad"


def install(event=None):
    """Before the printers of all libraries: libstdc++'s follow each reference, and gdb then warns of each
    class without RTTI symbols. Safe to call again."""
    for printers in [gdb.pretty_printers] + [first.pretty_printers for first in gdb.objfiles()[:1]]:
        printers[:] = [each for each in printers if getattr(each, "name", "") != "stepgrad"]
        printers.insert(0, find_printer)
    connect(gdb.events.new_objfile, install)
