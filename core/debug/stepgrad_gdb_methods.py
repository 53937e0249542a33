"""Methods of Tensor that gdb answers by reading memory, where it would call the program's: print
x.numel(), break ... if dY.size(0) > 2. They work in core files, too."""

import gdb
import gdb.xmethod
from stepgrad_gdb_functions import element, tensor_argument
from stepgrad_gdb_values import plain_type
from stepgrad_read import MAX_DIMS, Problem


def impl(x):
    return x["impl_"]["p_"].dereference()


def size(x, tensor, dim):
    dims = len(tensor.shape)
    if not -dims <= dim < dims:
        raise Problem("there is no dimension %d in %s" % (dim, tensor.kind()))
    return tensor.shape[dim]


def item(x, tensor):
    if tensor.count != 1:
        raise Problem("%s is not a single number" % tensor.kind())
    return element(tensor, [0] * len(tensor.shape))


def requires_grad(tensor):
    return tensor.node is not None and tensor.node.wants_grad


def is_leaf(tensor):
    return not requires_grad(tensor) or tensor.node.is_leaf()


def grad(x, tensor):
    if not requires_grad(tensor):
        return gdb.Value(bytes(x.type.sizeof), x.type.unqualified())  # undefined
    node = impl(x)["node"]["p_"].dereference()
    if not is_leaf(tensor) and not node["retains_grad"]:
        raise Problem("%s is no leaf, and retain_grad() was not called" % tensor.kind())
    return node["grad"]


# The type that each gives, and what it says of a Tensor: of gdb's value, of ours, and of the method's
# own arguments.
METHODS = {
    "shape": ("stepgrad::Shape", lambda x, tensor: impl(x)["shape"]),
    "size": ("long", size),
    "dim": ("int", lambda x, tensor: len(tensor.shape)),
    "numel": ("long", lambda x, tensor: tensor.count),
    "data": ("stepgrad::Scalar *", lambda x, tensor: impl(x)["data"]),
    "item": ("stepgrad::Scalar", item),
    "at": ("stepgrad::Scalar", lambda x, tensor, *index: element(tensor, index)),
    "name": ("char *", lambda x, tensor: impl(x)["name"]),  # if $_streq(x.name(), "w1")
    "requires_grad": ("bool", lambda x, tensor: requires_grad(tensor)),
    "is_leaf": ("bool", lambda x, tensor: is_leaf(tensor)),
    "grad": ("stepgrad::Tensor", grad),
}
OF_ARG = ("shape", "dim", "numel", "data")  # what an op's parameter has of them
ARGUMENTS = {"size": [1], "at": range(MAX_DIMS + 1)}  # how many whole numbers; else none


class Method(gdb.xmethod.XMethodWorker):
    def __init__(self, name, count):
        self.name, self.count = name, count

    def get_arg_types(self):
        return [gdb.lookup_type("int")] * self.count  # as the method itself, which else is called

    def get_result_type(self, *unused):
        name = METHODS[self.name][0]
        type = gdb.lookup_type(name.rstrip(" *"))
        return type.pointer() if name.endswith("*") else type

    def __call__(self, x, *arguments):
        if plain_type(x.type).tag == "stepgrad::Arg":
            x = x["tensor"]
        tensor = tensor_argument(self.name, x)
        try:
            found = METHODS[self.name][1](x, tensor, *map(int, arguments))
        except Problem as problem:
            raise gdb.GdbError("%s: %s" % (self.name, problem)) from None
        return found if isinstance(found, gdb.Value) else \
            gdb.Value(found).cast(self.get_result_type())


class Methods(gdb.xmethod.XMethodMatcher):
    def __init__(self):
        super().__init__("stepgrad")
        self.methods = [gdb.xmethod.XMethod(name) for name in METHODS]

    def match(self, class_type, name):
        names = {"stepgrad::Tensor": METHODS, "stepgrad::Arg": OF_ARG}
        if name in names.get(plain_type(class_type).tag, ()):
            return [Method(name, count) for count in ARGUMENTS.get(name, [0])]
        return None


def install(objfile):
    """Safe to call again."""
    gdb.xmethod.register_xmethod_matcher(objfile, Methods(), replace=True)
