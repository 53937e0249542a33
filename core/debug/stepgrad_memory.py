"""Values in a program's memory. Uses no debugger, which describes each type as a Layout. Structs are
read whole, since debuggers read members slowly and a tape may have a hundred thousand nodes.

Raises Unreadable if memory or a member is missing. Nothing here runs the program."""

import re
import struct

KINDS = {"Tensor", "Saved", "Arg", "Node", "Input"}  # of stepgrad's structs, to which a value may belong
MAX_ELEMENTS = 100  # of a list


class Unreadable(Exception):
    """Memory or a member that cannot be read."""


class Problem(Exception):
    """What is wrong, in one sentence for the user."""


NOT_RUNNING = "the program is not running: type run first"


class Layout:
    """A type's layout. `code` is "pointer", "reference", "struct", "array", "float", "int" or
    "unsigned"; `type` is the debugger's type, `target` that of what it points to, or of an array's
    elements. `parts` are a struct's members and bases: (name, offset, type, whether it is a base)."""

    def __init__(self, code, name, type, size, target=None, parts=()):
        self.code, self.name, self.type, self.size = code, name, type, size
        self.target, self.parts = target, parts
        self.known = {}  # {name: (offset, Layout)} of members used so far; None: the target


class Memory:
    """A process's memory. A subclass reads it, and knows types:

        read(address, size)  bytes            key(type)       (its name, the type itself)
        read_text(address, limit)   a text    describe(type)  a Layout
        elements(place)      (name, value) of the elements of a std:: type, at most MAX_ELEMENTS
        named(name)          the Layout of the program's type with that name, or None
    """

    def __init__(self):
        self.texts, self.layouts = {}, {}

    def text(self, address):
        """Names and files, which are never freed."""
        if address not in self.texts:
            self.texts[address] = self.read_text(address, 80)
        return self.texts[address]

    def layout(self, type):
        name, type = self.key(type)
        found = self.layouts.get(name) or self.describe(type)
        if not re.search("[{(]|lambda|tuple<>$", name):  # names that several types have; lldb 14 calls each tuple so
            self.layouts[name] = found
        return found

    def find(self, layout, name):
        """(offset, Layout) of a member, also of a base's; None: there is none."""
        for part, offset, type, is_base in layout.parts:
            if part == name and not is_base:
                return offset, self.layout(type)
        for _, offset, type, is_base in layout.parts:
            found = is_base and self.find(self.layout(type), name)
            if found:
                return offset + found[0], found[1]
        return None

    def field(self, layout, name):
        if name not in layout.known:
            found = self.find(layout, name)
            if not found:
                raise Unreadable("%s has no member %s" % (layout.name, name) if layout.parts else
                    "%s has no debug information (-g)" % layout.name)
            layout.known[name] = found
        return layout.known[name]

    def target(self, layout):
        if None not in layout.known:
            layout.known[None] = self.layout(layout.target)
        return layout.known[None]

    def pointed(self, layout):
        """The layout behind a reference and one pointer."""
        for code in "reference", "pointer":
            if layout.code == code:
                layout = self.target(layout)
        return layout

    def kind(self, layout):
        """Which of our kinds a struct is or derives from; or None."""
        if layout.name.startswith("stepgrad::") and layout.name[10:] in KINDS:
            return layout.name[10:]
        bases = (self.kind(self.layout(type)) for _, _, type, is_base in layout.parts if is_base)
        return next(filter(None, bases), None)


def names_in(mangled):
    """ns, Scale of N2ns5ScaleE, or of *N2ns5ScaleE in one source; none of others than classes and namespaces."""
    text, found = mangled.lstrip("*").removeprefix("N"), []
    while number := re.match(r"\d+", text):
        end = number.end() + int(number[0])
        found.append(text[number.end():end].replace("_GLOBAL__N_1", "(anonymous namespace)"))
        text = text[end:]
    return found if text in ("", "E") else []


class Place:
    """A value in memory. It keeps the bytes that the struct around it had when first read."""

    __slots__ = "memory", "layout", "at", "start", "data"  # the struct around it: where, its bytes

    def __init__(self, memory, layout, address, start=0, data=None):
        self.memory, self.layout, self.at, self.start, self.data = memory, layout, address, start, data

    def look(self):
        self.start, self.data = self.at, bytes(self.memory.read(self.at, self.layout.size))

    def part(self, layout, offset):
        if self.data is None:
            self.look()
        return Place(self.memory, layout, self.at + offset, self.start, self.data)

    def field(self, name):
        offset, inner = self.layout.known.get(name) or self.memory.field(self.layout, name)
        return self.part(inner, offset)

    def bytes(self):
        if self.data is None:
            self.look()
        begin = self.at - self.start
        return self.data[begin:begin + self.layout.size]

    def int(self):
        return int.from_bytes(self.bytes(), "little", signed=self.layout.code == "int")

    def number(self):
        return struct.unpack("<f" if self.layout.size == 4 else "<d", self.bytes())[0]

    def text(self, limit=None):
        """Up to 80 bytes at a char*."""
        return self.memory.read_text(self.int(), limit) if limit else self.memory.text(self.int())

    def target(self):
        return Place(self.memory, self.memory.target(self.layout), self.int())

    def item(self, index):
        """An element of an array, or at a pointer."""
        target = self.memory.target(self.layout)
        if self.layout.code == "pointer":
            return Place(self.memory, target, self.int() + index * target.size)
        return self.part(target, index * target.size)

    def at_address(self, address):
        """The value at that address, of the same type."""
        return Place(self.memory, self.layout, address)

    def size(self):
        return self.layout.size

    def address(self):
        return self.at

    def read(self, address, size):
        return self.memory.read(address, size)

    def pointer(self):
        """It, behind a reference, or the one in a std::unique_ptr or std::shared_ptr; None: it is no pointer."""
        place = self.target() if self.layout.code == "reference" else self
        if re.match(r"std::(\w+::)*(unique|shared)_ptr<", place.layout.name):
            return next(place.pointers(), None)
        return place if place.layout.code == "pointer" else None

    def pointers(self):
        """Those to structs in it and in its parts."""
        for _, offset, type, _ in self.layout.parts:
            part = self.part(self.memory.layout(type), offset)
            if part.layout.code == "pointer" and self.memory.target(part.layout).code == "struct":
                yield part
            else:
                yield from part.pointers()

    def holds(self, name, layout=None):
        """Whether it, or what it points to, is or has a part of a type whose name begins so."""
        layout = layout or self.memory.pointed(self.layout)
        return layout.name.startswith(name) or any(self.holds(name, self.memory.layout(type)) for _, _, type, _ in layout.parts)

    def derived(self):
        """The whole object of the user's, of which a pointer to a base may know a part: by its class's RTTI. (lldb 14
        may take virtual tables for thread-local variables.)"""
        def word(at):
            return int.from_bytes(self.read(at % (1 << 64), 8), "little")

        if self.layout.name.startswith(("stepgrad::", "std::")):
            return self
        try:
            table = word(self.at)
            names = names_in(self.memory.read_text(word(word(table - 8) + 8), 200))
            whole = names and self.memory.named("::".join(names))
            return Place(self.memory, whole, (self.at + word(table - 16)) % (1 << 64)) if whole else self
        except Unreadable:
            return self

    def pointed(self):
        """The value behind a reference and one pointer."""
        place = self
        for code in "reference", "pointer":
            if place.layout.code == code:
                place = place.target()
        return place

    def kind(self):
        """Also of the object behind a pointer."""
        return self.memory.kind(self.memory.pointed(self.layout))

    def node(self):
        """pointed() as the stepgrad::Node that it derives from."""
        place = self.pointed()
        while place.layout.name != "stepgrad::Node":
            base, offset = next((base, offset) for _, offset, type, is_base in place.layout.parts if is_base
                and self.memory.kind(base := self.memory.layout(type)) == "Node")
            place = Place(self.memory, base, place.at + offset)
        return place

    def members(self):
        """(name, value) of a struct's own members, and of its bases' if those are not the library's; of the
        elements of an array or of a std:: type."""
        layout, memory = self.layout, self.memory
        if layout.code == "array":
            count = layout.size // (memory.target(layout).size or 1)
            return [("[%d]" % i, self.item(i)) for i in range(min(count, MAX_ELEMENTS))]
        if layout.name.startswith("std::array<"):
            return self.part(memory.layout(layout.parts[0][2]), 0).members()
        if layout.name.startswith("std::") and not layout.name.startswith("std::pair<"):
            return memory.elements(self)
        found = []
        for name, offset, type, is_base in layout.parts:
            inner = memory.layout(type)
            if not is_base:
                found.append((name or "", self.part(inner, offset)))
            elif not inner.name.startswith(("stepgrad::", "std::")):
                found += self.part(inner, offset).members()
        return found
