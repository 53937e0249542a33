"""Several ranks train what one would, bit by bit; and what happens to one of them is said."""

import os
import pathlib
import re
import subprocess
import sys
import time
import unittest

TREE = pathlib.Path(sys.argv.pop())
PROGRAM = sys.argv.pop()
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "--mca",
          "btl_vader_single_copy_mechanism", "none", "--mca", "btl", "^tcp"]


def ranks(n, *options, threads=1, other=None, environment={}, **more):
    """What `n` ranks said, and their exit code. The last rank may have another environment."""
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OMPI_ALLOW_RUN_AS_ROOT="1",
                       OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", **environment)
    options += tuple("%s=%s" % item for item in more.items())
    command = MPIRUN + ["-n", str(n)]
    if other:  # not by ":", at which the mpirun of Open MPI 5.0.7 crashes
        last = '[ "$OMPI_COMM_WORLD_RANK" != %d ] || export %s; exec "$@"' % (n - 1, other)
        command += ["sh", "-c", last, "sh"]
    command += [PROGRAM, *options]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=100)
    return done


def left_behind():
    found = subprocess.run(["pgrep", "-f", "^%s( |$)" % re.escape(PROGRAM)], stdout=subprocess.PIPE,
                           text=True)
    return found.stdout.split()


class WhatOneComputes(unittest.TestCase):
    """Each rank compares, with plain loops and with what it computes alone."""

    def agrees(self, n, *options, **environment):
        done = ranks(n, *options, **environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_any_number_of_ranks(self):
        for n in (1, 2, 3, 5):
            self.agrees(n)

    def test_a_slow_rank(self):
        self.agrees(3, "[.slow]", environment={"TIMEOUT": "4"})


class SameBits(unittest.TestCase):
    def trained(self, n, **options):
        done = ranks(n, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"^[0-9a-f]{16} \S+\n$")
        return done.stdout

    def test_any_number_of_ranks(self):
        one = self.trained(1)
        for n in (2, 3, 4, 8):
            self.assertEqual(self.trained(n), one, n)

    def test_threads_buckets_and_overlap(self):
        one = self.trained(1, threads=2)
        self.assertEqual(self.trained(1, overlap=0), one)
        self.assertEqual(self.trained(2, threads=2), one)
        for bucket in (0, 0.001):
            self.assertEqual(self.trained(3, bucket=bucket), one, bucket)
        self.assertEqual(self.trained(3, overlap=0, bucket=0), one)

    def test_unequal_and_missing_data(self):
        for batch, micro_batches, n in ((5, 8, 4), (1, 2, 4), (7, 3, 2), (11, 6, 4)):
            one = self.trained(1, batch=batch, micro_batches=micro_batches)
            self.assertEqual(self.trained(n, batch=batch, micro_batches=micro_batches), one)

    def test_many_steps_leave_nothing_on_the_tape_and_in_memory(self):
        self.assertEqual(self.trained(2, steps=1000), self.trained(1, steps=1000))


class Faults(unittest.TestCase):
    def fails(self, n, *says, **options):
        began = time.monotonic()
        done = ranks(n, **options)
        self.assertLess(time.monotonic() - began, 30)
        self.assertNotEqual(done.returncode, 0)
        for said in says:
            self.assertRegex(done.stderr, said)
        for _ in range(100):
            if not left_behind():
                break
            time.sleep(0.1)
        self.assertEqual(left_behind(), [])

    def test_killed(self):
        for rank in range(3):
            self.fails(3, r"(?s)rank %d .*signal 9" % rank, kill=rank, when=2 + rank)

    def test_silent(self):
        for rank in range(3):
            self.fails(3, r"rank %d on \S+, in step 3: has not been heard of for 5 s" % rank, hang=rank,
                       when=3, timeout=5)

    def test_silent_before_it_said_where_it_runs(self):
        # Rarely both have said it before one of them waits.
        self.fails(2, r"rank \d on (a host not known yet|\S+), in step 0: has not been heard of for 1e-09 s",
                   timeout=1e-9)

    def test_an_exception(self):
        self.fails(2, r"rank 1 on \S+, in step 3: something is wrong with the data", when=3,
                   **{"throw": 1})

    def test_an_exception_that_leaves_the_scope(self):
        self.fails(3, r"rank 1 on \S+, in step 3: an exception leaves the scope of nn::Distributed", when=3,
                   escape=1, **{"throw": 1})

    def test_a_gradient_that_comes_twice(self):
        self.fails(2, r"rank 1 on \S+, in step 1: DistributedDataParallel: micro-batch 7 has added to the "
                   r"gradient of '\S*' twice: take overlap = false", twice=1)

    def test_other_weights(self):
        self.fails(3, r"rank 2 on \S+ has weights of hash [0-9a-f]+, and rank 0 on \S+ has weights of",
                   other_weights=2)

    def test_another_version(self):
        self.fails(2, r"rank 1 on \S+ has stepgrad 0.0.1, and rank 0 on \S+ has stepgrad",
                   other_version=1)
        self.fails(2, r"rank 1 on \S+ has SIMD kernels scalar", other="STEPGRAD_SIMD=scalar")

    def test_a_loss_of_two_numbers(self):
        self.fails(3, r"rank 2 on \S+, in step 1: DistributedDataParallel: a loss of \[2\] is not a single "
                   "number", two_losses=2)

    def test_bad_options(self):
        self.fails(2, "0 micro-batches are not at least one", micro_batches=0)
        self.fails(2, "a batch of 0 examples", batch=0)


if __name__ == "__main__":
    unittest.main()
