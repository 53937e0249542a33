"""What torch.load builds of a file that may be anybody's: numbers, text, containers and tensors.

Python's unpickler calls whatever a file names. This one knows the operations of torch 2's
weights_only=True. It calls only the functions below, which check their arguments, and it builds no
more than the size of the file accounts for.
"""

import pickle
from collections import Counter, OrderedDict

import _stepgrad
from _stepgrad import Tensor

from stepgrad.size import Size
from stepgrad.tensor import device

from . import _utils

_OPERATIONS = """PROTO STOP MARK NONE NEWTRUE NEWFALSE BININT BININT1 BININT2 LONG1 BINFLOAT
BINUNICODE SHORT_BINSTRING TUPLE TUPLE1 TUPLE2 TUPLE3 EMPTY_TUPLE EMPTY_LIST EMPTY_DICT EMPTY_SET
BINGET LONG_BINGET BINPUT LONG_BINPUT BINPERSID GLOBAL REDUCE BUILD APPEND APPENDS SETITEM
SETITEMS""".split()
_KEYS = {str, bytes, int, float, bool, type(None), device, _stepgrad.dtype}
_DICTS = {dict, OrderedDict, Counter}

# The functions that a file may call, and our methods for them.
_CALLS = {
    "torch._utils._rebuild_tensor": "tensor", "torch._utils._rebuild_tensor_v2": "tensor",
    "torch._utils._rebuild_parameter": "parameter", "torch.Size": "size", "torch.device": "device",
    "collections.OrderedDict": "ordered_dict", "collections.Counter": "counter",
    "builtins.set": "set", "builtins.complex": "complex", "builtins.bytes": "bytes",
    "builtins.bytearray": "bytearray", "_codecs.encode": "bytes", "numpy.dtype": "array_dtype",
    "numpy.core.multiarray.scalar": "array_number", "numpy.core.multiarray._reconstruct": "array",
}


def _require(holds, sentence):
    if not holds:
        raise pickle.UnpicklingError(f"load: {sentence}")


def _is_whole(x):
    return type(x) is int and abs(x) < 2**61 - 1  # whose hashes in Python differ


def _are_whole(xs):
    return type(xs) in (tuple, Size) and all(map(_is_whole, xs))


class Unpickler(pickle._Unpickler):
    dispatch = {}

    def __init__(self, file, storage, size):
        """`storage` returns a persistent id's storage. `size`: the file's, in bytes."""
        super().__init__(file, encoding="utf-8")
        self.persistent_load = storage
        self.left = 4 * size  # bytes that may still be built

    def load(self):
        try:
            return super().load()
        except (RuntimeError, MemoryError, pickle.UnpicklingError):
            raise
        except Exception as error:  # no pickle, or an unknown operation
            problem = f"{type(error).__name__}: {error}"
        raise pickle.UnpicklingError(f"load: no pickle of tensors and plain Python ({problem})")

    def spend(self, n):
        self.left -= n
        _require(self.left >= 0, "the file describes more than its size accounts for")

    def check_keys(self, keys):
        self.spend(len(keys))
        for key in keys:
            self.check_key(key, depth=3)

    def check_key(self, key, depth):
        if type(key) in (tuple, Size) and depth:
            self.spend(len(key))
            for part in key:
                self.check_key(part, depth - 1)
        else:
            _require(type(key) in _KEYS and (type(key) is not int or _is_whole(key)),
                     f"a key of the file is a {type(key).__name__}")

    # ---- Functions that a file may call ----

    def find_class(self, module, name):
        module = {"__builtin__": "builtins",
                  "numpy._core.multiarray": "numpy.core.multiarray"}.get(module, module)
        if module == "torch" and isinstance(getattr(_stepgrad, name, None), _stepgrad.dtype):
            return getattr(_stepgrad, name)
        if module == "torch" and name in _utils.classes:
            return _utils.classes[name]
        if (module, name) == ("numpy", "ndarray"):
            return _utils.numpy().ndarray
        _require(f"{module}.{name}" in _CALLS,
                 f"the file names {module}.{name}, which is not built by default. "
                 "weights_only=False builds it, and runs any code that the file names: use it only "
                 "for a file that you trust")
        return getattr(self, "make_" + _CALLS[f"{module}.{name}"])

    def load_reduce(self):
        arguments, function = self.stack.pop(), self.stack[-1]
        _require(type(arguments) is tuple and getattr(function, "__self__", None) is self,
                 f"the file calls a {type(function).__name__}")
        self.stack[-1] = function(*arguments)

    def make_tensor(self, storage, offset, size, stride, requires_grad=False, *hooks):
        _require(type(storage) is _utils.Storage and _is_whole(offset) and _are_whole(size)
                 and _are_whole(stride), "a tensor is of what is no storage, or no size")
        return _utils._rebuild_tensor_v2(storage, offset, size, stride, bool(requires_grad))

    def make_parameter(self, data, requires_grad, hooks):
        _require(isinstance(data, Tensor), "a parameter is of what is no tensor")
        return _utils._rebuild_parameter(data, bool(requires_grad), None)

    def make_size(self, sizes=()):
        _require(_are_whole(sizes), "a torch.Size is of what is no size")
        self.spend(len(sizes))
        return Size(sizes)

    def make_device(self, *name):
        _require(all(type(part) in (str, int) for part in name), "a torch.device has no name")
        return device(*name)

    def make_ordered_dict(self, pairs=()):
        _require(type(pairs) in (list, tuple), "an OrderedDict is of what is no list")
        self.check_keys([key for key, _ in pairs])
        return OrderedDict(pairs)

    def make_counter(self, counts=()):
        _require(type(counts) is dict or counts == (), "a Counter is of what is no dict")
        self.spend(len(counts))
        return Counter(counts)

    def make_set(self, elements=()):
        _require(type(elements) in (list, tuple), "a set is of what is no list")
        self.check_keys(elements)
        return set(elements)

    def make_complex(self, real, imaginary):
        _require(type(real) is type(imaginary) is float, "a complex number is of no floats")
        return complex(real, imaginary)

    def make_bytes(self, text="", encoding="latin1"):
        _require(type(text) is str and encoding in ("latin1", "latin-1"), "bytes are of no text")
        self.spend(len(text))
        return text.encode("latin1")

    def make_bytearray(self, data="", encoding="latin1"):
        if type(data) is not bytes:
            return bytearray(self.make_bytes(data, encoding))
        self.spend(len(data))
        return bytearray(data)

    def make_array_dtype(self, name, *options):
        plain = type(name) is str and name[:1] in tuple("biufcSU")
        dtype = plain and _utils.numpy().dtype(name, copy=True)  # BUILD sets its byte order
        _require(plain and dtype.kind in "biufcSU" and dtype.itemsize, f"NumPy's dtype {name!r}")
        return dtype

    def make_array_number(self, dtype, data):
        self.check_array((), dtype, data)
        return _utils.numpy().frombuffer(data, dtype)[0]

    def make_array(self, cls, shape, kind):
        numpy = _utils.numpy()
        _require(cls is numpy.ndarray and shape == (0,) and kind == b"b", "an array of a subclass")
        return numpy.ndarray(shape, "b")

    def check_array(self, shape, dtype, data):
        _require(isinstance(dtype, _utils.numpy().dtype) and _are_whole(shape)
                 and type(data) is bytes, "an array is of what is no shape, dtype or bytes")
        size = dtype.itemsize
        for n in shape:
            size *= n
        _require(size == len(data) and min(shape, default=0) >= 0,
                 "an array has another size than its bytes")
        self.spend(len(data))

    # ---- Operations that change objects ----

    def load_build(self):
        state, built = self.stack.pop(), self.stack[-1]
        if type(built) is OrderedDict and type(state) is dict:  # a state_dict()'s _metadata
            hidden = [name for name in state if hasattr(OrderedDict, name)]
            _require(not hidden, f"the file changes an OrderedDict's {hidden}")
            return built.__dict__.update(state)
        _require(type(built).__module__.startswith("numpy") and type(state) is tuple,
                 f"the file changes a {type(built).__name__}")
        numpy = _utils.numpy()
        if isinstance(built, numpy.dtype):
            order = state[1] if len(state) > 1 and state[1] in ("<", ">") else "="
            _require(state == built.newbyteorder(order).__reduce__()[2], f"NumPy's dtype {state}")
        else:
            _require(type(built) is numpy.ndarray and len(state) == 5, "the file changes a number")
            self.check_array(state[1], state[2], state[4])
        built.__setstate__(state)

    def append_to_list(self, items):
        _require(type(self.stack[-1]) is list, f"the file appends to a {type(self.stack[-1])}")
        self.stack[-1].extend(items)

    def set_items(self, keys, values):
        container = self.stack[-1]
        _require(type(container) in _DICTS, f"the file sets an item of a {type(container)}")
        self.check_keys(keys)
        for key, value in zip(keys, values, strict=True):
            container[key] = value

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


for _name in _OPERATIONS:
    _code = getattr(pickle, _name)[0]
    Unpickler.dispatch[_code] = getattr(Unpickler, pickle._Unpickler.dispatch[_code].__name__)
