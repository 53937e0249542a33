"""lldb's values as tensors, nodes and the tape."""

import sys

import lldb
import stepgrad_read
from stepgrad_memory import Layout, Memory, Place
from stepgrad_read import KINDS, Problem, Unreadable
from stepgrad_tape import Tape


class Value:
    """lldb's values, with the methods of stepgrad_read.py."""

    def __init__(self, value):
        self.lldb = value.GetNonSyntheticValue()

    def field(self, name):
        child = self.lldb.GetChildMemberWithName(name)
        if not child.IsValid():
            raise Unreadable("%s has no member %s" % (self.lldb.GetTypeName(), name))
        return Value(child)

    def target(self):
        type = self.lldb.GetType()
        if type.IsReferenceType():
            return self.pointed()
        return place(self.lldb.GetProcess(), type.GetPointeeType(), self.int())

    def item(self, index):
        type = self.lldb.GetType()
        if type.IsPointerType():
            place = self.int() + index * type.GetPointeeType().GetByteSize()
            name = "[%d]" % index
            return Value(self.lldb.CreateValueFromAddress(name, place, type.GetPointeeType()))
        child = self.lldb.GetChildAtIndex(index)
        if not child.IsValid():
            raise Unreadable("no element %d" % index)
        return Value(child)

    def int(self):
        error = lldb.SBError()
        number = self.lldb.GetValueAsSigned(error, 0)
        if error.Fail():
            raise Unreadable(self._where())
        return number & (1 << 64) - 1 if self.lldb.GetType().IsPointerType() else number

    def _where(self):
        return "cannot access memory at address %#x" % self.address()

    def number(self):
        error = lldb.SBError()
        data = self.lldb.GetData()
        read = data.GetFloat if self.size() == 4 else data.GetDouble
        number = read(error, 0)
        if error.Fail():
            raise Unreadable(self._where())
        return number

    def text(self, limit=80):
        return text_at(self.lldb.GetProcess(), self.int(), limit)

    def size(self):
        return self.lldb.GetByteSize()

    def address(self):
        # Otherwise lldb 19 gives the object's address for a pointer to a derived class.
        return self.lldb.GetStaticValue().GetLoadAddress()

    def read(self, address, size):
        return read(self.lldb.GetProcess(), address, size)

    def pointed(self):
        return Value(pointed(self.lldb))

    def node(self):
        value = pointed(self.lldb)
        node = value.GetTarget().FindFirstType("stepgrad::Node")
        return place(value.GetProcess(), node, value.GetLoadAddress())

    def type_name(self):
        return self.lldb.GetTypeName()

    def kind(self):
        type = self.lldb.GetType()
        return kind_of(type.GetPointeeType() if type.IsPointerType() else type)

    def is_pointer(self):
        return self.lldb.GetType().IsPointerType()

    def members(self):
        type, found = self.lldb.GetType(), []
        if type.GetTypeClass() not in (lldb.eTypeClassStruct, lldb.eTypeClassClass,
                                       lldb.eTypeClassArray):
            return []
        is_array = type.GetTypeClass() == lldb.eTypeClassArray
        bases = 0 if is_array else self.lldb.GetNumChildren() - type.GetNumberOfFields()
        for i in range(min(self.lldb.GetNumChildren(), 100)):
            child = self.lldb.GetChildAtIndex(i)
            name = child.GetName() or ""
            if i >= bases:
                found.append((name, Value(child)))
            elif not name.startswith(("stepgrad::", "std::")):
                found += Value(child).members()
        return found


def read(process, address, size, error=None):
    if size == 0:
        return b""
    error = error or lldb.SBError()
    data = process.ReadMemory(address, size, error)
    if error.Fail() or len(data) != size:
        raise Unreadable("cannot access memory at address %#x" % address)
    return data


def text_at(process, address, limit=80):
    error = lldb.SBError()
    try:
        text = process.ReadCStringFromMemory(address, limit, error)
    except SystemError:  # not UTF-8, or the last character is cut
        page_end = -address % 4096 or 4096
        data = read(process, address, min(limit, page_end))
        return data.split(b"\0")[0].decode("utf-8", "replace")
    if address and error.Success():
        return text
    data = in_file(process.GetTarget().ResolveLoadAddress(address), limit)
    return (data or read(process, address, 1)).split(b"\0")[0].decode("utf-8", "replace")


def in_file(place, size):
    """Up to `size` bytes at an address, from the program's file, or None. A core file may lack
    read-only data: texts, and the layout's version."""
    section, error = place.GetSection(), lldb.SBError()
    if not section.IsValid():
        return None
    size = min(size, section.GetByteSize() - place.GetOffset())
    data = section.GetSectionData(place.GetOffset(), size).ReadRawData(error, 0, size)
    return data if error.Success() else None


def pointed(value):
    """The value behind references and pointers."""
    value = value.GetNonSyntheticValue()
    type = value.GetType()
    return value.Dereference() if type.IsPointerType() or type.IsReferenceType() else value


def kind_of(type):
    name = type.GetCanonicalType().GetUnqualifiedType().GetName() or ""
    if name.startswith("stepgrad::") and name[10:] in KINDS:
        return name[10:]
    if type.IsReferenceType():
        return kind_of(type.GetDereferencedType())
    bases = (type.GetDirectBaseClassAtIndex(i).GetType()
             for i in range(type.GetNumberOfDirectBaseClasses()))
    return next(filter(None, map(kind_of, bases)), None)


class LldbMemory(Memory):
    def __init__(self, process):
        super().__init__()
        self.process, self.error = process, lldb.SBError()

    def read(self, address, size):
        return read(self.process, address, size, self.error)

    def read_text(self, address):
        return text_at(self.process, address)

    def key(self, type):
        type = type.GetCanonicalType().GetUnqualifiedType()
        return type.GetName(), type

    def describe(self, type):
        size, name = type.GetByteSize(), type.GetName()
        if type.IsPointerType():
            return Layout("pointer", name, size, target=type.GetPointeeType())
        if type.IsReferenceType():
            target = type.GetDereferencedType()
            return Layout("pointer", name, target.GetPointerType().GetByteSize(), target=target)
        if type.IsArrayType():
            return Layout("array", name, size, target=type.GetArrayElementType())
        if type.GetTypeClass() in (lldb.eTypeClassStruct, lldb.eTypeClassClass):
            return Layout("struct", name, size, fields=fields_of(type))
        code = "float" if name in ("float", "double") else \
            "unsigned" if name.startswith("unsigned") or name == "bool" else "int"
        return Layout(code, name, size)


def fields_of(type):
    """{name: (offset, type)} of a struct's fields, bases included."""
    found = {}
    for base in (type.GetDirectBaseClassAtIndex(i)
                 for i in range(type.GetNumberOfDirectBaseClasses())):
        for name, (offset, inner) in fields_of(base.GetType().GetCanonicalType()).items():
            found[name] = base.GetOffsetInBytes() + offset, inner
    for field in (type.GetFieldAtIndex(i) for i in range(type.GetNumberOfFields())):
        found[field.GetName()] = field.GetOffsetInBytes(), field.GetType()
    return found


_memory = (None, None)  # the process, and its LldbMemory


def place(process, type, address):
    """The value at that address."""
    global _memory
    number = process.GetUniqueID()
    if _memory[0] != number:  # another process may run a new build
        _memory = number, LldbMemory(process)
    return Place(_memory[1], _memory[1].layout(type), address)


def running(context):
    process = context.GetProcess()
    if not process or not process.IsValid() or process.GetState() != lldb.eStateStopped:
        raise Problem("the program is not running: type run first")
    if process.GetPluginName().endswith("core"):
        raise Problem("this is a core file: nothing runs in it")


def the_tape(target):
    check_version(target)
    if not target.GetProcess().IsValid() or target.GetProcess().GetState() == lldb.eStateExited:
        raise Problem("the program is not running: type run first")
    found = target.FindFirstGlobalVariable("stepgrad::the_tape")
    if not found.IsValid():
        raise Problem(stepgrad_read.abi_problem(None))
    return Tape(place(target.GetProcess(), found.GetType(), found.GetLoadAddress()))


def check_version(target):
    found = target.FindSymbols("stepgrad_debug_abi")
    data = in_file(found[0].GetSymbol().GetStartAddress(), 4) if len(found) else None
    problem = stepgrad_read.abi_problem(data and int.from_bytes(data, sys.byteorder))
    if problem:
        raise Problem(problem)
