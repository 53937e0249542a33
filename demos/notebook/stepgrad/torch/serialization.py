"""torch.save and torch.load: files that PyTorch reads, and those that it wrote.

Such a file is a zip of a pickle and of each storage's bytes. What is in it are tensors, parameters,
NumPy's numbers and arrays, and what plain Python has: state dicts, those of optimizers, numbers,
lists. Of the rest nothing is written, before the old file is touched; and nothing but that is read.
"""

import argparse
import builtins
import codecs
import io
import os
import pickle
import types
import zipfile
from collections import Counter, OrderedDict, defaultdict, deque

import _stepgrad
from _stepgrad import Tensor

from stepgrad.size import Size
from stepgrad.tensor import device

from . import _utils
from .nn import Module, Parameter

__all__ = ["save", "load"]

# A storage's name in the file: what NumPy calls its numbers, and the dtype that they become here.
_STORAGES = {
    "FloatStorage": ("<f4", _stepgrad.float32), "DoubleStorage": ("<f8", _stepgrad.float32),
    "HalfStorage": ("<f2", _stepgrad.float16), "BFloat16Storage": ("<u2", _stepgrad.bfloat16),
    "LongStorage": ("<i8", _stepgrad.int64), "IntStorage": ("<i4", _stepgrad.int32),
    "ShortStorage": ("<i2", _stepgrad.int16), "CharStorage": ("i1", _stepgrad.int8),
    "ByteStorage": ("u1", _stepgrad.uint8), "BoolStorage": ("?", _stepgrad.bool),
}
_classes = {name: type(name, (), {"__module__": "torch"}) for name in _STORAGES}
globals().update(_classes)
_of_dtype = {dtype: name for name, (_, dtype) in _STORAGES.items() if name != "DoubleStorage"}


# What a file may name, besides the classes of storages: (module, name) as PyTorch writes them.
_KNOWN = {
    **{("torch._utils", name): getattr(_utils, name)
       for name in ("_rebuild_tensor_v2", "_rebuild_parameter")},
    **{("torch", name): getattr(_stepgrad, name)
       for name in "float32 float16 bfloat16 int64 int32 int16 int8 uint8 bool".split()},
    ("torch", "Size"): Size, ("torch", "device"): device, ("_codecs", "encode"): codecs.encode,
    **{(c.__module__, c.__name__): c for c in (OrderedDict, defaultdict, Counter, deque, argparse.Namespace,
                                               types.SimpleNamespace)},
    **{(module, name): getattr(builtins, {"xrange": "range", "unicode": "str", "long": "int"}.get(name, name))
       for module in ("__builtin__", "builtins")
       for name in "set frozenset complex slice range xrange bytearray list dict tuple int long float bool "
                   "str unicode bytes".split()},
}
Size.__module__ = device.__module__ = _stepgrad.dtype.__module__ = "torch"  # as files name them
_CONTAINERS = (dict, OrderedDict, defaultdict, Counter, list, tuple, Size, set, frozenset, deque)
_PLAIN = (type(None), bool, int, float, complex, str, bytes, bytearray, slice, range, device,
          _stepgrad.dtype)


def _numpy_name(module, name):
    """What of NumPy a file may name; no array of Python's objects."""
    import numpy

    module = module.replace("numpy._core", "numpy.core")
    if (module, name) == ("numpy", "dtype"):
        def dtype(text, *flags):
            if numpy.dtype(text).hasobject:
                raise pickle.UnpicklingError("load: the file has an array of Python's objects")
            return numpy.dtype(text, *flags)
        return dtype
    if (module, name) == ("numpy", "ndarray"):
        return numpy.ndarray
    if module == "numpy.core.multiarray" and name in ("scalar", "_reconstruct"):
        return getattr(numpy.core.multiarray, name)
    return None


def _is_of_numpy(x):
    """A number or an array of NumPy, but not of Python's objects."""
    if type(x).__module__ not in ("numpy", "numpy.dtypes"):
        return False
    import numpy

    return isinstance(x, (numpy.generic, numpy.ndarray, numpy.dtype)) and not \
        getattr(x, "dtype", x).hasobject


def _check(x, place, seen):
    """TypeError unless load() will give x back: with the place in what is saved."""
    if isinstance(x, Tensor) or type(x) in _PLAIN or _is_of_numpy(x):
        return
    if isinstance(x, type) and (x.__module__, x.__name__) in _KNOWN:  # a defaultdict's list
        return
    if type(x) in (argparse.Namespace, types.SimpleNamespace):
        return _check(vars(x), f"vars({place})", seen)
    if type(x) not in _CONTAINERS:
        word = ": of a module the state_dict() is saved, not its code" if isinstance(x, Module) else ""
        raise TypeError(f"save: {place} is a {type(x).__module__}.{type(x).__name__}, which load() would "
                        f"not give back{word}")
    if id(x) in seen:
        return
    seen.add(id(x))
    if isinstance(x, defaultdict) and x.default_factory is not None:
        _check(x.default_factory, place + ".default_factory", seen)
    if isinstance(x, dict):
        for key, value in x.items():
            _check(key, f"a key of {place}", seen)
            _check(value, f"{place}[{key!r}]", seen)
    else:
        for i, value in enumerate(x):
            _check(value, f"an element of {place}" if isinstance(x, (set, frozenset)) else f"{place}[{i}]",
                   seen)


class _Storage:
    """The numbers of a tensor, in a file."""

    def __init__(self, name, key, numbers):
        self.name, self.key, self.numbers = name, key, numbers

    def tensor(self, offset, size, stride):
        import numpy

        there = self.numbers[offset:]
        last = sum((n - 1) * s for n, s in zip(size, stride))
        if min((offset, *size, *stride)) < 0 or size and min(size) and last >= len(there):
            raise RuntimeError("load: the file says of a tensor more than its storage has")
        steps = [s * there.itemsize for s in stride]
        numbers = numpy.lib.stride_tricks.as_strided(there, size, steps)
        if self.name == "BFloat16Storage":
            numbers = (numbers.astype("<u4") << 16).view("<f4")
        elif self.name in ("DoubleStorage", "HalfStorage"):
            numbers = numbers.astype("<f4")
        x = _stepgrad._from_array(numpy.array(numbers, order="C"))
        return x._typed(_STORAGES[self.name][1])


class _Pickler(pickle.Pickler):
    def __init__(self, file):
        super().__init__(file, protocol=2)
        self.storages = []

    def persistent_id(self, x):
        if isinstance(x, _Storage):
            return ("storage", _classes[x.name], x.key, "cpu", len(x.numbers))
        return None

    def reducer_override(self, x):
        if isinstance(x, Parameter):
            plain = Tensor(x.detach())
            return _utils._rebuild_parameter, (plain, x.requires_grad, OrderedDict())
        if isinstance(x, device):
            return device, (x.type,)
        if not isinstance(x, Tensor):
            return NotImplemented
        storage = self._stored(x.detach().clone())
        stride, strides = 1, []
        for n in reversed(x.shape):
            strides.insert(0, stride)
            stride *= n
        size = tuple(x.shape)
        return _utils._rebuild_tensor_v2, (storage, 0, size, tuple(strides), x.requires_grad,
                                           OrderedDict())

    def _stored(self, x):
        import numpy

        name = _of_dtype[x.dtype]
        numbers = numpy.ascontiguousarray(x.float().numpy() if name == "BFloat16Storage" else x.numpy())
        if name == "BFloat16Storage":  # they have been rounded: the lower half is zeros
            numbers = (numbers.view("<u4") >> 16).astype("<u2")
        storage = _Storage(name, str(len(self.storages)), numbers.astype(_STORAGES[name][0]).reshape(-1))
        self.storages.append(storage)
        return storage


class _Unpickler(pickle.Unpickler):
    def __init__(self, file, read):
        super().__init__(file)
        self.read = read

    def find_class(self, module, name):
        if module == "torch" and name in _classes:
            return _classes[name]
        known = _KNOWN.get((module, name)) or _numpy_name(module, name)
        if known is not None:
            return known
        raise pickle.UnpicklingError(f"load: the file has a {module}.{name}; what is read here are "
                                     "tensors and plain Python, as a state_dict() has them")

    def persistent_load(self, id):
        import numpy

        kind, storage, key, _, n = id
        if kind != "storage" or not isinstance(storage, type) or storage.__name__ not in _classes:
            raise pickle.UnpicklingError("load: this is no file of tensors")
        name = storage.__name__
        return _Storage(name, key, numpy.frombuffer(self.read("data/" + key), _STORAGES[name][0], n))


def save(obj, f):
    """Writes obj to a path or a file: all of it or nothing."""
    _check(obj, "obj", set())
    pickled, zipped = io.BytesIO(), io.BytesIO()
    pickler = _Pickler(pickled)
    pickler.dump(obj)
    with zipfile.ZipFile(zipped, "w") as file:
        file.writestr("archive/data.pkl", pickled.getvalue())
        file.writestr("archive/byteorder", "little")
        for storage in pickler.storages:
            file.writestr("archive/data/" + storage.key, storage.numbers.tobytes())
        file.writestr("archive/version", "3\n")
    if hasattr(f, "write"):
        f.write(zipped.getvalue())
    else:
        _stepgrad._write_file(os.fspath(f), zipped.getvalue())


def load(f, map_location=None, weights_only=True):
    """What save() wrote, here or in PyTorch 1.6 and later."""
    try:
        with zipfile.ZipFile(f) as file:
            root = next((n[: -len("data.pkl")] for n in file.namelist() if n.endswith("data.pkl")), "")
            data = io.BytesIO(file.read(root + "data.pkl"))
            return _Unpickler(data, lambda name: file.read(root + name)).load()
    except (zipfile.BadZipFile, KeyError) as error:
        raise RuntimeError(f"load: this is no file of torch.save's ({error})") from None
