"""The tensors of a frame. Uses no debugger: a frame is a list of (name, value, late); late is
None, or what is shown instead of a value that is not initialised yet."""

import re

from stepgrad_format import columns
from stepgrad_memory import Problem, Unreadable
from stepgrad_tensor import Input, tensor_of

DEPTH = 5  # net.blocks[0].ffn.w_1.weight


def tensors_in(name, value, late=None, around=()):
    """(expression, value, late) of a tensor, or of the tensors in a module, a struct, a list or a node, and behind
    pointers. `around`: the objects that lead here."""
    try:
        pointer = value.pointer()
        if name != "this" and (pointer or value).kind() == "Node":  # an op's own tensors, in the engine's frames
            return []
        place = pointer.target().derived() if pointer else value.pointed()
        if not place.address():
            return []
        if place.kind() in ("Tensor", "Saved", "Arg", "Input"):
            return [("*" * bool(pointer) + name, place, late)]
        here = place.address(), place.layout.name
        if re.match(r"std::(\w+::)*_", here[1]):  # a thread's state, for instance
            return []
        if len(around) > DEPTH or here in around or late and (pointer or here[1].startswith("std::")):
            return []
        members = place.members()
    except (Problem, Unreadable):
        return []
    found = []
    for member, inner in members:
        if member != "next":
            found += tensors_in(joined(name, pointer, member), inner, late, (*around, here))
    return found


def joined(name, pointer, member):
    """The expression for an object's member, or for that of an object behind a pointer."""
    if name in ("this", "__closure"):  # whose members are named alone, and a lambda's captures by their variables
        return member.removeprefix("__")
    if member[:1] == "[":
        return ("(*%s)" % name if pointer else name) + member
    return name + ("->" if pointer else "." * bool(name and member)) + member.lstrip(".")


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
        if name not in seen and not (tensor and re.search(r"[.>\[]", name) and tensor.address in seen):
            rows.append([name, text])
        seen |= {name, tensor and tensor.address}
    return columns(rows) if rows else ["no tensors in this frame"]
