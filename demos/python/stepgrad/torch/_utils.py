"""Rebuilds saved tensors; the names are those in PyTorch's files."""

import math

import _stepgrad

# A storage's class in a file: NumPy's type of the elements, and the dtype that they become here.
STORAGES = {
    "FloatStorage": ("<f4", _stepgrad.float32), "DoubleStorage": ("<f8", _stepgrad.float32),
    "HalfStorage": ("<f2", _stepgrad.float16), "BFloat16Storage": ("<u2", _stepgrad.bfloat16),
    "LongStorage": ("<i8", _stepgrad.int64), "IntStorage": ("<i4", _stepgrad.int32),
    "ShortStorage": ("<i2", _stepgrad.int16), "CharStorage": ("i1", _stepgrad.int8),
    "ByteStorage": ("u1", _stepgrad.uint8), "BoolStorage": ("?", _stepgrad.bool),
}
classes = {name: type(name, (), {"__module__": "torch"}) for name in STORAGES}
of_dtype = {dtype: name for name, (_, dtype) in STORAGES.items() if name != "DoubleStorage"}


def numpy():
    """NumPy, imported only for files."""
    import numpy

    return numpy


class Storage:
    """A file's storage; tensors that shared it share it again."""

    def __init__(self, name, key, base):
        """`base`: all elements."""
        self.name, self.key, self.base = name, key, base

    def bytes(self):
        """The elements in the file."""
        if self.name != "BFloat16Storage":
            return self.base.numpy().astype(STORAGES[self.name][0]).tobytes()
        bits = self.base.float().numpy().view("<u4") >> 16  # rounded: the lower half is zeros
        return bits.astype("<u2").tobytes()

    def tensor(self, offset, size, stride):
        n, numel = self.base.numel(), math.prod(size)
        last = offset + sum((count - 1) * step for count, step in zip(size, stride))
        if min((offset, *size, *stride)) < 0 or len(size) != len(stride) or numel and last >= n:
            raise RuntimeError("load: the file says of a tensor more than its storage has")
        dense = all(count == 1 or step == math.prod(size[dim + 1:])
                    for dim, (count, step) in enumerate(zip(size, stride)))
        if dense:
            part = self.base[offset:offset + numel]
            return self.base._storage(size) if numel == n else part.view(size)
        return self.base.as_strided(size, stride, offset)


def numbers(name, data):
    """A tensor from a file's storage."""
    array = numpy().frombuffer(data, STORAGES[name][0])
    if name == "BFloat16Storage":
        array = (array.astype("<u4") << 16).view("<f4")
    elif name in ("DoubleStorage", "HalfStorage"):
        array = array.astype("<f4")
    return _stepgrad._tensor(array)._typed(STORAGES[name][1])


def _rebuild_tensor_v2(storage, storage_offset, size, stride, requires_grad=False, backward_hooks=(),
                       metadata=None):
    return storage.tensor(storage_offset, size, stride).requires_grad_(requires_grad)


def _rebuild_parameter(data, requires_grad, backward_hooks):
    from .nn import Parameter

    return Parameter(data, requires_grad)


for _function in (_rebuild_tensor_v2, _rebuild_parameter):
    _function.__module__ = "torch._utils"
