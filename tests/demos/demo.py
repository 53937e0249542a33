"""What the tests of demos are written with; each is called as NAME_test.py PROGRAM TREE."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TREE, PROGRAM = (pathlib.Path(sys.argv.pop()).resolve() for _ in range(2))


def run(*options, program=PROGRAM, folder=None, **environment):
    return subprocess.run([program, *options], cwd=folder, text=True, capture_output=True,
        env={**os.environ, **environment})


def new_folder(add_cleanup):
    folder = tempfile.TemporaryDirectory()
    add_cleanup(folder.cleanup)
    return pathlib.Path(folder.name)


class Refusals(unittest.TestCase):
    def assert_refused(self, *options, because, **how):
        """In one sentence: the demo's name, then all of this pattern."""
        done = run(*options, **how)
        self.assertEqual((done.returncode, done.stdout), (2, ""), options)
        self.assertRegex(done.stderr, rf"\A{PROGRAM.name}: {because}(?: \(--help shows the options\)\.)?\n\Z")


class Shown:
    """For a unittest.TestCase of a demo that shows its own lines: it has run, in a folder."""

    options, environment = (), {}

    @classmethod
    def setUpClass(cls):
        cls.folder = new_folder(cls.addClassCleanup)
        cls.done = run(*cls.options, folder=cls.folder, **cls.environment)

    def test_it_runs(self):
        self.assertEqual((self.done.returncode, self.done.stderr), (0, ""))
        self.assertNotIn("nan", self.done.stdout)

    def test_definitions_used_by_shown_lines_are_shown(self):
        self.assertEqual(unshown(TREE / "demos" / PROGRAM.name, self.done.stdout), [])

    def assert_equal_to_their_steps(self, count):
        equal = re.findall(r"  > mean\(eq\(.*\n    (.*)\n", self.done.stdout)
        self.assertEqual(equal, ["tensor(1.)"] * count)


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
