"""Values in memory, read a struct at a time: a tape may have a hundred thousand nodes, and
debuggers read members slowly. Uses no debugger, which describes each type as a Layout."""

import struct

from stepgrad_read import Unreadable


class Layout:
    """A type's layout. `code` is "pointer", "struct", "array", "float", "int" or "unsigned".
    A pointer and an array have a target, the debugger's type. A struct has fields, {name: (offset, the
    debugger's type)}, those of its bases too."""

    def __init__(self, code, name, size, target=None, fields=None):
        self.code, self.name, self.size, self.target, self.fields = code, name, size, target, fields
        self.known = {}  # {name: (offset, Layout)} of fields used so far; None: the target


class Memory:
    """A process's memory. A subclass reads it, and knows types.

        read(address, size)  bytes            key(type)       (its name, the type itself)
        read_text(address)   up to 80 bytes   describe(type)  a Layout
    """

    def __init__(self):
        self.texts, self.layouts = {}, {}

    def text(self, address):
        """Names and files, which are never freed."""
        if address not in self.texts:
            self.texts[address] = self.read_text(address)
        return self.texts[address]

    def layout(self, type):
        name, type = self.key(type)
        if name not in self.layouts:
            self.layouts[name] = self.describe(type)
        return self.layouts[name]

    def field(self, layout, name):
        if name not in layout.known:
            if not layout.fields:
                raise Unreadable("%s has no debug information (-g)" % layout.name)
            if name not in layout.fields:
                raise Unreadable("%s has no member %s" % (layout.name, name))
            offset, type = layout.fields[name]
            layout.known[name] = offset, self.layout(type)
        return layout.known[name]

    def target(self, layout):
        if None not in layout.known:
            layout.known[None] = self.layout(layout.target)
        return layout.known[None]


class Place:
    """A value in memory, with the methods of stepgrad_read.py. It keeps the bytes that the
    struct around it had when first read."""

    __slots__ = "memory", "layout", "at", "start", "data"  # the struct around it: where, its bytes

    def __init__(self, memory, layout, address, start=0, data=None):
        self.memory, self.layout, self.at, self.start, self.data = memory, layout, address, start, data

    def look(self):
        self.start, self.data = self.at, bytes(self.memory.read(self.at, self.layout.size))

    def field(self, name):
        layout = self.layout
        offset, inner = layout.known.get(name) or self.memory.field(layout, name)
        if self.data is None:
            self.look()
        return Place(self.memory, inner, self.at + offset, self.start, self.data)

    def bytes(self):
        if self.data is None:
            self.look()
        begin = self.at - self.start
        return self.data[begin:begin + self.layout.size]

    def int(self):
        return int.from_bytes(self.bytes(), "little", signed=self.layout.code == "int")

    def number(self):
        return struct.unpack("<f" if self.layout.size == 4 else "<d", self.bytes())[0]

    def target(self):
        return Place(self.memory, self.memory.target(self.layout), self.int())

    def item(self, index):
        target = self.memory.target(self.layout)
        if self.layout.code == "pointer":
            return Place(self.memory, target, self.int() + index * target.size)
        if self.data is None:
            self.look()
        return Place(self.memory, target, self.at + index * target.size, self.start, self.data)

    def at_address(self, address):
        """The value at that address, of the same type."""
        return Place(self.memory, self.layout, address)

    def text(self):
        return self.memory.text(self.int())

    def size(self):
        return self.layout.size

    def address(self):
        return self.at

    def read(self, address, size):
        return self.memory.read(address, size)

    def pointed(self):
        return self.target() if self.layout.code == "pointer" else self

    def node(self):
        return self.pointed()
