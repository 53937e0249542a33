# torch.load of files that somebody has changed, and of pickles composed of operations at random: argv
# has how many, and the seed. Each is built or refused, in little time and memory, and changes nothing.
import argparse
import collections
import io
import pickle
import random
import resource
import struct
import sys
import time
import zipfile

import numpy as np
import torch

COUNT, SEED = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(SEED)

CALLS = """torch._utils _rebuild_tensor_v2;torch._utils _rebuild_parameter;torch Size;torch device
collections OrderedDict;collections Counter;builtins set;builtins complex;_codecs encode
builtins bytearray;numpy dtype;numpy.core.multiarray scalar;numpy.core.multiarray _reconstruct
torch float32;numpy ndarray;torch FloatStorage;builtins list;builtins range;builtins getattr;torch ones
argparse Namespace;os system;torch.nn Linear;collections defaultdict""".replace("\n", ";").split(";")
WORDS = ["storage", "0", "cpu", "f8", "<", "latin1", "shape", "__class__", "items", "a", "O"]
STORAGE = b"(X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\x000X\x03\0\0\0cpuK\x0ctQ"


def called(name):
    return f"c{name}\n".replace(" ", "\n").encode()


def some(most):
    return b"".join(value() for _ in range(rng.randrange(most)))


def value():
    """Operations that push one value: a constant, a container, a name's object, or its result."""
    kind = rng.randrange(12)
    if kind < 3:
        return bytes([rng.choice(b"N\x88\x89)]}\x8f")])
    if kind == 3:
        return b"K" + bytes([rng.choice((0, 1, 2, 3, 4, 12, 255))])
    if kind == 4:
        return rng.choice((b"J" + struct.pack("<i", rng.choice((-1, 2**31 - 1, 10**6))),
                           b"\x8a\x09" + rng.randbytes(8) + b"\0", b"G" + rng.randbytes(8)))
    if kind == 5:
        word = rng.choice(WORDS).encode()
        return b"X" + struct.pack("<I", len(word)) + word
    if kind == 6:
        return b"h" + bytes([rng.randrange(3)])
    if kind == 7:
        return b"(" + some(6) + b"t"
    if kind == 8:
        return called(rng.choice(CALLS))
    if kind == 9:
        return called(rng.choice(CALLS)) + b"(" + some(4) + b"tR"
    if kind == 10:
        sizes = b"K" + bytes([rng.randrange(5)]) + b"K" + bytes([rng.randrange(5)]) + b"\x86"
        return called(CALLS[0]) + b"(" + STORAGE + value() + sizes + rng.choice((sizes, value())) + b"\x89}tR"
    return rng.choice((b"]", b"}")) + b"q" + bytes([rng.randrange(3)])


def composed():
    """A pickle: values, one after the other, and what is done with the last ones."""
    text = b"\x80\x02" + b"".join(b"]q" + bytes([i]) for i in range(3))
    for _ in range(rng.randrange(1, 8)):
        text += rng.choice((b"", value() + b"a", value() + value() + b"s", b"(" + some(5) + b"e",
                            b"(" + value() + value() + b"u", value() + b"b", value() + b"R", b"Q",
                            b"q" + bytes([rng.randrange(3)]), bytes([rng.randrange(256)])))
        text += value()
    return text + b"."


def changed(data):
    data = bytearray(data)
    for _ in range(rng.randrange(1, 4)):
        at, n = rng.randrange(len(data)), rng.randrange(9)
        kind = rng.randrange(5)
        if kind == 0:
            del data[at:at + n]
        elif kind == 1:
            data[at:at] = data[rng.randrange(len(data)):][:n]
        elif kind == 2:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 3:
            data[at] = rng.randrange(256)
        else:
            data[at:at + n] = rng.choice((b"h\x01", b"R", b"b", b"J\xff\xff\xff\x7f", b"(", b"t", b"q\x02"))
        data = data or bytearray(b"0")
    return bytes(data)


def zipped(pickled):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in {**parts, "archive/data.pkl": pickled}.items():
            archive.writestr(name, data)
    return file.getvalue()


def real():
    x = torch.arange(12.0).reshape(3, 4)
    file = io.BytesIO()
    torch.save({"x": x, "row": x[1], "t": x.t(), "p": torch.nn.Parameter(x[0].clone()), "a": np.arange(3),
                "n": np.float64(2), "size": x.shape, "set": {1, 2}, "list": [1, 2.5, None, (b"ab", "c")],
                "state": torch.nn.Linear(2, 2).state_dict(), "d": x.device, "dtype": x.dtype}, file)
    return file.getvalue()


def identity():
    """Things no file may change: the attributes of classes and modules."""
    things = (torch, torch.Tensor, torch.nn.Parameter, torch.Size, torch.device, torch._utils, torch.FloatStorage,
              torch.nn.Module, argparse.Namespace, collections.Counter, np.dtype("f8"), np.ndarray, torch.ones)
    return [repr(sorted(vars(x))) if hasattr(x, "__dict__") else repr(x) for x in things]


whole = real()
with zipfile.ZipFile(io.BytesIO(whole)) as archive:
    parts = {name: archive.read(name) for name in archive.namelist()}
inner = parts["archive/data.pkl"]
before, built, slowest = identity(), 0, 0
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for i in range(COUNT):
    data = (lambda: zipped(composed()), lambda: zipped(changed(inner)), lambda: changed(whole))[i % 3]()
    began = time.process_time()
    try:
        repr(torch.load(io.BytesIO(data)))
        built += 1
    except (RuntimeError, pickle.UnpicklingError):  # RecursionError is a RuntimeError
        pass
    except BaseException:
        print("seed", SEED, "file", i, data[:2000])
        raise
    slowest = max(slowest, time.process_time() - began)
    assert i % 100 or identity() == before, (i, data)
assert torch.ones(3, 2).shape == (3, 2) and identity() == before
grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) >> 10
assert grown < 64 and slowest < 5, (grown, slowest)
print(f"{COUNT} files, {built} of them built; the slowest {slowest:.2f} s, {grown} MiB more")
