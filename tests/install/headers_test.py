"""Installed headers as somebody else compiles them: all together, with warnings that he may have asked
for, or each alone."""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import unittest

TREE = pathlib.Path(sys.argv.pop())
MODE, INSTALLED, COMPILER = sys.argv.pop(), pathlib.Path(sys.argv.pop()), sys.argv.pop()
INCLUDE = INSTALLED / "include/stepgrad"
HEADERS = sorted(path.relative_to(INCLUDE) for path in INCLUDE.rglob("*.hpp")
                 if "distributed" not in path.parts)  # which want MPI's


def compiled(headers, *options):
    text = "".join('#include "%s"\n' % header for header in headers)
    command = [COMPILER, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wshadow", "-Werror",
               "-I%s" % INCLUDE, *options, "-xc++", "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True, check=False).stderr


class Headers(unittest.TestCase):
    def test_they_are_there(self):
        self.assertIn(pathlib.Path("nn/nn.hpp"), HEADERS)

    @unittest.skipUnless(MODE == "together", "one by one")
    def test_together_without_rtti(self):
        self.assertEqual(compiled(HEADERS, "-fno-rtti"), "")

    @unittest.skipUnless(MODE == "alone", "together")
    def test_alone(self):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
            for header, said in zip(HEADERS, threads.map(lambda one: compiled([one]), HEADERS)):
                self.assertEqual(said, "", header)


if __name__ == "__main__":
    unittest.main()
