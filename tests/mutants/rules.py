"""Mutants: small bugs, each a change of one place of one file, made of every line of code of every room by each rule
of its language."""

import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str
    name: str  # what is wrong
    old: str  # is in the file once
    new: str

    def applied(self, text):
        """The file's text with the bug in it."""
        return text.replace(self.old, self.new)

    def __str__(self):
        return "%s: %s\n%s" % (self.file, self.name, "".join(
            "%s%s\n" % (sign, line) for sign, part in (("-", self.old), ("+", self.new))
            for line in part.split("\n") if part))


OPERAND = (r"(?<![\w.:>])(?:\w+::)*[A-Za-z_](?:\w|\.|->)*(?:\[[^\[\]]*\]|\([^()]*\))?"
    r"(?![\w<:(\[.]|->)")
SYMMETRIC = r"(?<!mul)(?<!add)(?<!min)(?<!max)(?<!\beq)"
# A condition with its calls, up to a comma; and what stands on one side of a colon.
CONDITION = r"(?:[^(),]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+"
BRANCH = r"(?:[^?:;,()]|::|\((?:[^()]|\([^()]*\))*\))+"
CHECK = re.compile(r"(\bcheck<\w+>|\brequire)\(%s(?=,)" % CONDITION)
C_LIKE = [  # what it does, where, and what it puts there
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
    ("off by one", r"(?<=[\w\])]) ([-+]) 1\b", r" \1 2"),
    ("the condition is negated", r"\bif \((?!const|auto|![\w.()>-]+\) )(.+)\)(?= |$)", r"if (!(\1))"),
    ("the condition is negated", r"(?<=[(, ])!(?=[\w(])", ""),
    ("the check is dropped", CHECK, r"\1(true"),
    ("and is or", r" && ", " || "),
    ("or is and", r" \|\| ", " && "),
    ("the branches are swapped", r" \? (%s) : (%s)(?=[;,)])" % (BRANCH, BRANCH), r" ? \2 : \1"),
    ("no copy is made", r"\.(?:clone|copied|detach)\(\)", ""),
    ("a function is left out", r"(?:(?<=\()|(?<=, )|(?<=[-+*/=] ))(?!(?:static_cast|sizeof|std::move|double|float|int64_t|int|size_t|Scalar)\b)"
                               r"[\w:.]+\((std::move\(\w+\)|\w+)\)", r"\1"),
    ("the opposite is said", r"\btrue\b", "false"),
    ("the opposite is said", r"\bfalse\b", "true"),
    ("the call is dropped", r"^( +)(?!return|throw|delete|break|using|static)[\w.:>*()-]+\(.*\);"
                            r"(?=$|  //)", r"\1;"),
    ("it is not counted", r"(?<!; )(\+\+|--)(?=\w)", ""),
]


def c_like_lines(text):
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


PYTHON = [
    *(rule for rule in C_LIKE if rule[0] in (
        "a term is dropped", "operands are swapped", "arguments are swapped", "a bound is moved",
        "+= is =", "-= is +=", "off by one", "no copy is made", "a function is left out")),
    ("and is or", r" and ", " or "),
    ("or is and", r" or ", " and "),
    ("equal is not equal", r" == ", " != "),
    ("is is is not", r" is (?!not )", " is not "),
    ("is not is is", r" is not ", " is "),
    ("the condition is negated", r"\b(if|while) (?!not )([^:]+)(?=:$)", r"\1 not (\2)"),
    ("the condition is negated", r"\bnot (?!in )", ""),
    ("the choice is turned", r" if ([^:]+?) else ", r" if not (\1) else "),
    ("the opposite is said", r"\bTrue\b", "False"),
    ("the opposite is said", r"\bFalse\b", "True"),
    ("the call is dropped", r"^( +)(?!return|raise|yield|del|super)[\w.]+\(.*\)$", r"\1pass"),
    ("nothing is refused", r"^( +)raise \w+\(.*\)$", r"\1pass"),
    ("it is not kept", r"^( +)self\.\w+ = (?!.*\($).*$", r"\1pass"),
]


def python_lines(text):
    """Likewise, without what Python does not run: texts, and what is imported and defined."""
    inside_text = False
    for number, line in enumerate(text.split("\n")):
        bare = line.strip()
        quotes = bare.count('"""')
        if inside_text or quotes:
            inside_text ^= quotes % 2 == 1
        elif bare and not re.match(r"#|@|(import|from|class|def|global|nonlocal|__all__)\b", bare):
            yield number, len(re.sub(r"  # .*", "", line))


def unique(lines, number, new):
    """The line, the number of earlier equal ones, and its mutants."""
    text = "\n".join(lines)
    for first in range(number, -1, -1):
        old = "\n".join(lines[first:number + 1])
        if text.count(old) == 1:
            return old, "\n".join([*lines[first:number], new])
    raise ValueError("a line that is nowhere alone")

def of_text(file, text):
    """The mutants of a file, by its language."""
    python = file.endswith(".py")
    rules, code = (PYTHON, python_lines) if python else (C_LIKE, c_like_lines)
    comment = r"  # .*" if python else r"  +//.*"
    lines, quoted = text.split("\n"), re.compile(r'"[^"]*"|\'[^\']*\'|`[^`]*`')
    for number, end in code(text):
        line = lines[number]
        for name, pattern, replacement in rules:
            for hit in re.finditer(pattern, line):
                if hit.end() > end or any(q.start() < hit.end() and hit.start() < q.end()
                        for q in quoted.finditer(line)):
                    continue
                new = line[:hit.start()] + hit.expand(replacement) + line[hit.end():]
                mutant = Mutant(file, name, *unique(lines, number, re.sub(comment, "", new)))
                if mutant.old != mutant.new:
                    yield mutant


SOURCES = {"core": ("cpp", "hpp", "js", "py"), "ops": ("cpp", "hpp"), "nn": ("cpp", "hpp"),
    "demos/python/binding": ("cpp", "hpp"), "demos/python/stepgrad": ("py",), "demos/exercise": ("py",),
    "demos/tab": ("js", "py")}


def mutants_of(tree):
    """All of them, each change once."""
    made = {}
    for folder, ends in SOURCES.items():
        for path in sorted((tree / folder).rglob("*")):
            if path.suffix[1:] in ends and not re.search(r"_windows\.|^no_(huge_pages|forks|rank_process)\.", path.name):  # for other systems
                for mutant in of_text(path.relative_to(tree).as_posix(), path.read_text()):
                    made.setdefault((mutant.file, mutant.old, mutant.new), mutant)
    return list(made.values())
