"""A training gives the same bits with any number of threads, again and again, and though it is
killed at any moment."""

import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = sys.argv[-2]
sys.argv[-2:] = []
STEPS = 50


def flags():
    path = pathlib.Path("/proc/cpuinfo")
    return path.read_text().split() if path.exists() else []


def train(*arguments, **environment):
    done = subprocess.run([PROGRAM, str(STEPS), *arguments], text=True, capture_output=True,
                          env=dict(os.environ, **environment))
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

    def test_a_training_that_is_killed_again_and_again_ends_where_one_ends_that_is_not(self):
        moment = random.Random(int(time.time()))
        with tempfile.TemporaryDirectory() as folder:
            undisturbed = train(f"{folder}/undisturbed")
            kills = 0
            while True:
                run = subprocess.Popen([PROGRAM, str(STEPS), f"{folder}/killed"], text=True,
                                       stdout=subprocess.PIPE)
                try:
                    out, _ = run.communicate(timeout=moment.uniform(0.05, 0.5) * (1 + kills / 4))
                    break
                except subprocess.TimeoutExpired:
                    run.kill()
                    run.communicate()
                    kills += 1
            print(kills, "kills", file=sys.stderr)
            self.assertEqual(run.returncode, 0)
            self.assertEqual(out, undisturbed)


if __name__ == "__main__":
    unittest.main()
