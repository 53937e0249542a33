"""Mutants: small bugs, made by rule or written by hand, each a change of one place of one file.

by_hand.txt is read here. An entry is

    ops/mul.cpp: the gradient of b forgets A
    -    if (b) b.add_grad(mul(dY, A));
    +    if (b) b.add_grad(dY);

The lines with - occur exactly once in the file; a line with a space is there only to say where.
"""

import dataclasses
import pathlib

HERE = pathlib.Path(__file__).parent


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str
    name: str  # what is wrong
    old: str
    new: str

    def applied(self, text):
        """The file's text with the bug in it."""
        if text.count(self.old) != 1:
            raise ValueError("%s: %s: its - lines occur %d times" %
                             (self.file, self.name, text.count(self.old)))
        return text.replace(self.old, self.new)

    def change(self):
        """Its effect, independent of its place."""
        return self.file, self.old, self.new

    def __str__(self):
        """As an entry of a list."""
        return "%s: %s\n%s" % (self.file, self.name, "".join(
            "%s%s\n" % (sign, line) for sign, part in (("-", self.old), ("+", self.new))
            for line in part.split("\n") if part))


def by_hand():
    entries = []
    for paragraph in (HERE / "by_hand.txt").read_text().split("\n\n"):
        lines = [line for line in paragraph.split("\n") if line and not line.startswith("#")]
        if not lines:
            continue
        file, name = lines[0].split(": ", 1)
        old, new = ("\n".join(line[1:] for line in lines[1:] if line[0] in " " + sign)
                    for sign in "-+")
        entries.append(Mutant(file, name, old, new))
    return entries
