"""A training gives the same bits with any number of threads, again and again. (soak.py kills it.)"""

import os
import pathlib
import subprocess
import sys
import unittest

PROGRAM = sys.argv[-2]
sys.argv[-2:] = []
STEPS = 50


def flags():
    path = pathlib.Path("/proc/cpuinfo")
    return path.read_text().split() if path.exists() else []


def train(**environment):
    done = subprocess.run([PROGRAM, str(STEPS)], text=True, capture_output=True, env=dict(os.environ, **environment))
    assert done.returncode == 0, done.stderr
    return done.stdout


class Training(unittest.TestCase):
    def test_any_number_of_threads_and_any_repeat_give_the_same_bits(self):
        sets = [name for name, flag in (("sse2", "sse2"), ("avx2", "avx2"), ("avx512", "avx512f"))
            if flag in flags()]
        for kernels in sets or [""]:
            results = {train(STEPGRAD_SIMD=kernels, OMP_NUM_THREADS=threads)
                for threads in "112348"}
            self.assertEqual(len(results), 1, f"{kernels}: {results}")


unittest.main()
