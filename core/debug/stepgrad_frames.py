"""The tensors of a frame. Uses no debugger: a frame is a list of (name, value, late); late is
None, or what is shown instead of a value that is not initialised yet."""

from stepgrad_format import columns
from stepgrad_read import Problem, Unreadable, vector
from stepgrad_tensor import Input, tensor_of

DEPTH = 5  # net.blocks[0].ffn.w_1.weight
MAX_ELEMENTS = 100  # of a list


def tensors_in(name, value, late=None, depth=DEPTH):
    """(expression, value, late) of a tensor, or of the tensors in a module, a user's struct, a
    std::vector or a node."""
    if value.is_pointer():
        if name != "this" or not value.int():
            return []
        name = ""
    elif value.kind() == "Node":  # an op's own tensors, in the engine's frames
        return []
    try:
        value = value.pointed()
    except Unreadable:
        return []
    kind = value.kind()
    if kind in ("Tensor", "Saved", "Arg", "Input"):
        return [(name or "*this", value, late)]
    if depth == 0:
        return []
    found = []
    for member, inner in members(value, late):
        if member != "next":
            joint = "." if name and not member.startswith("[") else ""
            found += tensors_in(name + joint + member, inner, late, depth - 1)
    return found


def members(value, late):
    """A struct's members or a list's elements; nothing of other standard types."""
    if value.type_name().replace("const ", "").startswith("std::"):
        try:
            elements = [] if late else vector(value)[:MAX_ELEMENTS]
        except (Problem, Unreadable):
            elements = []
        return [("[%d]" % i, each) for i, each in enumerate(elements)]
    try:
        return value.members()
    except Unreadable:
        return []


def tensors_of(frame):
    """The tensors of a whole frame."""
    return [found for name, value, late in frame for found in tensors_in(name, value, late)]


def tensor_lines(frame):
    rows = [[name, late or _line(value)] for name, value, late in tensors_of(frame)]
    return columns(rows) if rows else ["no tensors in this frame"]


def _line(value):
    try:
        return "edge to " + Input(value).text() if value.kind() == "Input" \
            else tensor_of(value).line()
    except (Problem, Unreadable) as problem:
        return str(problem)
