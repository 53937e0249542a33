"""gdb's values as tensors, nodes and the tape."""

import gdb
import stepgrad_read
from stepgrad_memory import Layout, Memory, Place
from stepgrad_read import KINDS, Problem, Unreadable
from stepgrad_tape import Tape

PAGE = 4096
REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)


class Value:
    """gdb's values, with the methods of stepgrad_read.py."""

    def __init__(self, value):
        self.gdb = value

    def _get(self, get):
        try:
            return get()
        except gdb.MemoryError as error:
            raise Unreadable(str(error).lower()) from None
        except (gdb.error, TypeError) as error:  # TypeError: a field of a std::size_t
            raise Unreadable(str(error)) from None

    def field(self, name):
        value = self._get(lambda: self.gdb[name] if self.gdb.type.fields() else None)
        if value is None:
            raise Unreadable("%s has no debug information (-g)" % self.gdb.type)
        return Value(value)

    def target(self):
        return place(self.gdb.type.strip_typedefs().target(), self.int())

    def item(self, index):
        return Value(self._get(lambda: self.gdb[index]))

    def int(self):
        return self._get(lambda: int(self.gdb))

    def number(self):
        return self._get(lambda: float(self.gdb))

    def text(self, limit=80):
        """Page by page, since the next page may be unmapped."""
        at, data = self.int(), b""
        while len(data) < limit and b"\0" not in data:
            here = at + len(data)
            data += bytes(self.read(here, min(limit - len(data), PAGE - here % PAGE)))
        return data.split(b"\0")[0].decode("utf-8", "replace")

    def size(self):
        return self.gdb.type.sizeof

    def address(self):
        return self._get(lambda: int(self.gdb.address))

    def read(self, address, size):
        if size == 0:
            return b""  # newer gdbs refuse to read nothing
        return self._get(lambda: gdb.selected_inferior().read_memory(address, size))

    def pointed(self):
        value = self.gdb
        if value.type.strip_typedefs().code in REFERENCES:
            value = self._get(value.referenced_value)
        if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
            value = self._get(value.dereference)
        return Value(value)

    def node(self):
        """By the base's type: derived structs have a static member `formula` too. Otherwise gdb
        would look for the derived struct, and complain."""
        node, value = gdb.lookup_type("stepgrad::Node"), self.gdb
        type = plain_type(value.type)
        if pointed_type(type).tag != node.tag:
            return place(node, self._get(lambda: int(self.pointed().gdb.cast(node).address)))
        return place(node, self._get(lambda: int(value if type.code == gdb.TYPE_CODE_PTR
                                                 else value.address)))

    def type_name(self):
        return str(self.gdb.type)

    def kind(self):
        """Also of the object behind a pointer."""
        return kind_of(pointed_type(plain_type(self.gdb.type)))

    def is_pointer(self):
        return plain_type(self.gdb.type).code == gdb.TYPE_CODE_PTR

    def members(self):
        value, type = self.gdb, plain_type(self.gdb.type)
        if type.code == gdb.TYPE_CODE_ARRAY:
            first, last = type.range()
            return [("[%d]" % i, Value(value[i])) for i in range(first, min(last + 1, 100))]
        if type.code != gdb.TYPE_CODE_STRUCT:
            return []
        found = []
        for field in type.fields():
            if not hasattr(field, "bitpos") or field.artificial:  # static
                continue
            if not field.is_base_class:
                found.append((field.name or "", Value(value[field])))
            elif not str(field.type).startswith(("stepgrad::", "std::")):
                found += Value(value[field]).members()
        return found


def plain_type(type):
    """The type behind typedefs and a reference."""
    type = type.strip_typedefs()
    if type.code in REFERENCES:
        type = type.target().strip_typedefs()
    return type.unqualified()


def pointed_type(type):
    return plain_type(type.target()) if type.code == gdb.TYPE_CODE_PTR else type


_kinds = {}  # by the struct's name


def kind_of(type):
    """Which of our kinds a struct is or derives from; or None."""
    type = plain_type(type)
    if type.code != gdb.TYPE_CODE_STRUCT or not type.tag:
        return None
    if type.tag not in _kinds:
        found = None
        if type.tag.startswith("stepgrad::") and type.tag[10:] in KINDS:
            found = type.tag[10:]
        else:
            for field in type.fields():
                if field.is_base_class:
                    found = found or kind_of(field.type)
        _kinds[type.tag] = found
    return _kinds[type.tag]


class GdbMemory(Memory):
    def read(self, address, size):
        try:
            return gdb.selected_inferior().read_memory(address, size) if size else b""
        except gdb.MemoryError as error:
            raise Unreadable(str(error).lower()) from None

    def read_text(self, address):
        return Value(gdb.Value(address).cast(gdb.lookup_type("char").pointer())).text()

    def describe(self, type):
        size, name = type.sizeof, str(type)
        if type.code == gdb.TYPE_CODE_PTR or type.code in REFERENCES:
            return Layout("pointer", name, size, target=type.target())
        if type.code == gdb.TYPE_CODE_ARRAY:
            return Layout("array", name, size, target=type.target())
        if type.code == gdb.TYPE_CODE_STRUCT:
            return Layout("struct", name, size, fields=fields_of(type))
        code = "float" if type.code == gdb.TYPE_CODE_FLT else \
            "int" if type.code == gdb.TYPE_CODE_INT and "unsigned" not in name else "unsigned"
        return Layout(code, name, size)

    def key(self, type):
        type = type.strip_typedefs().unqualified()
        return str(type), type


def fields_of(type):
    """{name: (offset, type)} of a struct's fields, bases included."""
    found = {}
    for field in type.fields():
        if not hasattr(field, "bitpos"):  # static
            continue
        offset = field.bitpos // 8
        if field.is_base_class:
            for name, (inner, each) in fields_of(field.type.strip_typedefs()).items():
                found.setdefault(name, (offset + inner, each))
        else:
            found[field.name] = offset, field.type
    return found


_memory = (None, None)  # the process, and its GdbMemory


def place(type, address):
    """The value at that address."""
    global _memory
    process = gdb.selected_inferior().pid
    if _memory[0] != process:  # another process may run a new build
        _memory = process, GdbMemory()
    return Place(_memory[1], _memory[1].layout(type), address)


def the_tape():
    check_version()
    if gdb.selected_inferior().pid == 0 and not gdb.selected_thread():
        raise Problem("the program is not running: type run first")
    value = gdb.lookup_global_symbol("stepgrad::the_tape").value()
    return Tape(place(value.type, int(value.address)))


def running():
    if gdb.selected_inferior().pid == 0 or not gdb.selected_thread():
        raise Problem("the program is not running: type run first")
    if gdb.selected_inferior().connection.type == "core":
        raise Problem("this is a core file: nothing runs in it")


def check_version():
    """By gdb's expressions, which also find variables without debug information."""
    try:
        version = int(gdb.parse_and_eval("*(int*)&stepgrad_debug_abi"))
    except gdb.error:
        version = None
    problem = stepgrad_read.abi_problem(version)
    if problem:
        raise Problem(problem)
    if not gdb.lookup_global_symbol("stepgrad::the_tape"):
        raise Problem("this program's stepgrad has no debug information: it was stripped")
