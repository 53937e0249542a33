"""Mutants: small bugs, made by rule or written by hand, each a change of one place of one file.

Both lists of the folder, by_hand.txt and changes_nothing.txt, are read here. An entry is

    ops/mul.cpp: the gradient of b forgets A
    -    if (b) b.add_grad(mul(dY, A));
    +    if (b) b.add_grad(dY);

The lines with - occur exactly once in the file; a line with a space is there only to say where.
"""

import dataclasses
import pathlib
import re

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
        """What it does, whatever it is called."""
        return self.file, self.old, self.new

    def __str__(self):
        """As an entry of a list."""
        return "%s: %s\n%s" % (self.file, self.name, "".join(
            "%s%s\n" % (sign, line) for sign, part in (("-", self.old), ("+", self.new))
            for line in part.split("\n") if part))


def read(path):
    """The entries of a list."""
    entries = []
    for paragraph in path.read_text().split("\n\n"):
        lines = [line for line in paragraph.split("\n") if line and not line.startswith("#")]
        if not lines:
            continue
        file, name = lines[0].split(": ", 1)
        old, new = ("\n".join(line[1:] for line in lines[1:] if line[0] in " " + sign)
                    for sign in "-+")
        entries.append(Mutant(file, name, old, new))
    return entries


def by_hand():
    return read(HERE / "by_hand.txt")


def changing_nothing():
    """What no test can see, each with the reason for its name."""
    return read(HERE / "changes_nothing.txt")


# ---- By rule -------------------------------------------------------------------------------------

OPERAND = (r"(?<![\w.:>])(?:\w+::)*[A-Za-z_](?:\w|\.|->)*(?:\[[^\[\]]*\]|\([^()]*\))?"
           r"(?![\w<:(\[.]|->)")
SYMMETRIC = r"(?<!mul)(?<!add)(?<!min)(?<!max)(?<!\beq)"
# A condition with its calls, up to a comma; and what stands on one side of a colon.
CONDITION = r"(?:[^(),]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+"
BRANCH = r"(?:[^?:;,()]|::|\((?:[^()]|\([^()]*\))*\))+"
CHECK = re.compile(r"(\bcheck<\w+>|\brequire)\(%s(?=,)" % CONDITION)
RULES = [  # what it does, where, and what it puts there
    ("a term is dropped", r"(?<=[\w\])]) [-+*/] %s(?=[ ;,)])" % OPERAND, ""),
    ("operands are swapped", r"(?<!abs\()\b(%s)( [-/<] )(%s)" % (OPERAND, OPERAND), r"\3\2\1"),
    ("arguments are swapped", SYMMETRIC + r"\((%s), (%s)\)" % (OPERAND, OPERAND),
     r"(\2, \1)"),
    ("+= is =", r" \+= ", " = "),
    ("-= is +=", r" -= ", " += "),
    ("a bound is moved", r" < ", " <= "),
    ("a bound is moved", r" <= ", " < "),
    ("a bound is moved", r" > ", " >= "),
    ("a bound is moved", r" >= ", " > "),
    ("off by one", r"(?<== )0(?=;)", "1"),
    ("off by one", r"(?<=[\w\])]) ([-+]) 1\b", r" \1 2"),
    ("the condition is negated", r"\bif \((?!const|auto|![\w.()>-]+\) )(.+)\)(?= |$)", r"if (!(\1))"),
    ("the condition is negated", r"(?<=[(, ])!(?=[\w(])", ""),
    ("the check is dropped", CHECK, r"\1(true"),
    ("and is or", r" && ", " || "),
    ("or is and", r" \|\| ", " && "),
    ("the branches are swapped", r" \? (%s) : (%s)(?=[;,)])" % (BRANCH, BRANCH), r" ? \2 : \1"),
    ("no copy is made", r"\.(?:clone|copied|detach)\(\)", ""),
    ("a function is left out", r"(?:(?<=\()|(?<=, )|(?<=[-+*/=] ))(?!static_cast|sizeof|std::move)"
                               r"[\w:.]+\((std::move\(\w+\)|\w+)\)", r"\1"),
    ("the opposite is said", r"\btrue\b", "false"),
    ("the opposite is said", r"\bfalse\b", "true"),
    ("the call is dropped", r"^( +)(?!return|throw|delete|break|using|static)[\w.:>*()-]+\(.*\);"
                            r"(?=$|  //)", r"\1;"),
    ("it is not counted", r"(?<!; )(\+\+|--)(?=\w)", ""),
]


def code_lines(text):
    """The numbers of the lines with code, and where on the line it ends: behind the condition of a check
    comes text, which tests do not see."""
    inside_check = False
    for number, line in enumerate(text.split("\n")):
        bare = line.strip()
        if re.match(r"(check|fail)<|[\w.]*\brequire\(|assert\(|static_assert", bare):
            inside_check = not bare.endswith(";")
            condition = CHECK.search(line)
            if condition:
                yield number, condition.end()
        elif inside_check:
            inside_check = not bare.endswith(";")
        elif bare and not re.match(r"//|#|struct|class|using|namespace|template|Input |Saved ", bare):
            yield number, len(re.sub(r"  +//.*", "", line))


def unique(lines, number, new):
    """The line with so many before it that they occur once, and what they become."""
    text = "\n".join(lines)
    for first in range(number, -1, -1):
        old = "\n".join(lines[first:number + 1])
        if text.count(old) == 1:
            return old, "\n".join([*lines[first:number], new])
    raise ValueError("a line that is nowhere alone")


def by_rule(tree):
    """Every line of ops/, nn/ and core/ under each rule; but for kernels, and for ranks, whose tests take
    minutes."""
    made = {}
    for path in sorted(path for folder in ("core", "ops", "nn") for path in (tree / folder).rglob("*.?pp")):
        file = path.relative_to(tree).as_posix()
        if file.startswith("core/kernels/") or path.name.startswith("distributed"):
            continue
        text = path.read_text()
        lines = text.split("\n")
        for number, end in code_lines(text):
            line, quoted = lines[number], re.compile(r'"[^"]*"')
            for name, pattern, replacement in RULES:
                for hit in re.finditer(pattern, line):
                    if hit.end() > end or any(q.start() < hit.end() and hit.start() < q.end()
                                              for q in quoted.finditer(line)):
                        continue
                    new = line[:hit.start()] + hit.expand(replacement) + line[hit.end():]
                    mutant = Mutant(file, name, *unique(lines, number, re.sub(r"  +//.*", "", new)))
                    if mutant.old != mutant.new:
                        made.setdefault(mutant.change(), mutant)
    return list(made.values())
