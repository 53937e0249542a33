"""demos/benchmark: its measurements and refusals.

usage: benchmark_test.py (BadOptions | Shapes) PROGRAM TREE
"""

import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from demo import PROGRAM, TREE

FOLDER = TREE / "demos/benchmark"


def run(*options, program=PROGRAM, **environment):
    return subprocess.run([sys.executable, FOLDER / "benchmark.py", program, *options], text=True, capture_output=True,
        env={**os.environ, **environment})


class BadOptions(unittest.TestCase):
    def test_they_are_refused_in_a_sentence(self):
        for option, value, because in (
            ("--threads", "4096", r"--threads: 1 to \d+, not 4096"),
            ("--threads", "0", r"--threads: 1 to \d+, not 0"),
            *(("--shape", shape, f"four positive numbers are wanted, not '{shape}'")
              for shape in ("1,2,3", "1,2,3,4,5", "1,2,3,x", "1,2,3,4x", "0,2,3,4", "1,2,-3,4", "x")),
        ):
            done = run(f"{option}={value}")
            self.assertEqual((done.returncode, done.stdout), (2, ""), value)
            self.assertRegex(done.stderr, because + r"\n\Z")

    def test_kernels_that_are_not_there(self):
        done = run("--quick", STEPGRAD_SIMD="mmx")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"\Abenchmark: STEPGRAD_SIMD=mmx is unknown or not available here; there are: .*\n\Z")


class Shapes(unittest.TestCase):
    def test_an_odd_shape_has_every_figure_on_a_hundred_columns(self):
        done = run("--quick", "--shape", "3,7,33,65", "--threads", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("[3, 7, 33] d_ff 65", done.stdout)
        row = re.search(r"\nstepgrad, unfused +(\S+) +(\S+) +(\S+) +(\d+) ", done.stdout)
        ms, median, gflops, mib = map(float, row.groups())
        self.assertAlmostEqual(gflops, 10 * 3 * 7 * 33 * 65 / ms / 1e6, delta=0.1)
        self.assertLessEqual(ms, median)
        self.assertGreater(mib, 0)
        self.assertLessEqual(max(map(len, done.stdout.splitlines()[4:])), 100)

    def test_a_step_that_fails_says_why_and_the_others_are_measured(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "program")
            for fails, why in (("kill -9 $$", "ended by signal 9"), ("echo benchmark: no memory >&2; exit 1", "benchmark: no memory")):
                program.write_text(f"#!/bin/sh\ncase $1$6 in fused0) echo 1;; fused*) {fails};; *) echo 0.001 0.002 2048;; esac\n")
                program.chmod(0o755)
                done = run("--quick", "--shape", "1,2,3,4", program=program)
                self.assertRegex(done.stdout, rf"\nstepgrad, fused  +{why}\nstepgrad, unfused  +1  .* 2  +-\n", done.stderr)

    def test_all_contestants_compute_the_same_step(self):
        mine = None
        for command in ([PROGRAM, "unfused"], [PROGRAM, "fused"], ["/usr/bin/python3", FOLDER / "pytorch.py", "1"]):
            job = ["3", "7", "33", "65", "0"]  # no seconds: checksums instead
            done = subprocess.run([*command, *job], capture_output=True, text=True)
            if "No module named 'torch'" in done.stderr:
                continue
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            sums = [float(number) for number in done.stdout.split()]
            mine = mine or sums
            self.assertEqual(len(sums), 5)
            for ours, theirs in zip(mine, sums):
                self.assertTrue(math.isclose(ours, theirs, rel_tol=1e-4), (command, mine, sums))


unittest.main()
