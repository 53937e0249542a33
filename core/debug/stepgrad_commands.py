"""The commands that show tensors and the tape, the same in gdb and lldb.

Each takes a debugger and the text behind its name, and returns lines. Its docstring is its help. A
debugger has

    tape()           the Tape                  evaluate(text)   a value; Problem: there is none
    knows(name)      whether it is a variable here, of the program's own
    frames()         the selected frame and those that called it, as stepgrad_frames has them
    variable(name)   a global one of the program's; Problem: none runs
    write(address, bytes)   into its memory
    functions()      the names of the newest functions of the thread, thirty
    answer()         runs its stepgrad_answer(), which reads the request
"""

import contextlib
import os
import re
import sys

import stepgrad_format as fmt
import stepgrad_tape as tapes
from stepgrad_frames import tensor_lines
from stepgrad_memory import Problem
from stepgrad_names import PATH, NoTensor, Unknown, callers, method_answer, node_named, shown
from stepgrad_tensor import has_run, sources

GRADIENT = re.compile(r"(Backward(<.*>)?|AccumulateGrad)::backward").search  # of a function's name
ALLOCATOR = re.compile(r"(stepgrad::pool_|operator (new|delete)|_*(GI_+|libc_|int_)*"
    r"([mc]alloc|realloc|free|memalign)\b).*")
LARGEST = (1 << 63) - 1  # of the program's integers


def tape(debugger, text):
    """tape [N | FIRST-LAST]: the recorded ops, oldest first: N (or 40) around where backward is, or the newest;
    or those with these numbers. ok: its gradient has run. =>: backward is there."""
    first, _, last = text.partition("-")
    if not re.fullmatch(r"|[1-9][0-9]*|[0-9]+-[0-9]+", text) or last and int(first) > int(last):
        raise Problem("how many ops, or which? For instance: tape 100, tape 20-30")
    tape = debugger.tape()
    ops = tape.ops_between(int(first), int(last)) if last else tape.ops_near(min(int(text or 40), LARGEST))
    return tapes.tape_lines(tape, ops)


def tensors(debugger, text):
    """tensors: one line for each tensor of the selected frame."""
    return tensor_lines(next(iter(debugger.frames())))


def grad(debugger, text):
    """grad X: the gradient of tensor X, an expression, or the name or #number on the tape."""
    return tapes.grad_lines(node_named(debugger, text)) + callers(debugger, text)


def explain(debugger, text):
    """explain X: what each consumer of X contributed to its gradient, where, and the sum."""
    node = node_named(debugger, text)
    return [fmt.backward("gradient of " + node.title()), *answer_of(debugger, node).splitlines(),
        *callers(debugger, text)]


def why_nan(debugger, text):
    """why-nan [X]: the first op on the tape (behind X) that made a NaN or Inf, and from what."""
    return tapes.why_nan_lines(debugger.tape(), node_named(debugger, text) if text else None)


def save_trace(debugger, text):
    """save-trace FILE [X]: a web page to step through the whole tape, or through the ops behind
    X."""
    if not text:
        raise Problem("to which file? For instance: save-trace tape.html")
    path, _, of = text.partition(" ")
    node = node_named(debugger, of.strip()) if of else debugger.tape().newest_op()
    if node.is_leaf():
        raise Problem("%s is a leaf, not an op's output" % of.strip())
    path = os.path.abspath(os.path.expanduser(path))
    answer_of(debugger, node, path)
    return ["the tape behind %s written to %s" % (node.title(), path)]


def answer_of(debugger, node, path=""):
    """What the program says of the node's gradient; or it writes the tape behind the node to that
    path. Problem: it cannot."""
    request, path = debugger.variable("stepgrad_request"), os.fsencode(path) + b"\0"
    if debugger.tape().value.field("lock").int():
        raise Problem("another thread is recording an op: step on first")
    inside = [*filter(ALLOCATOR.fullmatch, debugger.functions())]
    if inside:  # whose lock a call would wait for
        raise Problem("a thread is inside %s: let it finish first" % inside[-1])
    if len(path) > request.field("path").size():
        raise Problem("a path of %d bytes is too long" % len(path))
    debugger.write(request.field("node").address(), node.address.to_bytes(8, sys.byteorder))
    debugger.write(request.field("path").address(), path)
    debugger.answer()
    request = debugger.variable("stepgrad_request")
    problem = request.field("problem").text(1000)
    if problem:
        raise Problem(re.sub("^explain: ", "", problem))
    return request.field("answer").text(1 << 20)


LOOKING = [tape, tensors, grad, explain, why_nan, save_trace]


def printed(debugger, text):
    """The lines of an op, a command, a method's answer or a tensor; None: the debugger prints it itself."""
    command = re.fullmatch("(%s) +((#|\\*?[^\\W\\d]).*)" % "|".join(map(name_of, LOOKING)), text)
    if command:  # print grad w1
        return next(each for each in LOOKING if name_of(each) == command[1])(debugger, command[2])
    with contextlib.suppress(NoTensor, Unknown):
        answer = method_answer(debugger, text)
        if answer is not None:
            return [answer]
    return shown(debugger, text) if text.startswith("#") or PATH.fullmatch(text) else None


def summary(text):
    """A docstring's first sentence, on one line."""
    return re.split(r"(?<=\.)\s", " ".join(text.split()))[0]


def name_of(function):
    return function.__name__.strip("_").replace("_", "-")


# ---- Where next-backward and prev-backward go


def destination(debugger, text):
    """next-backward's arguments: how many gradients on, and the address of the node whose
    consumer is looked for, or 0 for any op; and what is said if the program ends first."""
    if not text or re.fullmatch(r"[-+]?\d+", text):
        times = min(int(text or 1), LARGEST)
        if times < 1:
            raise Problem("it goes on by 1 gradient or more; prev-backward goes back")
        return times, 0, "the program has ended"
    goal, tape = node_named(debugger, text).address, debugger.tape()
    if not any(goal in sources(value) for value in tape.values()
            if not has_run(value) and not tape.is_visiting(value.address())):
        raise Problem("no gradient that has yet to run contributes to %s" % text)
    return 1, goal, "the program has ended: no later pass has reached " + text


def has_program_wait(debugger, times, goal):
    """Lets the program look for the gradient and call stepgrad_awaited() there: a debugger's
    breakpoint costs a millisecond each time. False: without a ledger it does not look."""
    awaited, visiting = debugger.variable("stepgrad::awaited"), None
    with contextlib.suppress(Problem):  # an empty tape
        visiting = debugger.tape().visiting
    if not awaited.field("observed").int() or visiting and not visiting.ledger():
        return False
    for name, number in ("input", goal), ("times", times):
        debugger.write(awaited.field(name).address(), number.to_bytes(8, sys.byteorder))
    return True


def struct_of(op):
    """MeanBackward of mean."""
    if not re.fullmatch(r"\w+", op):
        raise Problem("which op? For instance: break-op matmul")
    return "".join(part.capitalize() for part in op.split("_")) + "Backward"


def check_undoable(tape):
    if not tape.visiting:
        raise Problem("no backward pass is running")
    ledger = tape.visiting.ledger()
    if not ledger or not ledger.contributions:
        raise Problem("no ledger was kept: call set_ledger(true) before backward()")
    if ledger.contributions[0].number == 0:
        raise Problem("this is the first gradient")
