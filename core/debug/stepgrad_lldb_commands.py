"""The commands that look at tensors and the tape in lldb."""

import lldb
import stepgrad_tape as tapes
from stepgrad_format import columns
from stepgrad_lldb_shown import input_summary, tensor_summary
from stepgrad_lldb_values import Value, check_version, kind_of, pointed, tensor_of, the_tape
from stepgrad_read import Problem, Unreadable
from stepgrad_tensor import Input, Node


def command(function):
    """A command from a function of (frame, text, result), whose Problem is the error shown."""

    def run(debugger, text, context, result, unused):
        try:
            if context.GetProcess().GetState() == lldb.eStateRunning:
                raise Problem("the program is running: process interrupt stops it")
            lines = function(context, text.strip())
            if lines:
                result.AppendMessage("\n".join(lines))
        except (Problem, Unreadable) as problem:
            result.SetError("%s: %s" % (function.__name__.strip("_").replace("_", "-"), problem))

    run.__name__, run.__doc__ = function.__name__, function.__doc__
    return run


def subject(context, text):
    """The tensor that an expression gives, or else the node of the tape that is so named."""
    if not text:
        raise Problem("of which tensor? For instance: w1, ffn.w1, dY, #3")
    frame = context.GetFrame()
    value = frame.GetValueForVariablePath(text) if frame else None
    if value and value.IsValid() and value.GetError().Success():
        try:
            tensor = tensor_of(value)
        except Problem as problem:
            raise Problem("%s is %s" % (text, problem)) from None
        if tensor:
            return tensor
        if kind_of(pointed(value).GetType()) == "Input":
            return Input(Value(pointed(value))).node or no_tensor(text, value)
    try:
        tape = the_tape(context.GetTarget())
        node = tape.find(text) or tape.find(text.rsplit(".")[-1])  # ffn.w1 where there is no ffn
    except Problem:
        node = None
    if node:
        return node
    if value and value.IsValid() and value.GetError().Success():
        return no_tensor(text, value)
    raise Problem("there is no '%s' here, nor on the tape" % text)


def no_tensor(text, value):
    raise Problem("%s is no tensor but of type %s" % (text, value.GetTypeName()))


def node_named(context, text):
    found = subject(context, text)
    node = found if isinstance(found, Node) else found.node
    if node is None or not node.wants_grad:
        raise Problem("%s requires no gradient" % text)
    return node


@command
def tape(context, text):
    """What was recorded, oldest op first. ok: its gradient has run. =>: backward is there."""
    return tapes.tape_lines(the_tape(context.GetTarget()))


@command
def grad(context, text):
    """grad X: the gradient of tensor X, a variable, or the name or #number on the tape."""
    return tapes.grad_lines(node_named(context, text))


@command
def explain(context, text):
    """explain X: what each consumer of X contributed to its gradient, where, and the sum."""
    return tapes.explain_lines(node_named(context, text))


@command
def why_nan(context, text):
    """why-nan [X]: the first op on the tape (behind X) that made a NaN or Inf, and from what."""
    node = node_named(context, text) if text else None
    return tapes.why_nan_lines(the_tape(context.GetTarget()), node)


@command
def tensors(context, text):
    """One line for each tensor of the selected frame."""
    frame = context.GetFrame()
    if not frame or not frame.IsValid():
        raise Problem("the program is not running: type run first")
    here = frame.GetLineEntry().GetLine()
    found = []
    for value in frame.GetVariables(True, True, False, True):
        late = value.GetDeclaration().GetLine() >= here and \
            value.GetValueType() == lldb.eValueTypeVariableLocal
        found += tensors_in(value.GetName(), value, late)
    return columns(found) if found else ["no tensors in this frame"]


def tensors_in(name, value, late, depth=2):
    value = value.GetNonSyntheticValue()
    if value.GetType().IsPointerType():
        if name != "this":
            return []
        name = ""
    value = pointed(value)
    kind = kind_of(value.GetType())
    if kind in ("Tensor", "Saved", "Arg"):
        line = value.GetDeclaration().GetLine()
        return [[name or "*this", "line %d has not run yet" % line if late
                 else tensor_summary(value, None)]]
    if kind == "Input":
        return [[name, "edge to " + input_summary(value, None)]]
    if not value.GetTypeName().startswith("stepgrad::") or depth == 0:
        return []
    found = []
    for child in value:
        if child.GetName() and not child.GetName().startswith("stepgrad::"):
            inner = (name + "." if name else "") + child.GetName()
            found += tensors_in(inner, child, late, depth - 1)
    return found


@command
def print_(context, text):
    """print X: all of a tensor or a node; anything else as lldb's own expression. Alias: p."""
    value = context.GetFrame().GetValueForVariablePath(text)
    if value.IsValid() and value.GetError().Success():
        kind = kind_of(pointed(value).GetType())
        check_version(context.GetTarget())
        if kind in ("Tensor", "Saved", "Arg"):
            return full(value)
        if kind == "Node":
            return Node(Value(pointed(value))).lines()
    try:
        return said(context, "expression -- " + text)
    except Problem as problem:  # without the compiler's warnings
        errors = [line for line in str(problem).splitlines() if "error: " in line]
        raise Problem(errors[-1].split("error: ")[-1]) from None


def full(value):
    try:
        return tensor_of(value).lines()
    except Problem as problem:
        return ["Tensor <%s>" % problem]


def said(context, text):
    """What lldb answers to a command of its own."""
    answer = lldb.SBCommandReturnObject()
    context.GetTarget().GetDebugger().GetCommandInterpreter().HandleCommand(text, answer)
    if not answer.Succeeded():
        raise Problem(answer.GetError().strip())
    return [answer.GetOutput().rstrip()]
