"""demos/op_benchmarks measures ops, by the names of files in ops/ or of what they declare.

usage: op_benchmarks_test.py PROGRAM TREE
"""

import unittest

from demo import TREE, run


class OpBenchmarks(unittest.TestCase):
    def test_they_are_those_of_ops(self):
        listed = run("--benchmark_list_tests")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        measured = {line.split("/")[0] for line in listed.stdout.splitlines()}
        measured -= {"one element"}
        self.assertGreater(len(measured), 40)
        declared = "".join(f" {file.stem}({file.read_text()}" for file in TREE.glob("ops/*.hpp"))
        self.assertEqual({name for name in measured if f" {name}(" not in declared}, set())


if __name__ == "__main__":
    unittest.main()
