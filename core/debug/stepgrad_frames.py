"""The tensors of a frame. Uses no debugger: a frame is a list of (name, value, late); late is
None, or what is shown instead of a value that is not initialised yet."""

import re

from stepgrad_format import columns
from stepgrad_memory import Problem, Unreadable
from stepgrad_tensor import Input, tensor_of

DEPTH = 5  # net.blocks[0].ffn.w_1.weight


def tensors_in(name, value, late=None, depth=DEPTH):
    """(expression, value, late) of a tensor, or of the tensors in a module, a struct, a list or a node."""
    if value.is_pointer():
        if name != "this":
            return []
        name = ""
    elif value.kind() == "Node":  # an op's own tensors, in the engine's frames
        return []
    try:
        value = value.pointed()
        if value.kind() in ("Tensor", "Saved", "Arg", "Input"):
            return [(name or "*this", value, late)]
        members = [] if depth == 0 or late and value.layout.name.startswith("std::") else value.members()
    except (Problem, Unreadable):
        return []
    found = []
    for member, inner in members:
        if member != "next":
            joint = "." if name and member[:1] not in "[." else ""
            found += tensors_in(name + joint + member, inner, late, depth - 1)
    return found


def tensors_of(frame):
    """The tensors of a whole frame."""
    return [found for name, value, late in frame for found in tensors_in(name, value, late)]


def tensor_lines(frame):
    """Each parameter once, though an optimizer's list holds it too."""
    rows, seen = [], set()
    for name, value, late in tensors_of(frame):
        text, tensor = late, None
        try:
            if not late and value.kind() == "Input":
                text = "edge to " + Input(value).text()
            elif not late:
                tensor = tensor_of(value)
                text = tensor.line()
        except (Problem, Unreadable) as problem:
            text = str(problem)
        if not (tensor and re.search(r"[.\[]", name) and tensor.address in seen):
            rows.append([name, text])
        seen.add(tensor and tensor.address)
    return columns(rows) if rows else ["no tensors in this frame"]
