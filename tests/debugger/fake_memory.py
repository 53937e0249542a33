"""A program's memory without a program, with what is in it as debuggers read it."""

import array
import struct

import stepgrad_read


class Memory:
    """A program's memory: structs are dicts, pointers are Pointers."""

    def __init__(self):
        self.blocks = {}

    def read(self, address, size):
        for start, data in self.blocks.items():
            if start <= address and address + size <= start + len(data):
                return data[address - start:address - start + size]
        raise stepgrad_read.Unreadable("no memory at %#x" % address)


class Pointer:
    def __init__(self, address, target=None):
        self.address, self.target = address, target


class Value:
    """As stepgrad_tape wants values."""

    def __init__(self, content, memory):
        self.content, self.memory = content, memory

    def field(self, name):
        return Value(self.content[name], self.memory)

    def item(self, index):
        of = self.content.target if isinstance(self.content, Pointer) else self.content
        return Value(of[index], self.memory)

    def target(self):
        if not isinstance(self.content, Pointer):
            return self
        if self.content.target is None:
            raise stepgrad_read.Unreadable("no memory at %#x" % self.content.address)
        return Value(self.content.target, self.memory)

    def int(self):
        return self.content.address if isinstance(self.content, Pointer) else self.content

    def number(self):
        return float(self.content)

    def text(self):
        return self.content

    def size(self):
        return 4

    def address(self):
        return id(self.content)

    def read(self, address, size):
        return self.memory.read(address, size)


NULL = Pointer(0)


def shape(*sizes):
    return {"sizes_": list(sizes) + [0] * (6 - len(sizes)), "dims_": len(sizes)}


def tensor(values, *sizes, name="", node=NULL, **changes):
    """A Value that holds a Tensor; `changes` of its impl or storage spoil it."""
    memory = Memory()
    memory.blocks[0x1000] = struct.pack("%df" % len(values), *values)
    storage = {"data": Pointer(0x1000, 0.0), "size": len(values)}
    impl = {"refs": 1, "shape": shape(*sizes), "name": name, "node": {"p_": node},
            "storage": {"p_": Pointer(0x20, storage)}, **storage}
    for key, value in changes.items():
        for part in (impl, storage):
            if key in part:
                part[key] = value
    return Value({"impl_": {"p_": Pointer(0x10, impl)}}, memory)


# ---- A tape --------------------------------------------------------------------------------------


def linked(contents, link="next"):
    """A list of them, each leading to the one behind it: a pointer to the first."""
    first = NULL
    for content in reversed(contents):
        content[link] = first
        first = Pointer(id(content), content)
    return first


def vector(contents):
    return {"_M_impl": {"_M_start": Pointer(0x100, contents),
                        "_M_finish": Pointer(0x100 + 4 * len(contents))}}


class Program:
    """Its memory, and the nodes of its tape, oldest first."""

    def __init__(self):
        self.memory, self.nodes = Memory(), []

    def tensor(self, values, *sizes, name="", node=NULL):
        """A Tensor's content; None: an undefined one."""
        if values is None:
            return {"impl_": {"p_": NULL}}
        at = 0x1000 * (1 + len(self.memory.blocks))
        self.memory.blocks[at] = struct.pack("%df" % len(values), *values)
        storage = {"data": Pointer(at, 0.0), "size": len(values)}
        impl = {"refs": 1, "shape": shape(*sizes), "name": name, "node": {"p_": node},
                "storage": {"p_": Pointer(at, storage)}, **storage}
        return {"impl_": {"p_": Pointer(at, impl)}}

    @staticmethod
    def at(line, file="src/a.cpp"):
        return {"file": file if line else 0, "line": line}

    @staticmethod
    def range(low, high, nan=0, inf=0):
        return {"min": low, "max": high, "nan": nan, "inf": inf}

    def contribution(self, by, before, low, high, part):
        return {"op": by["formula"].target["op"], "number": by["number"], "loc": by["loc"],
                "caller": by["caller"], "before": shape(*before), "range": self.range(low, high),
                "part": part}

    def ledger(self, **given):
        nothing, none = self.range(0, 0), self.tensor(None)
        return Pointer(2, {"inputs": vector([]), "output": nothing, "arrived": nothing, "earlier": none,
                           "hooked": none, "contributions": vector([]), **given})

    def node(self, op, *inputs, sizes=(), name="", line=0, caller=0, visited=0, arrived=None,
             grad=None, saved=(), **ledger):
        """Records it: of an op, or of a leaf, which has no inputs. `ledger`: inputs, output, arrived,
        contributions, earlier, hooked."""
        leaf, number = op == "leaf", 1 + sum(each["number"] > 0 for each in self.nodes)
        formula = {"op": op, "forward": "" if leaf else "Y = %s X" % op,
                   "gradient": "grad +=" if leaf else "dX = %s dY" % op}
        edges = [{"node": {"p_": Pointer(id(each), each)}, "name": "", "shape": each["shape"]}
                 for each in inputs]
        none = self.tensor(None)
        content = {"formula": Pointer(1, formula), "number": 0 if leaf else number,
                   "shape": shape(*sizes), "name": name, "wants_grad": 1, "inputs": linked(edges),
                   "loc": self.at(line), "caller": self.at(caller, "main.cpp"),
                   "gradient_of": {"formula": 0, "number": 0},
                   "saved": linked([{"letter": letter, **what} for letter, what in saved]),
                   "pass": {"visited": visited, "arrived": arrived or none}, "grad": grad or none,
                   "ledger": self.ledger(**ledger) if ledger else NULL}
        self.nodes.append(content)
        return content

    def value(self, content):
        return Value(content, self.memory)

    def tape(self, visiting=None):
        newest = linked(self.nodes[::-1], "older")
        linked(self.nodes, "newer")
        return self.value({"ops": sum(each["number"] > 0 for each in self.nodes), "numbered": 9, "passes": 4,
                           "newest": newest, "visiting": Pointer(id(visiting), visiting) if visiting else NULL})


# ---- A debugger ----------------------------------------------------------------------------------


class Seen(Value):
    """A variable as debuggers hand it in: of a kind of the library's, or a struct of the reader's."""

    def __init__(self, content, memory, kind=None, members=(), pointer=False):
        super().__init__(content, memory)
        self.of_kind, self.own, self.pointer = kind, members, pointer

    def is_pointer(self):
        return self.pointer

    def pointed(self):
        return Seen(self.content, self.memory, self.of_kind, self.own)

    def kind(self):
        return self.of_kind

    def node(self):
        return self

    def type_name(self):
        return self.of_kind or "int"

    def members(self):
        return self.own


class Debugger:
    """As stepgrad_commands wants one: `variables` of its frames, the innermost first."""

    def __init__(self, program, the_tape, *variables):
        self.program, self.the_tape, self.variables = program, the_tape, variables
        self.written, self.says = [], ""
        self.late = set()  # the names of variables whose line has not run yet

    def tape(self):
        return self.the_tape

    def evaluate(self, text):
        if self.variables and text in self.variables[0]:
            return self.variables[0][text]
        raise stepgrad_read.Problem("No symbol in current context.")

    def frames(self):
        return ([(name, value, "not yet" if name in self.late else None)
                 for name, value in frame.items()] for frame in self.variables)

    def in_colour(self):
        return False

    def request(self):
        path = Seen(bytearray(64), self.program.memory)
        path.size = lambda: 64
        request = {"node": Seen({}, None), "path": path, "problem": Seen(self.says, None)}
        request["problem"].text = lambda most: self.says
        found = Seen(None, None)
        found.field = request.get
        return found

    def write(self, address, data):
        self.written.append(data)

    def functions(self):
        return ()

    def answer(self):
        self.written.append("answered")


def reader(values):
    return lambda offset, count: array.array("f", values[offset:offset + count])
