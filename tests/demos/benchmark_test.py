"""demos/benchmark: its measurements and refusals.

usage: benchmark_test.py (BadOptions | Shapes) PROGRAM TREE
"""

import math
import re
import subprocess
import unittest

from demo import PROGRAM, TREE, Refusals, run


class BadOptions(Refusals):
    def test_more_threads_than_cores_or_none(self):
        self.assert_refused("--threads", "4096", because=r"--threads: Value 4096 not in range 1 to \d+")
        self.assert_refused("--threads", "0", because=r"--threads: Value 0 not in range 1 to \d+")

    def test_a_malformed_shape(self):
        for shape in ("1,2,3", "1,2,3,4,5", "1,2,3,x", "1,2,3,4x", "0,2,3,4", "1,2,-3,4", "x"):
            self.assert_refused(f"--shape={shape}", because="--shape: wanted are four positive numbers, not " + shape)

    def test_a_shape_that_does_not_fit_into_memory(self):
        for shape in ("100000,100000,512,2048", ",".join(["9000000000000000000"] * 4)):
            self.assert_refused("--shape", shape, because=r"--shape: \[\d+, \d+, \d+\] d_ff \d+ takes "
                                r"about \S+ GiB of memory, and \S+ GiB are free")

    def test_kernels_that_are_not_there(self):
        self.assert_refused("--quick", because="STEPGRAD_SIMD=mmx is unknown or not available here; there are: .*",
                            STEPGRAD_SIMD="mmx")

    def test_a_timed_program_without_its_arguments(self):
        done = subprocess.run([PROGRAM.parent / "benchmark_stepgrad"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"\Ausage: .* \(stepwise \| fused\) .*\n\Z")


class Shapes(unittest.TestCase):
    def test_an_odd_shape_has_every_figure_on_a_hundred_columns(self):
        done = run("--quick", "--shape", "3,7,33,65", "--threads", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("[3, 7, 33] d_ff 65", done.stdout)
        row = re.search(r"\nstepgrad, stepwise +(\S+) +(\S+) +(\S+) +(\S+) \( *(\S+)\) +(\d+) ", done.stdout)
        ms, median, gflops, *shares_and_memory = map(float, row.groups())
        self.assertAlmostEqual(gflops, 10 * 3 * 7 * 33 * 65 / ms / 1e6, delta=0.1)
        self.assertLessEqual(ms, median)
        self.assertGreater(min(shares_and_memory), 0)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)

    def test_all_contestants_compute_the_same_step(self):
        folder, mine = PROGRAM.parent, None
        commands = [[folder / "benchmark_stepgrad", mode] for mode in ("stepwise", "fused")]
        commands += [[folder / f"benchmark_{peer}"] for peer in ("onednn", "openblas")]
        commands += [["/usr/bin/python3", TREE / "demos/benchmark/peers/pytorch.py", "0"]]
        for command in commands:
            try:
                job = ["3", "7", "33", "65", "0"]  # no seconds: checksums instead
                done = subprocess.run([*command, *job], capture_output=True, text=True)
            except FileNotFoundError:
                continue  # this peer is not installed
            if "No module named 'torch'" in done.stderr or "not available here" in done.stderr:
                continue
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            sums = [float(number) for number in done.stdout.split()]
            mine = mine or sums
            self.assertEqual(len(sums), 5)
            for ours, theirs in zip(mine, sums):
                self.assertTrue(math.isclose(ours, theirs, rel_tol=1e-4), (command, mine, sums))


if __name__ == "__main__":
    unittest.main()
