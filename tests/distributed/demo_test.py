"""demos/run distributed: the same weights for any number of ranks, also if one was killed and all
went on from the checkpoint; and one sentence about whatever goes wrong."""

import csv
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TREE = pathlib.Path(sys.argv.pop())
PROGRAM = sys.argv.pop()
SMALL = {"--model": "transformer", "--text": str(TREE / "README.md"), "--batch": "8"}

# Its sentences about a rank: its number, or a set of them.
SILENT = r"rank %s on \S+, in step %s: has not been heard of for %s s"
KILLED = (r"(rank %s on \S+, in step 1: was ended by signal 9 .*"
          "|a rank ended before mpirun knew which, in step 1)")


class Demo(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.checkpoint = self.folder / "stepgrad-output/distributed.checkpoint"

    def processes(self):
        """The ranks that run: their numbers and process ids."""
        ranks = {}
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                rank = re.search(rb"(?:^|\0)OMPI_COMM_WORLD_RANK=(\d+)\0",
                                 (process / "environ").read_bytes())
                if rank and os.readlink(process / "cwd") == str(self.folder):
                    ranks[int(rank[1])] = int(process.name)
            except OSError:  # it has ended
                pass
        return ranks

    def start(self, *options, **environment):
        small = [word for pair in SMALL.items() if pair[0] not in options for word in pair]
        job = subprocess.Popen([PROGRAM, *small, *options], cwd=self.folder, text=True,
                               env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(job.kill)
        return job

    def run_demo(self, *options, **environment):
        with self.start(*options, **environment) as job:
            out, error = job.communicate(timeout=100)
            return job.returncode, out, error

    def weights(self, *options, **environment):
        code, out, error = self.run_demo(*options, **environment)
        self.assertEqual((code, error), (0, ""))
        return re.search("weights: ([0-9a-f]{16}), (for any number of ranks|of all three)\n", out)[1]

    def start_with_mpirun(self, *lines, options=()):
        """Another mpirun, of these lines."""
        program = self.folder / "mpirun"
        program.write_text("\n".join(("#!/bin/sh", *lines, "")))
        program.chmod(0o755)
        return self.start(*options, PATH=f"{self.folder}:{os.environ['PATH']}")

    def stop_in_mpi(self, ranks, *options):
        """While MPI starts: it has a thread of its own."""
        job = self.start("--ranks", "3", *options)
        for rank in ranks:
            while not (process := self.processes().get(rank)) or len(
                    os.listdir(f"/proc/{process}/task")) < 2:
                time.sleep(0.001)
            os.kill(process, signal.SIGSTOP)
        return job

    def assert_fails(self, job, says, code=1):
        """In one sentence, and nothing is left."""
        with job:
            out, error = job.communicate(timeout=100)
        self.assertEqual(job.returncode, code, out + error)
        self.assertRegex(error, r"\Adistributed: %s\.?\n\Z" % says)
        self.assert_nothing_is_left()

    def assert_nothing_is_left(self):
        deadline = time.monotonic() + 10
        while self.processes() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual(self.processes(), {})

    def wait_for_checkpoint(self):
        before = self.checkpoint.stat().st_mtime_ns if self.checkpoint.exists() else 0
        for _ in range(10_000):
            if self.checkpoint.exists() and self.checkpoint.stat().st_mtime_ns != before:
                return
            time.sleep(0.005)
        self.fail("no checkpoint was written")


class SameBits(Demo):
    def test_any_number_of_ranks_and_threads_and_ways_to_send(self):
        one = self.weights("--ranks", "1", "--steps", "10", "--threads", "2")
        self.assertEqual(self.weights("--steps", "10", "--no-overlap", "--bucket-kb", "0"), one)
        for ranks in "2", "3", "4", "8":
            self.assertEqual(self.weights("--ranks", ranks, "--steps", "10", "--bucket-kb", "7",
                                          "--compare"), one)

    def test_the_character_model_and_more_micro_batches_than_examples(self):
        for ranks, *options in (("3", "--model", "characters", "--micro-batches", "3"),
                                ("4", "--batch", "5", "--micro-batches", "7")):
            one, more = (self.weights("--ranks", n, "--steps", "4", *options) for n in ("1", ranks))
            self.assertEqual(one, more)


class Pictures(Demo):
    def test_the_timeline_shows_each_rank(self):
        self.weights("--ranks", "3", "--steps", "4", "--bucket-kb", "100",
                     "--timeline", "trace.json")
        events = json.loads((self.folder / "trace.json").read_text())["traceEvents"]
        names = [event["args"]["name"] for event in events if event["name"] == "process_name"]
        self.assertEqual([name.split(" on ")[0] for name in names], ["rank 0", "rank 1", "rank 2"])
        for rank, own in (0, 3), (1, 3), (2, 2):  # of eight micro-batches
            lanes = {}
            for event in events:
                if event["ph"] == "X" and event["pid"] == rank:
                    lanes.setdefault(event["tid"], []).append(event)
            self.assertEqual(len(lanes[0]), 4 * own)
            self.assertGreater(sum(event["dur"] for event in lanes[0]), 1e3)  # microseconds
            threads = {event["tid"]: event["args"]["name"] for event in events
                       if event["name"] == "thread_name" and event["pid"] == rank}
            self.assertEqual((threads[0], threads[1], threads[3]), ("computes", "waits", "sends bucket 1"))
            self.assertGreater(len(lanes), 4)
            for lane in lanes.values():
                ends = [event["ts"] + event["dur"] for event in lane]
                for end, after in zip(ends, lane[1:]):
                    self.assertLessEqual(end, after["ts"] + 0.002)

    def test_three_ways_to_send_are_compared(self):
        code, out, error = self.run_demo("--compare", "--steps", "3", "--bucket-kb", "100")
        self.assertEqual((code, error), (0, ""))
        rows = re.findall(r"^    (at once|in buckets).* (\d+) +([\d.]+) +[\d.]+ +([\d.]+)$", out, re.M)
        self.assertEqual([row[0] for row in rows], ["at once", "in buckets", "in buckets"])
        self.assertEqual(rows[0][1], "1")
        self.assertGreater(int(rows[1][1]), 3)
        self.assertRegex(out, r"(?s)alpha = .*come\s+into\s+rank\s+0\s+1\s+times")
        with open(self.folder / "stepgrad-output/distributed.csv", newline="") as file:
            for row, drawn in zip(rows, csv.DictReader(file), strict=True):
                self.assertAlmostEqual(float(drawn["waits"]), float(row[3]), delta=0.06)
                self.assertAlmostEqual(float(drawn["computes"]) + float(drawn["waits"]), float(row[2]), delta=0.06)


class Faults(Demo):
    def test_killed_then_resumed_by_another_number(self):
        options = "--steps", "600", "--every", "10"  # which do not end before a slow test kills
        undisturbed = self.weights(*options)
        self.checkpoint.unlink()
        resume = ()
        for ranks, rank in (3, 2), (2, 1), (3, 0):
            job = self.start("--ranks", str(ranks), *options, *resume)
            self.wait_for_checkpoint()
            os.kill(self.processes()[rank], signal.SIGKILL)
            began = time.monotonic()
            self.assert_fails(
                job, rf"rank {rank} on \S+, in step \d+: was ended by signal 9 \(Killed\), which "
                r"the kernel sends, too, when memory runs out; demos/run distributed .*--ranks \d "
                r".*--resume goes on after step \d+")
            self.assertLess(time.monotonic() - began, 30)
            resume = ("--resume",)
        self.assertEqual(self.weights("--ranks", "4", *options, "--resume"), undisturbed)

    def test_killed_at_once(self):
        for rank in 1, 0:
            job = self.start("--ranks", "2", "--steps", "100000", "--every", "100000")
            while rank not in self.processes():
                time.sleep(0.002)
            os.kill(self.processes()[rank], signal.SIGKILL)
            self.assert_fails(job, KILLED % rank + "; nothing was saved yet: .* begins anew")

    def test_mpirun_knows_no_rank(self):
        trace = "[here:1] PMIX ERROR: UNREACHABLE in file x.c at line 388"
        self.assert_fails(
            self.start_with_mpirun(
                "cat >&2 << end", *[trace] * 1000, "[" + "x" * 100_000, "---",
                "Primary job  terminated normally, but 1 process returned",
                "a non-zero exit code. Per user-direction, the job has been aborted.",
                "---", "end", "exit 1"),
            "a rank ended before mpirun knew which, in step 1; nothing was saved yet: .*")

    def test_mpirun_never_ends(self):
        self.assert_fails(
            self.start_with_mpirun("echo 'mpirun noticed that process rank 1 with PID 0 on node "
                                   "here exited on signal 9 (Killed).' >&2", "exec sleep 1000"),
            "rank 1 on here, in step 1: was ended by signal 9 .*")

    def wait_for_output(self, job):
        self.assertIn("README.md", job.stdout.readline())

    def test_silent(self):
        for stopped in [1], [0, 1]:
            job = self.start("--ranks", "2", "--steps", "100000", "--every", "1", "--timeout", "1")
            self.wait_for_checkpoint()  # it is in a step then
            for rank in stopped:
                os.kill(self.processes()[rank], signal.SIGSTOP)
            self.assert_fails(job, SILENT % (stopped, r"\d+", 1) + "; .*")

    def test_out_of_memory(self):
        limits = resource.getrlimit(resource.RLIMIT_DATA)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_DATA, limits)
        resource.setrlimit(resource.RLIMIT_DATA, (300 << 20, limits[1]))
        _, _, error = self.run_demo("--ranks", "2", "--batch", "8000", "--micro-batches", "2")
        if "ThreadSanitizer" in error:
            self.skipTest("ThreadSanitizer itself needs more memory")
        self.assertRegex(error, r"\Adistributed: rank [01] on \S+, in step 1: ran out of memory; "
                         "nothing was saved yet: demos/run distributed .* begins anew.\n\\Z")
        self.assert_nothing_is_left()

    def test_interrupted_or_killed_itself(self):
        job = self.start("--ranks", "2", "--steps", "100000")
        self.wait_for_output(job)
        job.send_signal(signal.SIGINT)
        self.assert_fails(job, r"interrupted in step \d+; .*")
        with self.start("--ranks", "2", "--steps", "100000") as job:
            self.wait_for_output(job)
            job.kill()
        self.assert_nothing_is_left()

    def test_another_training_is_not_resumed(self):
        self.weights("--steps", "2")
        self.assert_fails(
            self.start("--steps", "3", "--resume"),
            r"rank 0 on \S+: stepgrad-output/distributed.checkpoint: it is of 2 steps of --model "
            r"transformer .*, and not of 3 steps of .*; the checkpoint is as it was, for demos/run "
            r".* --resume")
        resume = "--steps", "2", "--resume"
        self.checkpoint.write_bytes(self.checkpoint.read_bytes()[:-100])
        self.assert_fails(self.start(*resume), r"rank 0 on \S+: .*checkpoint.*")
        self.checkpoint.unlink()
        self.assert_fails(self.start(*resume), r"rank 0 on \S+: .*checkpoint.*")

    def test_hosts(self):
        hosts = self.folder / "hosts"
        self.assert_fails(self.start("--hosts", "none"), "none: .*", code=2)
        hosts.write_text("nowhere.invalid slots=2\n")
        self.assert_fails(self.start("--hosts", "hosts"),
                          "mpirun cannot start ranks there: .*nowhere.invalid.*")
        hosts.write_text("a ? b\n")
        self.assert_fails(self.start("--hosts", "hosts"),
                          r"(\S*/)?hosts: line 1 is not of the form NAME slots=N; .*")
        hosts.write_text("localhost slots=2\n")
        # Open MPI 5 has a word about networks that it cannot use, be it for itself.
        self.weights("--hosts", "hosts", "--steps", "2", OMPI_MCA_btl_tcp_if_include="lo")

    def test_impossible_options_are_refused(self):
        self.assert_fails(self.start("--ranks", "9"),
                          "9 ranks have only 8 micro-batches to share out.*", code=2)
        self.assert_fails(self.start("--model", "other"), ".*--model.*", code=2)
        self.assert_fails(self.start(PATH="/nowhere"), "mpirun is not installed.*", code=2)
        self.assert_fails(self.start("--text", "none"), r"rank 0 on \S+: .*none.*")
        self.assert_fails(self.start("--checkpoint", "/proc/x", "--steps", "2"),
                          r"rank 0 on \S+, in step 2: /proc/x.*")


class Starts(Demo):
    """Faults before the ranks have heard of each other."""

    def start_with_accident(self, ranks, accident):
        """These ranks, a shell's pattern, are a shell at first, to which this happens."""
        return self.start_with_mpirun(
            "for word; do", f'  [ "$word" != {PROGRAM} ] || set -- "$@" sh -c \\',
            f"""    'case $OMPI_COMM_WORLD_RANK in {ranks}) {accident} ;; esac; exec "$0" "$@"'""",
            '  set -- "$@" "$word"; shift', "done", f'exec {shutil.which("mpirun")} "$@"',
            options=("--ranks", "3", "--timeout", "1"))

    def test_before_main(self):
        never = "the start has waited 1 s for rank "
        for ranks, accident, says in (
                ("1", "kill -STOP $$", SILENT % (1, 1, 1)),
                ("?", "kill -STOP $$", SILENT % ("[012]", 1, 1)),
                ("2", "sleep 1000", never + "2"),
                ("?", "sleep 1000", never + "0, rank 1, rank 2"),
                ("0", "exit 0", rf"({never}0|rank 0 on \S+, in step 1: ended without a word)"),
                ("1", "exit 3", f"({KILLED % 1}|rank 1, in step 1: ended with exit code 3)"),
                ("1", "kill -KILL $$", KILLED % 1)):
            with self.subTest(accident=accident, ranks=ranks):
                self.assert_fails(self.start_with_accident(ranks, accident),
                                  says + "; nothing was saved yet: .* begins anew")

    def test_in_mpi(self):
        for ranks in [2], [0, 1, 2]:
            self.assert_fails(self.stop_in_mpi(ranks, "--timeout", "1"),
                              SILENT % (ranks, r"\d+", 1) + "; .*")

    def test_mpirun_is_stopped(self):
        self.assert_fails(self.start_with_mpirun("kill -STOP $$", options=("--timeout", "1")),
                          "mpirun, in step 1: has not been heard of for 1 s; .*")


if __name__ == "__main__":
    unittest.main()
