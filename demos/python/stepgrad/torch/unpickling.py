"""What torch.load builds of a file that may be anybody's: numbers, text, containers and tensors.

Python's unpickler calls whatever a file names. This one builds the types of torch 2's
weights_only=True, and reads what pickle's protocols 2 to 5 write for them: it calls only what _CALLS lists,
and changes only lists, dicts and sets that it made.
"""

import pickle
from collections import Counter, OrderedDict

import _stepgrad

from stepgrad.size import Size
from stepgrad.tensor import device

from . import _utils

_OPERATIONS = """PROTO STOP MARK NONE NEWTRUE NEWFALSE BININT BININT1 BININT2 LONG1 BINFLOAT
BINUNICODE SHORT_BINSTRING TUPLE TUPLE1 TUPLE2 TUPLE3 EMPTY_TUPLE EMPTY_LIST EMPTY_DICT EMPTY_SET
BINGET LONG_BINGET BINPUT LONG_BINPUT BINPERSID GLOBAL REDUCE BUILD APPEND APPENDS SETITEM
SETITEMS SHORT_BINUNICODE BINUNICODE8 BINBYTES SHORT_BINBYTES BINBYTES8 BYTEARRAY8 ADDITEMS STACK_GLOBAL
MEMOIZE FRAME""".split()
_DEEPEST = 1000  # Python writes none deeper; it hashes tuples recursively, and a million deep end it. A list that grows
# once it lies in another counts there as it was: no list is hashed
_MOST_HASHED = 10**7  # tuples in a file's keys; t = (t, t), forty times, are few to write and 2⁴⁰ to hash


def _encode(text, encoding):
    """Bytes, as pickle's protocol 2 writes them."""
    _require(type(encoding) is str, "bytes are written in no encoding")  # any object's text could be without an end
    _require(encoding == "latin1", f"bytes are written as {encoding}")
    return text.encode("latin1")


def _of_text(kind, *also):
    """bytes or bytearray, of what the file holds: bytes(n) would be n zeros."""
    def build(*arguments):
        _require(all(type(each) in (str, bytes, *also) for each in arguments), f"{kind.__name__} of no text")
        return kind(*arguments)
    return build


_CALLS = {
    "torch._utils._rebuild_tensor": _utils._rebuild_tensor_v2,
    "torch._utils._rebuild_tensor_v2": _utils._rebuild_tensor_v2,
    "torch._utils._rebuild_parameter": _utils._rebuild_parameter,
    "torch.Size": Size, "torch.device": _of_text(device, int), "collections.OrderedDict": OrderedDict,
    "collections.Counter": Counter, "builtins.set": set, "builtins.complex": complex,
    "builtins.bytes": _of_text(bytes), "builtins.bytearray": _of_text(bytearray), "_codecs.encode": _encode,
}


def _require(holds, sentence):
    if not holds:
        raise pickle.UnpicklingError(f"load: {sentence}")


class _Dispatch(dict):
    """Our methods, by their operation's code."""

    names = {code[0]: name for name, code in vars(pickle).items() if isinstance(code, bytes) and len(code) == 1}

    def __missing__(self, code):
        _require(False, f"a pickle's operation {self.names.get(code, code)}, which is not built by default")


class Unpickler(pickle._Unpickler):
    dispatch = _Dispatch()

    def __init__(self, file, storage):
        """`storage` returns a persistent id's storage."""
        super().__init__(file, encoding="utf-8")
        self.persistent_load = storage
        self.hashed = 0
        self.held = {}  # by id: a container's depth, how many it holds, and the container, which keeps its id

    def load(self):
        try:
            return super().load()
        except (RuntimeError, MemoryError, pickle.UnpicklingError):
            raise
        except Exception as error:  # no pickle, or an unknown operation
            problem = f"{type(error).__name__}: {error}"
        raise pickle.UnpicklingError(f"load: no pickle of tensors and plain Python ({problem})")

    def find_class(self, module, name):
        module = "builtins" if module == "__builtin__" else module
        if module == "torch" and isinstance(getattr(_stepgrad, name, None), _stepgrad.dtype):
            return getattr(_stepgrad, name)
        if module == "torch" and name in _utils.classes:
            return _utils.classes[name]
        _require(f"{module}.{name}" in _CALLS,
            f"the file names {module}.{name}, which is not built by default. "
            "weights_only=False builds it, and runs any code that the file names: use it only "
            "for a file that you trust")
        return _CALLS[f"{module}.{name}"]

    def holds(self, container, items):
        depth, count, _ = self.held.get(id(container), (0, 1, None))
        inside = [self.held[id(item)] for item in items if id(item) in self.held]
        depth = max([depth] + [1 + each[0] for each in inside])
        _require(depth < _DEEPEST, f"containers lie in each other more than {_DEEPEST} deep")
        self.held[id(container)] = depth, count + sum(each[1] for each in inside), container

    def hashes(self, keys):
        self.hashed += sum(self.held[id(key)][1] for key in keys if id(key) in self.held)
        _require(self.hashed <= _MOST_HASHED, f"keys of more than {_MOST_HASHED} tuples")

    def load_reduce(self):
        arguments, function = self.stack.pop(), self.stack[-1]
        _require(type(arguments) is tuple and any(function is each for each in _CALLS.values()),
            f"the file calls a {type(function).__name__}")
        self.hashes(arguments)  # of a set, or of pairs
        self.stack[-1] = function(*arguments)
        self.holds(self.stack[-1], arguments)

    def load_build(self):
        state, built = self.stack.pop(), self.stack[-1]
        _require(type(built) is OrderedDict and type(state) is dict,
            f"the file changes a {type(built).__name__}")
        hidden = [name for name in state if hasattr(OrderedDict, name)]
        _require(not hidden, f"the file changes an OrderedDict's {hidden}")
        built.__dict__.update(state)  # a state_dict()'s _metadata
        self.holds(built, [state])

    def append_to_list(self, items):
        _require(type(self.stack[-1]) is list, f"the file appends to a {type(self.stack[-1])}")
        self.stack[-1].extend(items)
        self.holds(self.stack[-1], items)

    def set_items(self, keys, values):
        container = self.stack[-1]
        _require(type(container) in (dict, OrderedDict, Counter),
            f"the file sets an item of a {type(container)}")
        self.hashes(keys)
        self.holds(container, [*keys, *values])
        for key, value in zip(keys, values, strict=True):  # Counter.update() would add
            container[key] = value

    def load_additems(self):
        items, built = self.pop_mark(), self.stack[-1]
        _require(type(built) is set, f"the file adds elements to a {type(built).__name__}")
        self.hashes(items)
        built.update(items)
        self.holds(built, items)

    def load_bytearray8(self):  # Python's own takes the memory before it reads
        self.append(bytearray(self.read(int.from_bytes(self.read(8), "little"))))

    def load_append(self):
        self.append_to_list([self.stack.pop()])

    def load_appends(self):
        self.append_to_list(self.pop_mark())

    def load_setitem(self):
        value, key = self.stack.pop(), self.stack.pop()
        self.set_items([key], [value])

    def load_setitems(self):
        items = self.pop_mark()
        self.set_items(items[::2], items[1::2])


def _tuple(load):
    def checked(self):
        load(self)
        self.holds(self.stack[-1], self.stack[-1])
    return checked


for _name in "load_tuple", "load_tuple1", "load_tuple2", "load_tuple3":
    setattr(Unpickler, _name, _tuple(getattr(Unpickler, _name)))
for _name in _OPERATIONS:
    _code = getattr(pickle, _name)[0]
    Unpickler.dispatch[_code] = getattr(Unpickler, pickle._Unpickler.dispatch[_code].__name__)
