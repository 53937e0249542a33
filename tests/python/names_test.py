"""The module offers the names of torch that demos/python/names.txt and elsewhere.py have, and no others."""

import re
import unittest

from session import TREE, run, said

TABLE = (TREE / "demos/python/names.txt").read_text()

# For each module or class that is named: its public names, but for what is torch's own under the same name, as `cat`
# in functional.py.
OFFERED = """import importlib, re, sys, types
def of(x): return {n: getattr(x, n) for n in dir(x) if n[0] != "_" and not isinstance(getattr(x, n), types.ModuleType)}
def found(path):
    name, _, last = path.rpartition(".")
    return getattr(importlib.import_module(name), last) if last == "Module" else importlib.import_module(path)
for path in sys.argv[1:]:
    print(path, *(n for n, x in of(found(path)).items() if path == "torch" or getattr(torch, n, None) is not x))
from torch.elsewhere import _ANSWERS, _REFUSALS
rooms, listed = {*_ANSWERS, *_REFUSALS} - {""}, re.findall(r"\w+", f"{_ANSWERS}{_REFUSALS}")
print("Tensor", *of(torch.Tensor), *(f"{room}.{n}" for room in rooms for n in of(found("torch." + room)) if n not in listed))
"""


def table():
    """For each heading: who uses names, in order."""
    parts = re.split(r"(?m)^\[(.*)\]$", TABLE)[1:]
    return {head: [line.split(": ", 1) for line in text.strip().splitlines()] for head, text in zip(parts[::2], parts[1::2])}


def names(rows):
    return [name for _, text in rows for name in text.split()]


class Names(unittest.TestCase):
    maxDiff = None

    def test_each_name_that_is_offered_is_in_the_table_and_each_of_the_table_is_offered(self):
        wanted = {head: names(rows) for head, rows in table().items()}
        both = wanted.pop("torch, and Tensor")
        wanted["torch"] += both
        wanted["Tensor"] += both
        ops = said("import _stepgrad; print(*_stepgrad._ops_of_each_element)").split()
        wanted["torch"] += ops
        wanted["Tensor"] += [*ops, *(op + "_" for op in ops)]
        paths = [head for head in wanted if head != "Tensor"]
        lines = said("import sys; sys.argv[1:] = %r\n" % paths + OFFERED).splitlines()
        offered = {line.split()[0]: line.split()[1:] for line in lines}
        self.assertEqual({head: sorted(each) for head, each in offered.items()},
            {head: sorted(set(each)) for head, each in wanted.items()})

    def test_each_line_says_who_uses_its_names(self):
        ours, programs = TABLE.split("\n\n[")[0].replace("\n# ", "\n").split("\nand public teaching programs:\n")
        users = re.findall(r"(?m)^(\w+) {2,}", ours) + re.sub(r" \([^()]*\)", "", programs.replace("\n", " ")).split(", ")
        self.assertEqual(set(users), {who for rows in table().values() for who, _ in rows})

    def test_what_is_not_there_is_an_attribute_error_that_names_it(self):
        for name in ("torch.nn.module", "torch.optim.LBFGS", "torch.kthvalue", "torch.nn.EmbeddingBag", "torch.Tensor.put_"):
            process = run(f"import stepgrad.torch, torch\n{name}")
            self.assertIn(f"AttributeError: {'type' if 'Tensor' in name else 'module'} ", process.stderr)
            self.assertIn(f"has no attribute '{name.rpartition('.')[2]}'", process.stderr)


unittest.main()
