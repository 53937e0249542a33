"""What gdb's values are to stepgrad: tensors, nodes, the tape."""

import gdb
import stepgrad_read
from stepgrad_read import Problem, Unreadable
from stepgrad_tape import Tape
from stepgrad_tensor import Tensor


class Value:
    """gdb's values as stepgrad_read wants them."""

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
        value = self._get(lambda: self.gdb[name] if self.gdb.type.fields() else None)
        if value is None:
            raise Unreadable("%s has no debug information (-g)" % self.gdb.type)
        return Value(value)

    def target(self):
        if self.gdb.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
            self.read(self.int(), 1)
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
    return Tensor(Value(value)) if kind in ("Tensor", "Saved", "Arg") else None


def as_node(value):
    """A node as what it is by its base: derived structs have a static member `formula` too."""
    try:
        return Value(referenced(value).cast(gdb.lookup_type("stepgrad::Node")))
    except gdb.error as error:
        raise Problem("no node: %s" % error) from None


def the_tape():
    check_version()
    return Tape(Value(gdb.lookup_global_symbol("stepgrad::the_tape").value()))


def check_version():
    symbol = gdb.lookup_global_symbol("stepgrad_debug_abi")
    problem = stepgrad_read.abi_problem(int(symbol.value()) if symbol else None)
    if problem:
        raise Problem(problem)
