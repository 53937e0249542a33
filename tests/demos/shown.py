"""The code that a demo shows."""

import re

DECLARED = re.compile(r"[\w>&*\]] (?:\w+::)*(\w+)(?: = |\(|;|\{| \{| :)|, (\w+) = ")
WORD = re.compile(r"(?<![\w.:>])[A-Za-z_]\w*")


def defined(folder):
    """The functions, constants and classes that a demo's sources define."""
    names = set()
    for path in [*folder.glob("*.cpp"), *folder.glob("*.hpp")]:
        for line in path.read_text().split("\n"):
            if re.match(r"(static )?const(expr)? ", line):
                names |= set(re.findall(r"(\w+) = ", line))
            elif function := re.match(r"(?!struct|using)[A-Za-z][^=;]*?[ &*:](\w+)\([^;]*$", line):
                names.add(function[1])
            elif struct := re.match(r"struct (\w+)", line):
                names.add(struct[1])
    return names - {"main"}


def unshown(folder, output):
    """The names that a shown line uses without an earlier line that defines them."""
    names, shown, missing = defined(folder), set(), []
    for code in re.findall(r"^  > (.*)$", output, re.M):
        code = re.sub(r'"(\\.|[^"])*"|//.*', "", code)
        shown |= {name for pair in DECLARED.findall(re.sub(r"\breturn ", "", code))
                  for name in pair}
        missing += [(name, code) for name in WORD.findall(code) if name in names - shown]
    return missing
