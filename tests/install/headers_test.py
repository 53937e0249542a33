"""Installed headers as somebody else compiles them: all together, with warnings that he may have asked
for, or each alone. What includes BASE may have that before, compiled once for all."""

import concurrent.futures
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TREE = pathlib.Path(sys.argv.pop())
MODE, INSTALLED, COMPILER = sys.argv.pop(), pathlib.Path(sys.argv.pop()), sys.argv.pop()
INCLUDE = INSTALLED / "include/stepgrad"
HEADERS = sorted(path.relative_to(INCLUDE) for path in INCLUDE.rglob("*.hpp")
    if "distributed" not in path.parts)  # which want MPI's
BASE = pathlib.Path("core/tensor/tensor.hpp")
COMMAND = [COMPILER, "-std=c++20", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-I%s" % INCLUDE]


def compiled(headers, *options):
    text = "".join('#include "%s"\n' % header for header in headers)
    command = [*COMMAND, "-fsyntax-only", *options, "-xc++", "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True).stderr


@functools.cache
def includes_base(header):
    included = re.findall(r'#include "(.+)"', (INCLUDE / header).read_text())
    return str(BASE) in included or any(map(includes_base, included))


def alone(header, folder):
    return compiled([header], *(["-include", folder / BASE.name] if includes_base(header) else []))


class Headers(unittest.TestCase):
    def test_they_are_there(self):
        self.assertIn(pathlib.Path("nn/nn.hpp"), HEADERS)

    @unittest.skipUnless(MODE == "together", "one by one")
    def test_together_without_rtti(self):
        self.assertEqual(compiled(HEADERS, "-fno-rtti"), "")

    @unittest.skipUnless(MODE == "alone", "together")
    def test_alone(self):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads, \
                tempfile.TemporaryDirectory() as folder:
            base = pathlib.Path(folder, BASE.name)
            base.write_text('#include "%s"\n' % BASE)
            subprocess.run([*COMMAND, "-xc++-header", base, "-o", f"{base}.gch"], check=True)
            for header, said in zip(HEADERS, threads.map(lambda one: alone(one, base.parent), HEADERS)):
                self.assertEqual(said, "", header)


unittest.main()
