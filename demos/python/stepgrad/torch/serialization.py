"""torch.save and torch.load: files that PyTorch reads, and those that it wrote.

Such a file is a zip of a pickle and of each storage's bytes. Before PyTorch 1.6 it was several
pickles with the storages behind them. An object is pickled as a reference to its class.
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
from .modes import no_grad

__all__ = ["save", "load"]

Size.__module__ = device.__module__ = _stepgrad.dtype.__module__ = "torch"  # as files name them

# The start of a file from before 1.6: a number, the format's version, and the machine's sizes.
_BEGIN = [0x1950A86A20F9469CFC6C, 1001, {"protocol_version": 1001, "little_endian": True,
                                         "type_sizes": {"short": 2, "int": 4, "long": 4}}]


class _Pickler(pickle.Pickler):
    def __init__(self, file, *view):
        super().__init__(file, protocol=2)
        self.storages, self.view = {}, view  # `view`: the rest of a storage's id

    def persistent_id(self, x):
        if isinstance(x, _utils.Storage):
            return ("storage", _utils.classes[x.name], x.key, "cpu", x.base.numel(), *self.view)
        return None

    def reducer_override(self, x):
        if isinstance(x, nn.Parameter):
            plain = Tensor(x.detach())
            return _utils._rebuild_parameter, (plain, x.requires_grad, OrderedDict())
        if isinstance(x, (device, Size)):
            return type(x), (x.type if isinstance(x, device) else tuple(x),)
        if not isinstance(x, Tensor):
            return NotImplemented
        return _utils._rebuild_tensor_v2, (self.storage(x), x.storage_offset(), tuple(x.shape),
                                           x.stride(), x.requires_grad, OrderedDict())

    def storage(self, x):
        base, key = x._storage(), str(len(self.storages))
        at = base.data_ptr() if base.numel() else key, base.numel(), base.dtype
        return self.storages.setdefault(at, _utils.Storage(_utils.of_dtype[base.dtype], key, base))


def save(obj, f, pickle_module=pickle, pickle_protocol=2, _use_new_zipfile_serialization=True):
    """Writes obj to a path or a file; a path's old file stays on an error."""
    file = io.BytesIO()
    (_write_zip if _use_new_zipfile_serialization else _write_pickles)(obj, file)
    if hasattr(f, "write"):
        f.write(file.getvalue())
    else:
        _stepgrad._write_file(os.fspath(f), file.getvalue())


def _write_zip(obj, file):
    pickled = io.BytesIO()
    pickler = _Pickler(pickled)
    pickler.dump(obj)
    with zipfile.ZipFile(file, "w") as zipped:
        zipped.writestr("archive/data.pkl", pickled.getvalue())
        zipped.writestr("archive/byteorder", "little")
        for storage in pickler.storages.values():
            zipped.writestr("archive/data/" + storage.key, storage.bytes())
        zipped.writestr("archive/version", "3\n")


def _write_pickles(obj, file):
    for x in _BEGIN:
        pickle.dump(x, file, protocol=2)
    pickler = _Pickler(file, None)
    pickler.dump(obj)
    pickle.dump([storage.key for storage in pickler.storages.values()], file, protocol=2)
    for storage in pickler.storages.values():
        file.write(struct.pack("<q", storage.base.numel()) + storage.bytes())


class _Any(pickle.Unpickler):
    """Python's own unpickler, which imports and calls what a file names."""

    def __init__(self, file, storage, size):
        super().__init__(file, encoding="utf-8")
        # Before 1.6, PyTorch wrote the source of a module's class beside it.
        self.persistent_load = lambda id: id[1] if id[0] == "module" else storage(id)

    def find_class(self, module, name):
        if module.startswith("torch.nn.modules."):
            module = "torch.nn" if hasattr(nn, name) else "torch.nn.attention"
        return super().find_class(module, name)


def _check(holds, sentence):
    if not holds:
        raise RuntimeError(f"load: {sentence}")


class _Reader:
    """Loads one file's pickles, and the storages that they name."""

    def __init__(self, file, size, unpickler):
        self.file, self.size, self.unpickler = file, size, unpickler
        self.storages, self.room, self.left = {}, [size + 2**22], size

    def unpickled(self, file):
        return self.unpickler(file, self.storage, self.size).load()

    def storage(self, id):
        kind, storage, key, _, n, *view = id
        name = getattr(storage, "__name__", None)
        if kind != "storage" or name not in _utils.STORAGES or view not in ([], [None]):
            raise pickle.UnpicklingError("load: a tensor lies in what is no storage")
        if key not in self.storages:
            self.storages[key] = _utils.Storage(name, key, self.base(name, key, n), self.room)
        found = self.storages[key]
        _check((found.name, found.base.numel()) == (name, n),
               f"storage {key!r} is not a {name} of {n} elements")
        return found

    def read_zip(self):
        with zipfile.ZipFile(self.file) as zipped:
            _check(sum(part.file_size for part in zipped.infolist()) <= self.size,
                   "the file's parts are compressed, or lie in each other")
            root = next((n for n in zipped.namelist() if n.endswith("data.pkl")), "data.pkl")[:-8]
            self.base = lambda name, key, n: _utils.numbers(name, zipped.read(f"{root}data/{key}"))
            return self.unpickled(io.BytesIO(zipped.read(root + "data.pkl")))

    def read_pickles(self):
        """Storages follow the objects that use them, and are read into their memory."""
        begin = [self.unpickled(self.file) for _ in _BEGIN]
        _check(begin[:2] == _BEGIN[:2] and begin[2]["little_endian"], "not a file of torch.save's")
        self.base = self.zeros
        result = self.unpickled(self.file)
        for key in self.unpickled(self.file):
            name, base = self.storages[key].name, self.storages[key].base
            n = struct.unpack("<q", self.file.read(8))[0]
            data = self.file.read(_utils.nbytes(name, base.numel()))
            _check((n, len(data)) == (base.numel(), _utils.nbytes(name, n)),
                   f"storage {key!r} is cut off")
            with no_grad():
                base.copy_(_utils.numbers(name, data))
        return result

    def zeros(self, name, key, n):
        self.left -= _utils.nbytes(name, n)
        _check(n >= 0 and self.left >= 0, "the file names storages that are larger than it is")
        return _stepgrad._zeros((n,), _utils.STORAGES[name][1])


def load(f, map_location=None, pickle_module=None, *, weights_only=True, **options):
    """Loads a file of save(), from here or from PyTorch. weights_only=False builds objects of any
    class too: it runs any code that the file names, so use it only for files that you trust."""
    if not hasattr(f, "read"):
        _check(not stat.S_ISFIFO(os.stat(f).st_mode), f"{f} is a pipe, which cannot be gone back in")
        with open(f, "rb") as file:
            return load(file, weights_only=weights_only)
    start = f.tell()
    is_zip = f.read(4) == b"PK\3\4"
    size = f.seek(0, os.SEEK_END) - start
    f.seek(start)
    trusted = weights_only is False
    reader = _Reader(f, size, _Any if trusted else unpickling.Unpickler)
    try:
        return reader.read_zip() if is_zip else reader.read_pickles()
    except (RuntimeError, MemoryError, pickle.UnpicklingError):
        raise
    except (zipfile.BadZipFile if trusted else Exception) as error:
        raise RuntimeError(f"load: not a file of torch.save's ({error})") from None
