"""demos/op_benchmarks measures ops, by the names of files in ops/.

usage: op_benchmarks_test.py PROGRAM TREE
"""

import pathlib
import subprocess
import sys
import unittest

TREE, PROGRAM = (pathlib.Path(sys.argv.pop()) for _ in range(2))


class OpBenchmarks(unittest.TestCase):
    def test_they_are_those_of_ops(self):
        listed = subprocess.run(
            [PROGRAM, "--benchmark_list_tests"], capture_output=True, text=True, check=True
        )
        measured = {line.split("/")[0] for line in listed.stdout.splitlines()}
        measured -= {"one element"}
        self.assertGreater(len(measured), 40)
        self.assertEqual(measured - {file.stem for file in TREE.glob("ops/*.cpp")}, set())


if __name__ == "__main__":
    unittest.main()
