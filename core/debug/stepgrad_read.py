"""Checked readings of the engine's data, from the values of stepgrad_memory.py: a tensor may be freed, or not
constructed yet. Uses no debugger."""

import stepgrad_format as fmt
from stepgrad_memory import Problem, Unreadable

ABI = 9  # of stepgrad_debug_abi in core/debug/abi.cpp
MAX_DIMS = 6
FREED = 0xDDDDDDDD - (1 << 32)  # core/memory/pool.cpp writes it into freed memory
MAX_ELEMENTS = 1 << 40
MAX_REFS = 1 << 24
MAX_LIST = 1 << 24  # a longer list is damaged


def read_shape(value):
    dims = value.field("dims_").int()
    if dims == FREED:
        raise Problem("freed")
    if not 0 <= dims <= MAX_DIMS:
        raise Problem("freed or not initialised: %d dimensions" % dims)
    sizes = [value.field("sizes_").item(i).int() for i in range(dims)]
    if min(sizes, default=0) < 0:
        raise Problem("freed or not initialised: sizes %s" % fmt.shape_text(sizes))
    return sizes


def called_at(loc, caller):
    """ffn.cpp:39, from main.cpp:12"""
    text = _line(loc)
    return text + ", from " + _line(caller) if caller.field("file").int() else text


def _line(loc):
    if loc.field("file").int() == 0:
        return "?"
    return "%s:%d" % (loc.field("file").text().rsplit("/")[-1], loc.field("line").int())


def vector(value):
    """The elements of a std::vector, GNU's or LLVM's."""
    try:
        first, end = (value.field("_M_impl").field(name) for name in ("_M_start", "_M_finish"))
    except Unreadable:
        first, end = value.field("__begin_"), value.field("__end_")
    if first.int() == 0:
        return []
    count = (end.int() - first.int()) // first.target().size()
    if not 0 <= count <= MAX_LIST:
        raise Problem("freed or not initialised: a list of %d" % count)
    return [first.item(i) for i in range(count)]


def shared(pointer):
    """The object of a std::shared_ptr, GNU's or LLVM's, or None."""
    try:
        pointer = pointer.field("_M_ptr")
    except Unreadable:
        pointer = pointer.field("__ptr_")
    return pointer.target() if pointer.int() else None


def linked(pointer, link):
    """The objects in a linked list."""
    earlier = None  # the 1st, 2nd, 4th, 8th ...: a damaged list may lead back to one of them
    for count in range(1, MAX_LIST):
        target = pointer.target()
        if not target.address():
            return
        if target.address() == earlier:
            break
        if count & (count - 1) == 0:
            earlier = target.address()
        yield target
        pointer = target.field(link)
    raise Problem("freed or damaged: a list without an end")


def abi_problem(found):
    if found is None:
        return ("this program is not linked with stepgrad, "
            "or was compiled without debug information (-g)")
    if found != ABI:
        return ("this script reads layout %d of stepgrad's structs, and the program has layout %d: "
            "load the script of the version that it was built from" % (ABI, found))
    return None
