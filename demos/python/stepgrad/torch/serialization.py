"""torch.save and torch.load: files that PyTorch reads, and those that it wrote.

Such a file is a zip of a pickle and of each storage's bytes. An object is pickled as a reference to its class.
"""

import io
import os
import pickle
import stat
import struct
import zipfile
from collections import OrderedDict

import _stepgrad
from _stepgrad import Tensor

from stepgrad.size import Size
from stepgrad.tensor import device

from . import _utils, nn, unpickling

__all__ = ["save", "load"]

Size.__module__ = device.__module__ = _stepgrad.dtype.__module__ = "torch"  # as files name them


class _Pickler(pickle.Pickler):
    def __init__(self, file, protocol=2):
        super().__init__(file, protocol)
        self.storages = {}

    def persistent_id(self, x):
        if isinstance(x, _utils.Storage):
            return ("storage", _utils.classes[x.name], x.key, "cpu", x.base.numel())
        return None

    def reducer_override(self, x):
        if isinstance(x, nn.Parameter):
            plain = Tensor(x.detach())
            return _utils._rebuild_parameter, (plain, x.requires_grad, OrderedDict())
        if isinstance(x, (device, Size)):
            return type(x), (str(x) if isinstance(x, device) else tuple(x),)
        if not isinstance(x, Tensor):
            return NotImplemented
        x._tell_read("torch.save()")
        return _utils._rebuild_tensor_v2, (self.storage(x), x.storage_offset(), tuple(x.shape),
            x.stride(), x.requires_grad, OrderedDict())

    def storage(self, x):
        base, key = x._storage(), str(len(self.storages))
        at = base.data_ptr() if base.numel() else key, base.numel(), base.dtype
        return self.storages.setdefault(at, _utils.Storage(_utils.of_dtype[base.dtype], key, base))


def save(obj, f, pickle_module=pickle, pickle_protocol=2):
    """Writes obj to a path or a file; a path's old file stays on an error."""
    file = io.BytesIO()
    _write_zip(obj, file, pickle_protocol)
    if hasattr(f, "write"):
        f.write(file.getvalue())
    else:
        _stepgrad._write_file(os.fspath(f), file.getvalue())


def _write_zip(obj, file, protocol):
    pickled = io.BytesIO()
    pickler = _Pickler(pickled, protocol)
    pickler.dump(obj)
    with zipfile.ZipFile(file, "w") as zipped:
        zipped.writestr("archive/data.pkl", pickled.getvalue())
        zipped.writestr("archive/byteorder", "little")
        for storage in pickler.storages.values():
            zipped.writestr("archive/data/" + storage.key, storage.bytes())
        zipped.writestr("archive/version", "3\n")


class _Any(pickle.Unpickler):
    """Python's own unpickler, which imports and calls what a file names."""

    def __init__(self, file, storage):
        super().__init__(file, encoding="utf-8")
        self.persistent_load = storage

    def find_class(self, module, name):
        if module.startswith("torch.nn.modules."):
            module = "torch.nn" if hasattr(nn, name) else "torch.nn.attention"
        return super().find_class(module, name)


def _check(holds, sentence):
    if not holds:
        raise RuntimeError(f"load: {sentence}")


_UNPACKED = 100  # times a file's length


class _Reader:
    """Loads one file's pickles, and the storages that they name."""

    def __init__(self, file, unpickler):
        self.file, self.unpickler, self.storages, self.unpacked = file, unpickler, {}, 0

    def read(self, name):
        """A member, which PyTorch takes deflated, too: then it may be a thousand times as long as the file."""
        entry = self.zipped.getinfo(name)
        self.unpacked += entry.file_size
        most = max(_UNPACKED * self.file.seek(0, os.SEEK_END), 1 << 24)
        _check(entry.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED), f"{name} is not stored or deflated")
        _check(self.unpacked <= most, f"the file unpacks to more than {most} bytes")
        with self.zipped.open(entry) as member:
            return member.read(entry.file_size)  # read() alone would unpack more first, where this size is a lie

    def storage(self, id):
        kind, storage, key, _, n = id if type(id) is tuple and len(id) == 5 else [None] * 5
        name = getattr(storage, "__name__", None)
        if kind != "storage" or name not in _utils.STORAGES:
            raise pickle.UnpicklingError("load: a tensor lies in what is no storage")
        _check(type(key) is str and type(n) is int, "a storage has no name or no length")  # else their text may be endless
        file, size = f"{self.root}data/{key}", struct.calcsize(_utils.STORAGES[name][0])
        _check(self.zipped.getinfo(file).file_size == n * size,  # before it is read: a zip may hold much
            f"storage {key!r} is not a {name} of {n} elements")
        if key not in self.storages:
            self.storages[key] = _utils.Storage(name, key, _utils.numbers(name, self.read(file)))
        found = self.storages[key]
        _check(found.name == name, f"storage {key!r} is a {found.name}, and not a {name}")
        return found

    def read_zip(self):
        with zipfile.ZipFile(self.file) as zipped:
            begin = min((entry.header_offset for entry in zipped.infolist()), default=0)
            _check(begin == 0, f"the object begins at byte {begin} of the file, behind other data")
            root = next((n for n in zipped.namelist() if n.endswith("data.pkl")), "data.pkl")[:-8]
            self.zipped, self.root = zipped, root
            pickled = io.BytesIO(self.read(root + "data.pkl"))
            return self.unpickler(pickled, self.storage).load()


def load(f, map_location=None, pickle_module=None, *, weights_only=True, **options):
    """Loads a file of save(), from here or from PyTorch. weights_only=False builds objects of any
    class too: it runs any code that the file names, so use it only for files that you trust."""
    if not hasattr(f, "read"):
        _check(not stat.S_ISFIFO(os.stat(f).st_mode), f"{f} is a pipe, which cannot be gone back in")
        with open(f, "rb") as file:
            return load(file, map_location, weights_only=weights_only)
    to = map_location.get("cpu") if isinstance(map_location, dict) else map_location
    if not (to is None or callable(to) or isinstance(to, (str, device))):
        raise TypeError(f"load: map_location is a device, and not {to!r}")
    _check(to is None or callable(to) or device(to).type == "cpu", f"map_location '{to}': tensors are on the CPU here")
    start = f.tell()
    _check(f.read(4) == b"PK\3\4", "not a file of torch.save's, or from before PyTorch 1.6")
    f.seek(start)
    trusted = weights_only is False
    try:
        return _Reader(f, _Any if trusted else unpickling.Unpickler).read_zip()
    except (RuntimeError, MemoryError, pickle.UnpicklingError):
        raise
    except (zipfile.BadZipFile if trusted else Exception) as error:
        raise RuntimeError(f"load: not a file of torch.save's ({error})") from None
