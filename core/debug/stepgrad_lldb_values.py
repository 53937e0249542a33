"""What lldb's values are to stepgrad: tensors, nodes, the tape."""

import sys

import lldb
import stepgrad_read
from stepgrad_read import KINDS, Problem, Unreadable
from stepgrad_tape import Tape


class Value:
    """lldb's values as stepgrad_read wants them."""

    def __init__(self, value):
        self.lldb = value.GetNonSyntheticValue()

    def field(self, name):
        child = self.lldb.GetChildMemberWithName(name)
        if not child.IsValid():
            raise Unreadable("%s has no member %s" % (self.lldb.GetTypeName(), name))
        return Value(child)

    def target(self):
        type = self.lldb.GetType()
        child = self.lldb.Dereference()
        if type.IsReferenceType() and not child.IsValid():
            return self
        if type.IsPointerType():
            self.read(self.int(), 1)
        return Value(child)

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
        address, error = self.int(), lldb.SBError()
        text = self.lldb.GetProcess().ReadCStringFromMemory(address, limit, error)
        if address and error.Success():
            return text
        data = in_file(self.lldb.GetTarget().ResolveLoadAddress(address), 80)
        return (data or self.read(address, 1)).split(b"\0")[0].decode("utf-8", "replace")

    def size(self):
        return self.lldb.GetByteSize()

    def address(self):
        return self.lldb.GetLoadAddress()

    def read(self, address, size):
        if size == 0:
            return b""
        error = lldb.SBError()
        data = self.lldb.GetProcess().ReadMemory(address, size, error)
        if error.Fail() or len(data) != size:
            raise Unreadable("cannot access memory at address %#x" % address)
        return data

    def pointed(self):
        return Value(pointed(self.lldb))

    def node(self):
        return self.pointed()

    def type_name(self):
        return self.lldb.GetTypeName()

    def kind(self):
        return kind_of(self.lldb.GetType())

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


def in_file(place, size):
    """What the program's own file has at an address, at most `size` bytes, or None. A core file may
    lack what is only ever read: texts, and the version of the layout."""
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
    return Tape(Value(found))


def check_version(target):
    found = target.FindSymbols("stepgrad_debug_abi")
    data = in_file(found[0].GetSymbol().GetStartAddress(), 4) if len(found) else None
    problem = stepgrad_read.abi_problem(data and int.from_bytes(data, sys.byteorder))
    if problem:
        raise Problem(problem)
