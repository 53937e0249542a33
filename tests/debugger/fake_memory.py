"""A fake program's memory with its contents, as debuggers read it."""

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
    """A value as stepgrad_tape needs it."""

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


def reader(values):
    return lambda offset, count: array.array("f", values[offset:offset + count])
