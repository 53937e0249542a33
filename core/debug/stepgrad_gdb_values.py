"""gdb's values as those of stepgrad_memory.py, and the tape."""

import contextlib
import itertools
import struct

import gdb
import stepgrad_read
from stepgrad_memory import MAX_ELEMENTS, NOT_RUNNING, Layout, Memory, Place, Problem, Unreadable
from stepgrad_tape import Tape

PAGE = 4096
CODES = {gdb.TYPE_CODE_PTR: "pointer", gdb.TYPE_CODE_REF: "reference", gdb.TYPE_CODE_RVALUE_REF: "reference",
    gdb.TYPE_CODE_ARRAY: "array", gdb.TYPE_CODE_STRUCT: "struct", gdb.TYPE_CODE_FLT: "float"}


class GdbMemory(Memory):
    def read(self, address, size):
        try:  # newer gdbs refuse to read nothing
            return gdb.selected_inferior().read_memory(address, size) if size else b""
        except gdb.MemoryError as error:
            raise Unreadable(str(error).lower()) from None

    def read_text(self, address, limit):
        """Page by page, since the next page may be unmapped."""
        data = b""
        while len(data) < limit and b"\0" not in data:
            here = address + len(data)
            data += bytes(self.read(here, min(limit - len(data), PAGE - here % PAGE)))
        return data.split(b"\0")[0].decode("utf-8", "replace")

    def key(self, type):
        type = type.strip_typedefs().unqualified()
        return type.name or str(type), type  # str: as the frame's language writes it

    def describe(self, type):
        name, code = type.name or str(type), CODES.get(type.code)
        if code == "struct":
            parts = [(field.name, field.bitpos // 8, field.type, field.is_base_class)
                for field in type.fields() if hasattr(field, "bitpos") and not field.artificial]  # no static
            return Layout(code, name, type, type.sizeof, parts=parts)
        target = type.target() if code in ("pointer", "reference", "array") else None
        code = code or ("int" if type.code == gdb.TYPE_CODE_INT and "unsigned" not in name else "unsigned")
        return Layout(code, name, type, type.sizeof, target)

    def named(self, name):
        with contextlib.suppress(gdb.error):
            return self.layout(gdb.lookup_type(name))

    def elements(self, place):
        try:
            printer = gdb.default_visualizer(to_gdb(place))
            if not hasattr(printer, "children"):
                return [("[%d]" % i, each) for i, each in enumerate(stepgrad_read.vector(place)[:MAX_ELEMENTS])]
            children = list(itertools.islice(printer.children(), 2 * MAX_ELEMENTS))
            if getattr(printer, "display_hint", lambda: None)() == "map":
                keys = ("[%s]" % gdb.Value(key).format_string() for _, key in children[::2])
                children = zip(keys, (value for _, value in children[1::2]))
            return [(".value()" if "contained" in name else name, of(value))
                for name, value in children if isinstance(value, gdb.Value)][:MAX_ELEMENTS]
        except Exception as error:  # printers of others
            raise Unreadable(str(error)) from None


_memory = (None, None)  # the process, and its GdbMemory


def memory():
    global _memory
    process = gdb.selected_inferior().pid
    if _memory[0] != process:  # another process may run a new build
        _memory = process, GdbMemory()
    return _memory[1]


def of(value):
    """gdb's value as a Place. One without an address, in a register for instance, has its bytes."""
    try:
        type, address = value.type.strip_typedefs(), value.address
        if CODES.get(type.code) == "reference":  # not referenced_value(), which looks for the derived struct
            type = type.target()
        return Place(memory(), memory().layout(type), int(address or 0),
            data=None if address is not None else bytes_of(value))
    except gdb.MemoryError as error:
        raise Unreadable(str(error).lower()) from None
    except gdb.error as error:
        raise Unreadable(str(error)) from None


def bytes_of(value):
    type = value.type.strip_typedefs()
    if type.code == gdb.TYPE_CODE_FLT:
        return struct.pack("<f" if type.sizeof == 4 else "<d", float(value)).ljust(type.sizeof, b"\0")
    data = bytearray(type.sizeof)
    if type.code == gdb.TYPE_CODE_STRUCT:
        for field in type.fields():
            if hasattr(field, "bitpos") and field.type.sizeof:
                part = bytes_of(value[field])
                data[field.bitpos // 8:field.bitpos // 8 + len(part)] = part
    elif type.code not in (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_UNION, gdb.TYPE_CODE_VOID, gdb.TYPE_CODE_FUNC):
        data = (int(value) & (1 << 8 * type.sizeof) - 1).to_bytes(type.sizeof, "little")
    return bytes(data)


def to_gdb(place):
    return gdb.Value(place.at).cast(place.layout.type.pointer()).dereference()


def kind_of(type):
    """Which of our kinds a type is, points to or is derived from; or None."""
    return Place(memory(), memory().layout(type), 0).kind()


def the_tape():
    check_version()
    if gdb.selected_inferior().pid == 0 and not gdb.selected_thread():
        raise Problem(NOT_RUNNING)
    return Tape(of(gdb.lookup_global_symbol("stepgrad::the_tape").value()))


def running():
    if gdb.selected_inferior().pid == 0 or not gdb.selected_thread():
        raise Problem(NOT_RUNNING)
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


def connect(event, function):
    """Once, although the script may be loaded again."""
    connected = gdb.__dict__.setdefault("stepgrad_connected", {})
    key = id(event), function.__name__
    if key in connected:
        event.disconnect(connected[key])
    event.connect(function)
    connected[key] = function
