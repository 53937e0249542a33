"""Rebuilds saved tensors; the names are those in PyTorch's files."""

import math
import struct

import _stepgrad

# A storage's class in a file: struct's letter for its elements, and the dtype that they become here.
STORAGES = {
    "FloatStorage": ("f", _stepgrad.float32), "DoubleStorage": ("d", _stepgrad.float32),
    "HalfStorage": ("e", _stepgrad.float16), "BFloat16Storage": ("H", _stepgrad.bfloat16),
    "LongStorage": ("q", _stepgrad.int64), "IntStorage": ("i", _stepgrad.int32),
    "ShortStorage": ("h", _stepgrad.int16), "CharStorage": ("b", _stepgrad.int8),
    "ByteStorage": ("B", _stepgrad.uint8), "BoolStorage": ("?", _stepgrad.bool),
}
classes = {name: type(name, (), {"__module__": "torch"}) for name in STORAGES}
_AT_ONCE = 1 << 16  # of a storage's elements, as Python's numbers, which take eight times the memory
of_dtype = {dtype: name for name, (_, dtype) in STORAGES.items() if name != "DoubleStorage"}


class Storage:
    """A file's storage; tensors that shared it share it again."""

    def __init__(self, name, key, base):
        """`base`: all elements."""
        self.name, self.key, self.base = name, key, base

    def bytes(self):
        """The elements in the file."""
        if self.name == "FloatStorage":
            return self.base._bytes()
        if self.name == "BFloat16Storage":  # the upper half of a float's bytes; the lower is zeros
            floats, data = self.base.float()._bytes(), bytearray(2 * self.base.numel())
            data[::2], data[1::2] = floats[2::4], floats[3::4]
            return bytes(data)
        letter = STORAGES[self.name][0]
        return b"".join(struct.pack(f"<{len(part)}{letter}", *part.tolist()) for part in self.base.split(_AT_ONCE))

    def tensor(self, offset, size, stride):
        fits = len(size) == len(stride) <= 64 and min((offset, *size, *stride)) >= 0
        n, numel = self.base.numel(), math.prod(size) if fits else 0
        if not fits or numel and offset + sum((count - 1) * step for count, step in zip(size, stride)) >= n:
            raise RuntimeError("load: the file says of a tensor more than its storage has")
        dense = all(count == 1 or step == math.prod(size[dim + 1:])
            for dim, (count, step) in enumerate(zip(size, stride)))
        if dense:
            part = self.base[offset:offset + numel]
            return self.base._storage(size) if numel == n else part.view(size)
        return self.base.as_strided(size, stride, offset)


def numbers(name, data):
    """A tensor from a file's storage."""
    letter, dtype = STORAGES[name]
    if name == "FloatStorage":
        return _stepgrad._of_bytes(data)
    if name == "BFloat16Storage":
        floats = bytearray(2 * len(data))
        floats[2::4], floats[3::4] = data[::2], data[1::2]
        return _stepgrad._of_bytes(bytes(floats))._to(dtype)
    size = struct.calcsize(letter)
    x = _stepgrad._empty((len(data) // size,), dtype)
    for begin in range(0, len(x), _AT_ONCE):
        part = data[begin * size:(begin + _AT_ONCE) * size]
        x[begin:begin + _AT_ONCE] = _stepgrad._tensor(struct.unpack(f"<{len(part) // size}{letter}", part), dtype)
    return x


def _rebuild_tensor_v2(storage, storage_offset, size, stride, requires_grad=False, backward_hooks=(),
        metadata=None):
    return storage.tensor(storage_offset, size, stride).requires_grad_(requires_grad)


def _rebuild_parameter(data, requires_grad, backward_hooks):
    from .nn import Parameter

    return Parameter(data, requires_grad)


for _function in (_rebuild_tensor_v2, _rebuild_parameter):
    _function.__module__ = "torch._utils"
