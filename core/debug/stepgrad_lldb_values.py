"""What lldb's values are to stepgrad: tensors, nodes, the tape."""

import lldb
import stepgrad_read
from stepgrad_read import Problem, Unreadable
from stepgrad_tape import Tape
from stepgrad_tensor import Tensor


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

    def text(self):
        address = self.int()
        if address == 0:
            raise Unreadable("cannot access memory at address 0x0")
        error = lldb.SBError()
        text = self.lldb.GetProcess().ReadCStringFromMemory(address, 80, error) \
            if self.lldb.GetProcess().IsValid() else ""
        if error.Fail():
            raise Unreadable("cannot access memory at address %#x" % address)
        return text

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


def pointed(value):
    """The value behind references and pointers."""
    value = value.GetNonSyntheticValue()
    type = value.GetType()
    return value.Dereference() if type.IsPointerType() or type.IsReferenceType() else value


def kind_of(type):
    name = type.GetCanonicalType().GetUnqualifiedType().GetName()
    if name in ("stepgrad::" + kind for kind in ("Tensor", "Saved", "Arg", "Node", "Input")):
        return name[10:]
    bases = (type.GetDirectBaseClassAtIndex(i).GetType()
             for i in range(type.GetNumberOfDirectBaseClasses()))
    return next(filter(None, map(kind_of, bases)), None)


def tensor_of(value):
    """The checked tensor that a value is or holds; None if it is of another type."""
    value = pointed(value)
    kind = kind_of(value.GetType())
    if kind == "Arg":
        value = value.GetChildMemberWithName("tensor")
    return Tensor(Value(value)) if kind in ("Tensor", "Saved", "Arg") else None


def global_value(target, name):
    found = target.FindFirstGlobalVariable(name)
    return found if found and found.IsValid() else None


def the_tape(target):
    check_version(target)
    if not target.GetProcess().IsValid() or target.GetProcess().GetState() == lldb.eStateExited:
        raise Problem("the program is not running: type run first")
    return Tape(Value(global_value(target, "stepgrad::the_tape")))


def check_version(target):
    abi = global_value(target, "stepgrad_debug_abi")
    problem = stepgrad_read.abi_problem(abi.GetValueAsSigned() if abi else None)
    if problem:
        raise Problem(problem)
