"""Several ranks train bitwise like one, and each fault is named."""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TREE = pathlib.Path(sys.argv.pop())
PROGRAM, *DIES = sys.argv[2:]
del sys.argv[2:]
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none"]  # and as demos/distributed/distributed.sh:
MPIRUN += "--mca btl_vader_single_copy_mechanism none --mca btl ^tcp,ofi --mca pml ob1".split()
MINE = "test=%d" % os.getpid()  # among the arguments of ranks that this process has started


@contextlib.contextmanager
def start(n, *options, other=None, rank=None, **more):
    """`n` ranks; `other` is a shell's command that changes one, the last. Names in capitals are for all of them."""
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
        **{"OMP_NUM_THREADS": "1", **{k: v for k, v in more.items() if k.isupper()}})
    options += tuple("%s=%s" % item for item in more.items() if not item[0].isupper())
    command = MPIRUN + ["-n", str(n)]
    if other:  # not by ":", at which the mpirun of Open MPI 5.0.7 crashes
        changed = '[ "$OMPI_COMM_WORLD_RANK" != %d ] || { %s; }; exec "$@"' % (n - 1 if rank is None else rank, other)
        command += ["sh", "-c", changed, "sh"]
    with subprocess.Popen([*command, PROGRAM, *options], env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE) as job:
        try:
            yield job
        finally:
            job.kill()


def ranks(n, *options, **more):
    """Their output, and exit code."""
    with start(n, *options, **more) as job:
        out, error = job.communicate(timeout=300)
        return job.returncode, out, error


def running(mine=MINE):
    found = subprocess.run(["pgrep", "-f", "^%s .*%s" % (re.escape(PROGRAM), mine)], text=True,
        stdout=subprocess.PIPE)
    return [int(process) for process in found.stdout.split()]


class WhatOneComputes(unittest.TestCase):
    """Each rank compares the ranks' results with what it computes alone."""

    def test_any_number_of_ranks(self):
        for n in 1, 2, 4, 5:
            code, out, error = ranks(n)
            self.assertEqual(code, 0, out + error)

    def test_slow_ranks_too(self):
        code, out, error = ranks(3, "[.slow],~[.slow]", TIMEOUT="1")
        self.assertEqual(code, 0, out + error)


class SameBits(unittest.TestCase):
    def test_any_number_of_ranks_and_threads(self):
        for steps, ways in (1000, [(1, 1, 60), (1, 2, 60), (2, 1, 0)]), (10, [(1, 1, 0), (3, 2, 60), (8, 1, 60)]):
            weights = set()
            for n, threads, timeout in ways:
                code, out, error = ranks(n, steps=steps, timeout=timeout, OMP_NUM_THREADS=str(threads))
                self.assertEqual((code, error), (0, ""))
                weights.add(re.fullmatch(r"[0-9a-f]{16} \S+\n", out)[0])
            self.assertEqual(len(weights), 1)


class Faults(unittest.TestCase):
    def fails(self, n, says, **options):
        began = time.monotonic()
        code, _, error = ranks(n, MINE, **options)
        self.assertLess(time.monotonic() - began, 30)
        self.assertNotEqual(code, 0)
        self.assertRegex(error, says)
        while running() and time.monotonic() - began < 40:
            time.sleep(0.1)
        self.assertEqual(running(), [])

    def test_silent(self):
        for rank, how in enumerate(("hang", "stop", "hang")):
            self.fails(3, r"rank %d on \S+, in step 3: has not been heard of for 1 s" % rank,
                timeout=1, **{how: rank})

    def test_silent_before_it_said_where_it_runs(self):
        self.fails(2, "rank 1 on an unknown host, in step 0: has not been heard of for 1 s",
            timeout=1, stop_early=1)

    def test_an_exception(self):
        self.fails(2, r"rank 1 on \S+, in step 3: something is wrong with the data", **{"throw": 1})

    def test_an_exception_that_leaves_the_scope(self):
        self.fails(3, r"rank 1 on \S+, in step 3: an exception leaves the scope of nn::Distributed",
            escape=1, **{"throw": 1})

    def test_a_gradient_that_comes_twice(self):
        for of, name in enumerate(("w1", "w2", "b1", "b2")):
            self.fails(2, r"rank 1 on \S+, in step 1: DistributedDataParallel: micro-batch 7 has added "
                "to the gradient of '%s' twice: use overlap = false" % name, twice=1, of=of)

    def test_other_kernels_or_timeout(self):
        self.fails(2, r"rank 1 on \S+ has SIMD kernels scalar", other="export STEPGRAD_SIMD=scalar")
        self.fails(3, r"rank 2 on \S+ has a timeout of 61 s, and rank 0 on \S+ has a timeout of 60 s",
            other='set -- "$@" timeout=61')

    def test_another_program(self):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(PROGRAM, folder + "/another")
            self.fails(3, r"rank 2 on \S+ has the program another, and rank 0 on \S+ has the program \w+",
                other=f'shift; set -- {folder}/another "$@"')
        foreign = ("import ctypes.util, time; ctypes.CDLL(ctypes.util.find_library('mpi'), 3).MPI_Init(None, None); "
            "time.sleep(100)")
        self.fails(2, r"rank 0 on \S+, in step 0: a rank is not in the first exchange: it is stopped, or another program",
            timeout=1, other=f'exec python3 -c "{foreign}"')


class Slow(unittest.TestCase):
    """A rank that is slow is not silent, though it takes longer than the timeout."""

    def trains_as_one(self, disturb, **options):
        _, undisturbed, _ = ranks(1, **options)
        held = subprocess.Popen(["sleep", "1000"])
        self.addCleanup(held.wait)
        self.addCleanup(held.kill)
        with start(3, MINE, timeout=1, outlives=held.pid, **options) as job:
            self.assertEqual(job.stdout.readline(), "they train\n")
            disturb()
            held.kill()
            held.wait()  # until then it has its number
            self.assertEqual((job.communicate(timeout=100), job.returncode), ((undisturbed, ""), 0))

    def test_stopped_for_a_moment_or_all_at_once(self):
        def disturb():
            everybody = running()
            for stopped, seconds in [(everybody, 2)] + [([rank], 0.6) for rank in everybody]:
                for number, pause in (signal.SIGSTOP, seconds), (signal.SIGCONT, 0.2):
                    for rank in stopped:
                        os.kill(rank, number)
                    time.sleep(pause)

        self.trains_as_one(disturb, steps=8000)

    def test_computing_while_others_take_nearly_all_of_the_machine(self):
        def disturb():
            for rank in running():
                for thread in os.listdir("/proc/%d/task" % rank):
                    os.setpriority(os.PRIO_PROCESS, int(thread), 19)
            for _ in range(4 * os.cpu_count()):
                busy = subprocess.Popen(["nice", "sh", "-c", "while :; do :; done"])
                self.addCleanup(busy.wait)
                self.addCleanup(busy.kill)

        self.trains_as_one(disturb, compute=1, when=8)


class Demo(unittest.TestCase):
    """demos/distributed/distributed.cpp, as distributed.sh calls it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.checkpoint = pathlib.Path(folder.name) / "checkpoint"
        self.small = ("--text", TREE / "README.md", "--batch", "8", "--checkpoint", self.checkpoint)

    def weights(self, n, *options, **environment):
        code, out, error = ranks(n, *self.small, *options, **environment)
        self.assertEqual((code, error), (0, ""))
        return re.search("weights: ([0-9a-f]{16}), for any number of ranks\n", out)[1]

    def refused(self, says, *options):
        """In one sentence, before there are ranks."""
        done = subprocess.run([PROGRAM, "--checkpoint", self.checkpoint, *options], text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"\Adistributed: %s\n\Z" % says)

    def test_ranks_with_other_options_are_told_apart(self):
        as_long = self.checkpoint.with_name("text")
        as_long.write_text((TREE / "README.md").read_text().replace("the", "eht"))
        all_of = {"--checkpoint": self.checkpoint, "--text": TREE / "README.md"}
        for option, value in ("--steps", "3"), ("--batch", "4"), ("--text", as_long):
            words = " ".join(f"{each} {given}" for each, given in (all_of | {option: value}).items())
            code, _, error = ranks(2, *(word for pair in all_of.items() for word in pair), other=f'set -- "$1" {words}')
            self.assertEqual(code, 1)
            self.assertRegex(error, rf"rank 1 on \S+ has {option} .*, and rank 0 on \S+ has {option} ")

    def test_killed_then_resumed_by_another_number(self):
        options = "--steps", "35", "--every", "10", "--bucket-kb", "1000"  # one broadcast a step
        undisturbed = self.weights(2, *options)
        self.checkpoint.unlink()

        def has_steps(n):
            self.refused(rf"\S+/checkpoint has {n} steps already", "--resume", *self.small[:2], "--steps", str(n))

        resume = ()
        for n, rank, broadcast, saved in (3, 2, 14, 10), (2, 1, 1, 10), (3, 0, 25, 30):
            code, _, error = ranks(n, *self.small, *options, *resume, rank=rank,
                other=f"export LD_PRELOAD={DIES[0]} DIES_IN={broadcast}")
            self.assertNotEqual(code, 0)
            self.assertRegex(error, rf"process rank {rank} with PID \d+ on node \S+ exited on\s+signal 9")
            self.assertEqual(running(self.checkpoint), [])
            has_steps(saved)
            resume = ("--resume",)
        self.assertEqual(self.weights(4, *options, *resume, "--no-overlap", OMP_NUM_THREADS="2"), undisturbed)
        has_steps(35)

    def test_what_cannot_be_is_refused(self):
        self.refused("9 ranks have only 8 micro-batches to share out", "--ranks", "9")
        self.refused("there is no rank 2 among 2, which begin with 0", "--step", "2")
        for ranks_of in ("8",), ("2", "--step", "1"):
            said = subprocess.run([PROGRAM, *self.small, "--ranks", *ranks_of], text=True, stdout=subprocess.PIPE)
            self.assertEqual((said.returncode, said.stdout), (0, ranks_of[0] + "\n"))
        self.refused("none: cannot be read", "--text", "none")
        self.refused(r"\S+/checkpoint: cannot be read", "--resume")
        self.weights(1, "--steps", "2")
        self.checkpoint.write_bytes(self.checkpoint.read_bytes()[:-100])
        self.refused(r"\S+/checkpoint: .*", "--resume")


unittest.main()
