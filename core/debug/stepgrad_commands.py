"""The commands that show tensors and the tape, the same in gdb and lldb.

Each takes a debugger and the text behind its name, and returns lines. Its docstring is its help. A
debugger has

    tape()           the Tape                  evaluate(text)   a value; Problem: there is none
    knows(name)      whether it is a variable here, of the program's own
    frames()         the selected frame and those that called it, as stepgrad_frames has them
    in_colour()      whether colours may be written
    variable(name)   a global one of the program's; Problem: none runs
    write(address, bytes)   into its memory
    functions()      the names of the newest functions of the thread, thirty
    answer()         runs its stepgrad_answer(), which reads the request
"""

import os
import re
import sys

import stepgrad_tape as tapes
from stepgrad_frames import tensor_lines, tensors_of
from stepgrad_methods import METHODS
from stepgrad_pictures import heatmap_lines, npy_header
from stepgrad_read import Problem, Unreadable
from stepgrad_tensor import Input, Node, Tensor, has_run, sources, tensor_of

NAME = re.compile(r"(?<![\w.$'\">])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*)(\(?)")
LARGEST = (1 << 63) - 1  # of the program's integers
KEYWORDS = {"sizeof", "this", "true", "false", "nullptr"}
ALLOCATOR = re.compile(r"(stepgrad::pool_|operator (new|delete)|_*(GI_+|libc_|int_)*"
                       r"([mc]alloc|realloc|free|memalign)\b).*")


# ---- What the user names


def subject(debugger, text):
    """The tensor that an expression gives, or else the node on the tape with that name."""
    if not text:
        raise Problem("of which tensor? For instance: w1, ffn.w1, dY, #3")
    if text.startswith("#"):
        node = debugger.tape().find(text)
        if node is None:
            raise Problem("there is no op %s on the tape" % text)
        return node
    try:
        value = debugger.evaluate(text)
    except Problem:
        return elsewhere(debugger, text)
    try:
        found = tensor_of(value)
    except Problem as problem:
        raise Problem("%s is %s" % (text, problem)) from None
    if found:
        return found
    kind = value.kind()
    if kind == "Input" and Input(value.pointed()).node:
        return Input(value.pointed()).node
    if kind == "Node":
        return Node(value.node())
    try:  # the tape's name comes before a variable of libm
        return elsewhere(debugger, text)
    except Problem:
        raise Problem("%s is no tensor but of type %s" % (text, value.type_name())) from None


def elsewhere(debugger, text):
    """For a name that the frame does not know: a caller's tensor, or the node on the tape."""
    tensor = in_callers(debugger, text)
    if tensor:
        return tensor
    try:
        node = debugger.tape().find(text) or debugger.tape().find(text.rsplit(".")[-1])
    except Problem:
        node = None
    if node is None:
        raise Problem("there is no '%s' here, nor on the tape" % text)
    return node


def in_callers(debugger, text, node=None):
    """The tensor with that name, or with that node, in the selected frame or a caller."""
    for frame in debugger.frames():
        for name, value, late in tensors_of(frame):
            if late or value.kind() == "Input":
                continue
            try:
                tensor = tensor_of(value)
            except (Problem, Unreadable):
                continue
            if tensor.node and tensor.node.address == node.address if node else \
                    text in (name, tensor.name) or name.endswith("." + text):
                return tensor
    return None


def resolved(debugger, text):
    """The expression, with each name that only a caller knows replaced by its tensor: x.size(0)
    * 2, where x is main's. An edge that is asked something becomes its tensor too.
    debugger.knows(name): a variable here, not only a function or another library's."""

    def tensor(match):
        path, called = match[1], match[2]  # x.size and (
        name, dot, method = path.rpartition(".") if called else (path, "", "")
        if not name or name in KEYWORDS:
            return match[0]
        found = None
        if not debugger.knows(re.match(r"\w+", name)[0]):
            found = in_callers(debugger, name)
        elif called:
            edge = debugger.evaluate(name)
            if edge.kind() == "Input" and Input(edge.pointed()).node:
                found = in_callers(debugger, name, Input(edge.pointed()).node)
        return "(*(stepgrad::Tensor*)%d)%s%s%s" % (found.value.address(), dot, method, called) \
            if found else match[0]

    return NAME.sub(tensor, text)


def method_answer(debugger, text):
    """What X.numel() and the like return, read from memory; None: no such method."""
    match = re.fullmatch(r"(.+)\.(\w+)\(([-\d]*)\)", text)
    function, count, _ = METHODS.get(match[2], (None, -1, "")) if match else (None, -1, "")
    if count != len((match[3] if match else "").split()):
        return None
    found = subject(debugger, match[1])
    return function(found, *map(int, match[3].split())) if isinstance(found, Tensor) else None


def tensor_named(debugger, text):
    found = subject(debugger, text)
    if isinstance(found, Node):
        raise Problem("%s is on the tape, but its numbers are in no variable of these frames" % text)
    return found


def node_named(debugger, text):
    found = subject(debugger, text)
    if isinstance(found, Tensor) and found.node_problem:
        raise Problem(text + found.node_problem)
    node = found if isinstance(found, Node) else found.node
    if node is None and found.name:  # a saved tensor has no node
        node = debugger.tape().find(found.name)
    if node is None or not node.wants_grad:
        raise Problem("%s requires no gradient" % text)
    return node


# ---- Commands


def tape(debugger, text):
    """tape [N]: the recorded ops, oldest first: N (or 40) around where backward is, or the newest.
    ok: its gradient has run. =>: backward is there."""
    if not re.fullmatch(r"|[1-9][0-9]*", text):
        raise Problem("how many ops? For instance: tape 100")
    return tapes.tape_lines(debugger.tape(), min(int(text or 40), LARGEST))


def tensors(debugger, text):
    """tensors: one line for each tensor of the selected frame."""
    return tensor_lines(next(iter(debugger.frames())))


def grad(debugger, text):
    """grad X: the gradient of tensor X, an expression, or the name or #number on the tape."""
    return tapes.grad_lines(node_named(debugger, text))


def explain(debugger, text):
    """explain X: what each consumer of X contributed to its gradient, where, and the sum."""
    node = node_named(debugger, text)
    return ["gradient of " + node.title(), *answer_of(debugger, node).splitlines()]


def why_nan(debugger, text):
    """why-nan [X]: the first op on the tape (behind X) that made a NaN or Inf, and from what."""
    return tapes.why_nan_lines(debugger.tape(), node_named(debugger, text) if text else None)


def heatmap(debugger, text):
    """heatmap X: a picture of X's rows; red is above 0, blue below, magenta is NaN or Inf."""
    tensor = tensor_named(debugger, text)
    return [tensor.line()] + heatmap_lines(tensor.shape, tensor.read, debugger.in_colour())


def save_npy(debugger, text):
    """save-npy X FILE: writes X so that numpy.load(FILE) reads it."""
    if " " not in text:
        raise Problem("which tensor, and to which file? For instance: save-npy w1 w1.npy")
    expression, path = text.rsplit(None, 1)
    tensor = tensor_named(debugger, expression)

    def numbers(file):
        file.write(npy_header(tensor.shape, tensor.item_size))
        for piece in tensor.pieces():
            piece.tofile(file)

    write(path, numbers)
    return ["%s written to %s" % (tensor.kind(), path)]


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


def write(path, what):
    """Calls what(file). The file appears, or is replaced, only once it is complete."""
    path = os.path.realpath(os.path.expanduser(path))
    if os.path.exists(path) and not os.path.isfile(path):
        raise Problem("%s: it is not a regular file" % path)
    part = os.path.join(os.path.dirname(path), ".stepgrad-%d.part" % os.getpid())
    try:
        with open(part, "xb") as file:  # fails if it exists
            try:
                what(file)
                if os.path.exists(path):
                    os.chmod(part, os.stat(path).st_mode & 0o7777)
                os.replace(part, path)
            except BaseException:
                os.unlink(part)
                raise
    except OSError as error:
        raise Problem("%s: %s" % (path, error.strerror)) from None


LOOKING = [tape, tensors, grad, explain, why_nan, heatmap, save_npy, save_trace]


def summary(text):
    """A docstring's first sentence, on one line."""
    return re.split(r"(?<=\.)\s", " ".join(text.split()))[0]


def name_of(function):
    return function.__name__.strip("_").replace("_", "-")


def on_terminal():
    return os.isatty(1) and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")


# ---- Where next-backward and prev-backward go


def destination(debugger, text):
    """next-backward's arguments: how many gradients on, and the address of the node whose
    consumer is looked for, or 0 for any op."""
    if not text or re.fullmatch(r"[-+]?\d+", text):
        times = min(int(text or 1), LARGEST)
        if times < 1:
            raise Problem("it goes on by 1 gradient or more; prev-backward goes back")
        return times, 0
    goal, tape = node_named(debugger, text).address, debugger.tape()
    if not any(goal in sources(value) for value in tape.values()
               if not has_run(value) and not tape.is_visiting(value.address())):
        raise Problem("no gradient that has yet to run contributes to %s" % text)
    return 1, goal


def has_program_wait(debugger, times, goal):
    """Lets the program look for the gradient and call stepgrad_awaited() there: a debugger's
    breakpoint costs a millisecond each time. False: without a ledger it does not look."""
    awaited, visiting = debugger.variable("stepgrad::awaited"), debugger.tape().visiting
    if not awaited.field("observed").int() or visiting and not visiting.ledger():
        return False
    for name, number in ("input", goal), ("times", times):
        debugger.write(awaited.field(name).address(), number.to_bytes(8, sys.byteorder))
    return True


def check_undoable(tape):
    if not tape.visiting:
        raise Problem("no backward pass is running")
    ledger = tape.visiting.ledger()
    if not ledger or not ledger.contributions:
        raise Problem("no ledger was kept: call set_ledger(true) before backward()")
    if ledger.contributions[0].number == 0:
        raise Problem("this is the first gradient")
