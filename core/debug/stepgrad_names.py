"""Which tensor, node or number the user means, the same in gdb and lldb. For what a debugger has, see
stepgrad_commands.py."""

import contextlib
import re
from itertools import islice

from stepgrad_frames import tensors_of
from stepgrad_memory import Problem, Unreadable
from stepgrad_methods import METHODS
from stepgrad_tensor import Input, Node, Tensor, sources, tensor_of

NAME = re.compile(r"(?<![\w.$'\">])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*)(\(?)")
PATH = re.compile(r'\*?[^\W\d](\w|\.|->|\[(-?\d+|"[^"]*")\]|\.value\(\))*')
CALL = re.compile(r"(?<![\w.$'\">])" + PATH.pattern[3:] + r"(\.|->)\w+\([-\d, ]*\)")  # x[0].sum()
OPERATOR = re.compile(r"[\w)\]] *(-(?!>)|[+*/%<=>&|?^,])")
KEYWORDS = {"sizeof", "this", "true", "false", "nullptr"}


class Unknown(Problem):
    """Nobody has the name."""


class NoTensor(Problem):
    """It is of another type."""


class Broken(Problem):
    """It is a tensor without data, and the cause says why."""


def subject(debugger, text):
    """The tensor or node that the user names: by an op's number, a variable here, a name that a caller or the
    tape knows, or else any expression. x[0] is a row."""
    if not text:
        raise Problem("of which tensor? For instance: w1, ffn.w1, dY, #3")
    if text.startswith("#"):
        node = debugger.tape().op(text)
        if node is None:
            raise Problem("there is no op %s on the tape" % text)
        return node
    first = re.match(r"\*?([^\W\d]\w*)", text)
    found = exactly(next(iter(debugger.frames())), text)
    if not found and first and not debugger.knows(first[1]):
        found = find(debugger, text)
    if found:
        return found
    row = re.fullmatch(r"(.*)\[(-?\d+)\]", text)
    if row:  # of a tensor; of a list the first have been found
        with contextlib.suppress(NoTensor, Unknown):
            found = subject(debugger, row[1])
        found = tensor_with(debugger, found) if isinstance(found, Node) else found
        if found:
            return found.row([int(row[2])])
    try:
        value = debugger.evaluate(text)
    except Problem:
        found = find(debugger, text)  # in a lambda, gdb knows the variables around it, but not their elements
        if found:
            return found
        raise Unknown("there is no '%s' here, nor on the tape" % text) from None
    try:
        found = tensor_of(value)
    except Problem as problem:
        raise Broken("%s is %s" % (text, problem)) from problem
    kind = value.kind()
    if kind in ("Node", "Input"):
        found = Node(value.node()) if kind == "Node" else Input(value.pointed()).node
        if not found:
            raise NoTensor("%s is an input that requires no gradient" % text)
    if not found and first:  # a constant of the C library, in whose frame we are
        found = find(debugger, text)
    if not found:
        raise NoTensor("%s is no tensor but of type %s" % (text, value.layout.name))
    return found


def find(debugger, name, needs_node=False):
    """The tensor or node with that name: the nearest in the selected frame and its callers, or else on the tape. In
    a frame, its variables and members come first, then edges of the running op, then tensors whose name it is.
    None: there is none. Problem: there are several."""
    for frame in debugger.frames():
        found = in_frame(frame, name, needs_node)
        if found:
            return told(debugger, name, found)
    return told(debugger, name, dict(enumerate(named(debugger, name) or named(debugger, name.rsplit(".")[-1]))))


def named(debugger, name):
    """The newest op with that name, or else all leaves; on an empty tape none."""
    try:
        return debugger.tape().named(name)
    except (Problem, Unreadable):
        return []


def in_frame(frame, name, needs_node=False, exact=False):
    """{expression: tensor or node} of what may be meant."""
    edges, others = {}, {}
    for path, value, late in tensors_of(frame):
        try:
            edge = value.kind() == "Input"
            found = not late and (Input(value).node if edge else tensor_of(value))
        except (Problem, Unreadable):
            continue
        if not found or needs_node and isinstance(found, Tensor) and not found.node:
            continue
        if dotted(path) == dotted(name):
            return {path: found}
        if not exact and (name == found.name or not edge and dotted(path).endswith("." + dotted(name))):
            (edges if edge else others)[path] = found
    return edges or others


def dotted(path):
    """A path without what is different for pointers and std::optional."""
    return path.replace("->", ".").replace(".value()", "").lstrip("*")


def exactly(frame, name):
    """The tensor or node with that expression, or None."""
    return next(iter(in_frame(frame, name, exact=True).values()), None)


def callers(debugger, text):
    """A line, if a gradient's own operand hides a caller's tensor of that name; or none."""
    frames = debugger.frames()
    here = next(frames)
    if not PATH.fullmatch(text) or not any(name == "this" and value.kind() == "Node" for name, value, _ in here):
        return []
    own = exactly(here, text)
    for up, frame in enumerate(frames if own else (), 1):
        other = exactly(frame, text)
        if other:
            same = own.data == getattr(other, "data", 0) if isinstance(own, Tensor) else \
                own.address == getattr(node_of(other), "address", 0)
            return [] if same else ["(This %s is the op's own. A caller has another %s: up %d)" % (text, text, up)]
    return []


def told(debugger, name, found):
    """The only one of {expression: tensor or node}, or that which the running op takes; it gets its path as its name
    if other leaves have its name."""
    distinct = [*{each.address: each for each in found.values()}.values()]
    if not distinct:
        return None
    with contextlib.suppress(Problem, Unreadable):
        running = len(distinct) > 1 and debugger.tape().visiting
        inputs = ([running.address] if running.is_leaf() else sources(running.value)) if running else []
        taken = [each for each in distinct if (node := node_of(each)) and node.address in inputs]
        distinct = taken if len(taken) == 1 else distinct
    one = distinct[0]
    if len(distinct) > 1:
        paths = [path_of(debugger, each) or each.name for each in distinct]
        raise Problem("%s may be %s: which one?" % (name, " or ".join(paths)) if len({*paths}) == len(paths) else
            "%d leaves are named %s: take a frame that has one, or an op that uses it" % (len(paths), name))
    node = node_of(one)
    if node and node.is_leaf() and len(named(debugger, node.name)) > 1:
        node.path = path_of(debugger, one) or ""
        if isinstance(one, Tensor):
            one.name = node.name
    return one


def node_of(found):
    return found.node if isinstance(found, Tensor) else found


def path_of(debugger, found):
    """The outermost frame's expression for a tensor, or for a node's tensor; or None."""
    path = None
    for frame in debugger.frames():
        path = next((name for name, tensor in tensors_in_frames([frame])
            if found.address in (tensor.address, tensor.node and tensor.node.address)), path)
    return path


def tensors_in_frames(frames):
    """Their (expression, tensor)s."""
    for frame in frames:
        for path, value, late in tensors_of(frame):
            try:
                if not late and value.kind() != "Input":
                    yield path, tensor_of(value)
            except (Problem, Unreadable):
                pass


def tensor_with(debugger, node):
    """The tensor with that node, in the selected frame or a caller, or a leaf's own; or None."""
    return next((tensor for _, tensor in tensors_in_frames(debugger.frames())
        if tensor.node and tensor.node.address == node.address), None) or node.leaf()


def living(debugger, text, found):
    """The tensor, or that of a node. Problem: it is gone."""
    tensor = tensor_with(debugger, found) if isinstance(found, Node) else found
    if not tensor:
        raise Problem("%s is %s, whose tensor no variable holds any more" % (text, found.title()))
    return tensor


def shown(debugger, text):
    """All lines of what is named: a tensor's if there is one, or else its node's."""
    try:
        found = subject(debugger, text)
    except Broken as problem:
        return ["Tensor <%s>" % problem.__cause__]
    if isinstance(found, Node) and found.is_leaf():
        tensor = tensor_with(debugger, found)
        if tensor:
            tensor.name = found.name
            found = tensor
    return found.lines() + callers(debugger, text)


def resolved(debugger, text, those_with=""):
    """The expression, with the numbers that tensors' methods return, and with the tensors of names that only a caller
    knows, and of edges that are asked something."""

    def number(match):
        with contextlib.suppress(NoTensor, Unknown):
            return those_with in match[0] and method_answer(debugger, match[0], True) or match[0]
        return match[0]

    def tensor(match):
        path, called = match[1], match[2]  # x.size and (
        name, dot, method = path.rpartition(".") if called else (path, "", "")
        if not name or name in KEYWORDS:
            return match[0]
        found = None
        if not debugger.knows(re.match(r"\w+", name)[0]):
            found = find(debugger, name)
        elif called:
            edge = debugger.evaluate(name)
            found = Input(edge.pointed()).node if edge.kind() == "Input" else None
        found = found and living(debugger, name, found)
        return "(*(stepgrad::Tensor*)%d)%s%s%s" % (found.value.address(), dot, method, called) \
            if found else match[0]

    text = CALL.sub(number, re.sub(r"\.shape\(\)\[(-?\d+)\]", r".size(\1)", text))
    return NAME.sub(tensor, text)


def refuse_op(debugger, text, said):
    """Problem: the expression asks for an op, which the debugger has said in words of overloads."""
    if not re.search("operator|operand|argument|resolve|type for", said):
        return
    for x in re.findall(r"[^\W\d]\w*", text):
        with contextlib.suppress(NoTensor, Unknown, Unreadable):
            if subject(debugger, x):
                raise Problem("no op runs in a debugger, which shows %s or computes with %s.sum() * 2" % (x, x))


def method_answer(debugger, text, in_expression=False):
    """What X.numel() and the like return, read from memory, as text; None: no such method."""
    match = re.fullmatch(r"(.+)(?:\.|->)(\w+)\(([-\d, ]*)\)", text)
    method, count, _ = METHODS.get(match[2], (None, -1, "")) if match else (None, -1, "")
    numbers = [int(i) for i in re.findall(r"-?\d+", match[3])] if match else []
    if count not in (len(numbers), None) or OPERATOR.search(match[1]):  # x.max() - x.min()
        return None
    answer = method(living(debugger, match[1], subject(debugger, match[1])), *numbers)
    if in_expression:
        text = "%sf" % float("%.9g" % answer) if isinstance(answer, float) else str(answer).lower()
        return None if isinstance(answer, str) else text.replace("nanf", "(0.f/0)").replace("inff", "(1.f/0)")
    return answer if isinstance(answer, str) else "%.9g" % answer if isinstance(answer, float) else str(answer).lower()


def node_named(debugger, text):
    found = subject(debugger, text)
    if isinstance(found, Tensor) and found.node_problem:
        raise Problem(text + found.node_problem)
    node = node_of(found)
    if node is None and found.name:  # a saved tensor has no node, but an edge of its name
        node = node_of(find(debugger, found.name, needs_node=True))
    if node is None:  # a saved operand A without a name has none, either, but its op has an edge a
        edge = exactly(next(iter(debugger.frames())), text.lower())
        node = edge if isinstance(edge, Node) else None
    if node is None or not node.wants_grad:
        raise Problem("%s requires no gradient" % text)
    return node


def completions(debugger, text, word, ops=False):
    """The words that go on from the last one: ops on the tape, or names of tensors."""
    begun = re.search(r"([\w.\[\]]|->)*$", text)[0]
    try:
        nodes = list(islice(debugger.tape().nodes(), 1000))
    except (Problem, Unreadable):
        nodes = []
    names = {node.op if ops else node.name for node in nodes}
    with contextlib.suppress(Problem, Unreadable):
        names |= set() if ops else {path for path, _ in tensors_in_frames(debugger.frames())}
    return sorted(name[len(begun) - len(word):] for name in names if begun and name.startswith(begun))
