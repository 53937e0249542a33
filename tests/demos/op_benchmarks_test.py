"""Every op, which is a file in ops/, is measured by demos/op_benchmarks.

usage: op_benchmarks_test.py PROGRAM TREE
"""

import pathlib
import subprocess
import sys
import unittest

TREE, PROGRAM = (pathlib.Path(sys.argv.pop()) for _ in range(2))


class OpBenchmarks(unittest.TestCase):
    def test_every_op_has_one(self):
        listed = subprocess.run(
            [PROGRAM, "--benchmark_list_tests"], capture_output=True, text=True, check=True
        )
        measured = {line.split("/")[0] for line in listed.stdout.splitlines()}
        self.assertEqual({file.stem for file in TREE.glob("ops/*.cpp")} - measured, set())


if __name__ == "__main__":
    unittest.main()
