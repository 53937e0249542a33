"""demos/op_benchmarks measures ops, by the names of files in ops/.

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
        self.assertEqual(measured - {file.stem for file in TREE.glob("ops/*.cpp")}, set())


if __name__ == "__main__":
    unittest.main()
