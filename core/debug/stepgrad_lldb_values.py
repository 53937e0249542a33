"""lldb's values as those of stepgrad_memory.py, and the tape."""

import contextlib
import re
import sys
from itertools import islice

import lldb
import stepgrad_read
from stepgrad_memory import MAX_ELEMENTS, NOT_RUNNING, Layout, Memory, Place, Problem, Unreadable
from stepgrad_tape import Tape

STRUCTS = lldb.eTypeClassStruct, lldb.eTypeClassClass


class LldbMemory(Memory):
    def __init__(self, process):
        super().__init__()
        self.process = process

    def read(self, address, size):
        if size == 0:
            return b""
        error = lldb.SBError()  # a new one: in a core file, success clears none
        data = self.process.ReadMemory(address, size, error)
        if error.Fail() or len(data) != size:
            raise Unreadable("cannot access memory at address %#x" % address)
        return data

    def read_text(self, address, limit):
        error = lldb.SBError()
        try:
            text = self.process.ReadCStringFromMemory(address, limit, error)
        except SystemError:  # not UTF-8, or the last character is cut
            data = self.read(address, min(limit, -address % 4096 or 4096))
        else:
            if address and error.Success():
                return text
            place = self.process.GetTarget().ResolveLoadAddress(address)
            data = in_file(place, limit) or self.read(address, 1)
        return data.split(b"\0")[0].decode("utf-8", "replace")

    def key(self, type):
        type = type.GetCanonicalType().GetUnqualifiedType()
        return type.GetName(), type

    def describe(self, type):
        size, name = type.GetByteSize(), type.GetName()
        if type.IsPointerType():
            return Layout("pointer", name, type, size, type.GetPointeeType())
        if type.IsReferenceType():
            target = type.GetDereferencedType()
            return Layout("reference", name, type, target.GetPointerType().GetByteSize(), target)
        if type.IsArrayType():
            return Layout("array", name, type, size, type.GetArrayElementType())
        if type.GetTypeClass() in STRUCTS:
            members = [type.GetFieldAtIndex(i) for i in range(type.GetNumberOfFields())]
            bases = [type.GetDirectBaseClassAtIndex(i) for i in range(type.GetNumberOfDirectBaseClasses())]
            return Layout("struct", name, type, size, parts=[
                (each.GetName(), each.GetOffsetInBytes(), each.GetType(), each in bases)
                for each in members + bases])
        code = "float" if name in ("float", "double") else \
            "unsigned" if name.startswith("unsigned") or name == "bool" else "int"
        return Layout(code, name, type, size)

    def named(self, name):
        type = self.process.GetTarget().FindFirstType(name)
        return self.layout(type) if type.IsValid() else None

    def elements(self, place):
        """By lldb's own formatters; those that lldb 14 lacks for GNU's types, from their members."""
        name = place.layout.name
        with contextlib.suppress(Unreadable):  # LLVM's
            if name.startswith("std::tuple<"):
                return [("[%d]" % i, each) for i, each in enumerate(heads(place), 1)]
            if name.startswith("std::span<"):
                count = int(re.search(r", (\d+)>", name)[1])
                if place.layout.size > self.process.GetAddressByteSize():
                    count = place.field("_M_extent").field("_M_extent_value").int()
                return [("[%d]" % i, place.field("_M_ptr").item(i)) for i in range(min(count, MAX_ELEMENTS))]
            if name.startswith("std::unordered_map<"):
                return [*islice(self.hashed(place), MAX_ELEMENTS)]
        target = self.process.GetTarget()
        value = target.CreateValueFromAddress("it", lldb.SBAddress(place.at, target), place.layout.type)
        is_map, found = "map<" in place.layout.name.split(",")[0], []
        for child in (value.GetChildAtIndex(i) for i in range(min(value.GetNumChildren(), MAX_ELEMENTS))):
            name = child.GetName() or ""
            if is_map:
                key, child = map(child.GetChildMemberWithName, ("first", "second"))
                name = key_text(of(key))
            if name[:1] == "[" or name == "Value":  # an optional's
                found.append((name if name != "Value" else ".value()", of(child)))
        return found

    def hashed(self, place):
        """Each node is a pointer to the next one, a key, and a value."""
        key, value = (self.layout(place.layout.type.GetTemplateArgumentType(i)) for i in (0, 1))
        size = self.process.GetAddressByteSize()
        for node in stepgrad_read.linked(place.field("_M_h").field("_M_before_begin").field("_M_nxt"), "_M_nxt"):
            at = node.address() + size
            yield key_text(Place(self, key, at)), Place(self, value, at + -(-key.size // size) * size)


def heads(place):
    """The elements of GNU's std::tuple: each in a base of a base, the first in the last one."""
    for name, offset, type, is_base in reversed(place.layout.parts):
        part = place.part(place.memory.layout(type), offset)
        if name == "_M_head_impl":
            yield part
        elif is_base:
            yield from heads(part)


def key_text(key):
    """[7] or ["up"]"""
    return "[%s]" % (key.int() if key.layout.code in ("int", "unsigned") else
        '"%s"' % key.field("_M_dataplus").field("_M_p").text(80))


def in_file(place, size):
    """Up to `size` bytes at an address, from the program's file, or None. A core file may lack
    read-only data: texts, and the layout's version."""
    section, error = place.GetSection(), lldb.SBError()
    if not section.IsValid():
        return None
    size = min(size, section.GetByteSize() - place.GetOffset())
    data = section.GetSectionData(place.GetOffset(), size).ReadRawData(error, 0, size)
    return data if error.Success() else None


_memory = (None, None)  # the process, and its LldbMemory


def of(value):
    """lldb's value as a Place. One without an address, in a register for instance, has its bytes."""
    global _memory
    # Otherwise lldb 19 gives the object's address for a pointer to a derived class.
    value = value.GetStaticValue().GetNonSyntheticValue()
    if value.GetType().IsReferenceType():
        value = value.Dereference()
    process = value.GetProcess()
    if _memory[0] != process.GetUniqueID():  # another process may run a new build
        _memory = process.GetUniqueID(), LldbMemory(process)
    memory, address, data = _memory[1], value.GetLoadAddress(), None
    if address == lldb.LLDB_INVALID_ADDRESS:
        error, raw = lldb.SBError(), value.GetData()
        address, data = 0, raw.ReadRawData(error, 0, raw.GetByteSize()) if raw.GetByteSize() else b""
    return Place(memory, memory.layout(value.GetType()), address, data=data)


def running(context):
    process = context.GetProcess()
    if not process or not process.IsValid() or process.GetState() != lldb.eStateStopped:
        raise Problem(NOT_RUNNING)
    if process.GetPluginName().endswith("core"):
        raise Problem("this is a core file: nothing runs in it")


def the_tape(target):
    check_version(target)
    if not target.GetProcess().IsValid() or target.GetProcess().GetState() == lldb.eStateExited:
        raise Problem(NOT_RUNNING)
    found = target.FindFirstGlobalVariable("stepgrad::the_tape")
    if not found.IsValid():
        raise Problem(stepgrad_read.abi_problem(None))
    return Tape(of(found))


def check_version(target):
    found = target.FindSymbols("stepgrad_debug_abi")
    data = in_file(found[0].GetSymbol().GetStartAddress(), 4) if len(found) else None
    problem = stepgrad_read.abi_problem(data and int.from_bytes(data, sys.byteorder))
    if problem:
        raise Problem(problem)
