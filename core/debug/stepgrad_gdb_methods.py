"""Tensor's methods in gdb's expressions, answered by reading memory, where gdb would call the
program's: print x.numel(), break ... if dY.size(0) > 2. They work in core files too."""

import gdb
import gdb.xmethod
from stepgrad_gdb_functions import element, tensor_argument
from stepgrad_gdb_values import kind_of
from stepgrad_methods import METHODS, requires_grad
from stepgrad_memory import Problem
from stepgrad_read import MAX_DIMS


def impl(x):
    return x["impl_"]["p_"].dereference()


def grad(x, tensor):
    METHODS["grad"][0](tensor)  # which may refuse
    undefined = gdb.Value(bytes(x.type.sizeof), x.type.unqualified())
    return impl(x)["node"]["p_"]["grad"] if requires_grad(tensor) else undefined


# Methods that return gdb's values, from gdb's value, our Tensor, and the method's integers.
GIVE_VALUES = {
    "shape": ("stepgrad::Shape", lambda x, tensor: impl(x)["shape"]),
    "data": ("stepgrad::Scalar *", lambda x, tensor: impl(x)["data"]),
    "at": ("stepgrad::Scalar", lambda x, tensor, *index: element(tensor, index)),
    "kind": ("stepgrad::Kind", lambda x, tensor: impl(x)["storage"]["p_"]["kind"]),
    "node": ("stepgrad::Node *", lambda x, tensor: impl(x)["node"]["p_"]),
    "name": ("char *", lambda x, tensor: impl(x)["name"]),  # if $_streq(x.name(), "w1")
    "grad": ("stepgrad::Tensor", grad),
}
OF_ARG = ("shape", "dim", "numel", "data")  # which of them an Arg has


class Method(gdb.xmethod.XMethodWorker):
    def __init__(self, name, count):
        self.name, self.count = name, count

    def get_arg_types(self):
        return [gdb.lookup_type("int")] * self.count  # the method's own parameters

    def get_result_type(self, *unused):
        name = GIVE_VALUES[self.name][0] if self.name in GIVE_VALUES else METHODS[self.name][2]
        type = gdb.lookup_type(name.rstrip(" *"))
        return type.pointer() if name.endswith("*") else type

    def __call__(self, x, *arguments):
        if kind_of(x.type) == "Arg":
            x = x["tensor"]
        tensor, numbers = tensor_argument(self.name, x), map(int, arguments)
        try:
            if self.name in GIVE_VALUES:
                return GIVE_VALUES[self.name][1](x, tensor, *numbers)
            return gdb.Value(METHODS[self.name][0](tensor, *numbers)).cast(self.get_result_type())
        except Problem as problem:
            raise gdb.GdbError("%s: %s" % (self.name, problem)) from None


class Methods(gdb.xmethod.XMethodMatcher):
    def __init__(self):
        super().__init__("stepgrad")
        self.methods = [gdb.xmethod.XMethod(name) for name in [*METHODS, *GIVE_VALUES]]

    def match(self, class_type, name):
        known = {"stepgrad::Tensor": [*METHODS, *GIVE_VALUES], "stepgrad::Arg": OF_ARG}
        if name not in known.get(class_type.strip_typedefs().unqualified().tag, ()):
            return None
        counts = range(MAX_DIMS + 1) if name == "at" else [METHODS[name][1] if name in METHODS else 0]
        return [Method(name, count) for count in counts]


def install():
    """Safe to call again."""
    gdb.xmethod.register_xmethod_matcher(gdb.current_objfile(), Methods(), replace=True)
