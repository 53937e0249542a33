"""demos/run distributed: the same weights for any number of ranks, also if one was killed and all
went on from the checkpoint; and one sentence about whatever goes wrong."""

import csv
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TREE = pathlib.Path(sys.argv.pop())
PROGRAM = sys.argv.pop()
SMALL = {"--model": "transformer", "--text": str(TREE / "README.md"), "--batch": "8"}


def processes():
    """The ranks that run: their numbers and process ids."""
    found = subprocess.run(["pgrep", "-f", "^%s( |$)" % re.escape(PROGRAM)], stdout=subprocess.PIPE,
                           text=True)
    ranks = {}
    for pid in found.stdout.split():
        try:
            environment = pathlib.Path("/proc", pid, "environ").read_bytes()
        except OSError:  # it has ended
            continue
        rank = re.search(rb"\0OMPI_COMM_WORLD_RANK=(\d+)\0", environment)
        if rank:
            ranks[int(rank[1])] = int(pid)
    return ranks


class Demo(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.checkpoint = self.folder / "stepgrad-output/distributed.checkpoint"

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
        return re.search("weights: ([0-9a-f]{16}), for any number of ranks", out)[1]

    def assert_fails(self, code_out_error, says, code=1):
        """In one sentence, and nothing is left."""
        self.assertEqual(code_out_error[0], code, code_out_error)
        self.assertRegex(code_out_error[2], r"\Adistributed: %s\.?\n\Z" % says)
        deadline = time.monotonic() + 10
        while processes() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual(processes(), {})

    def wait_for_checkpoint(self):
        before = self.checkpoint.stat().st_mtime_ns if self.checkpoint.exists() else 0
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if self.checkpoint.exists() and self.checkpoint.stat().st_mtime_ns != before:
                return
            time.sleep(0.005)
        self.fail("no checkpoint was written")


class SameBits(Demo):
    def test_any_number_of_ranks_and_threads(self):
        one = self.weights("--ranks", "1", "--steps", "30", "--threads", "2")
        for ranks in "2", "3", "4", "8":
            self.assertEqual(self.weights("--ranks", ranks, "--steps", "30"), one, ranks)
        self.assertEqual(self.weights("--steps", "30", "--threads", "2", "--bucket-kb", "7"), one)
        self.assertEqual(self.weights("--steps", "30", "--no-overlap", "--bucket-kb", "0"), one)

    def test_the_character_model(self):
        options = "--model", "characters", "--steps", "4", "--micro-batches", "3"
        self.assertEqual(self.weights("--ranks", "1", *options), self.weights("--ranks", "3", *options))

    def test_more_micro_batches_than_examples(self):
        options = "--steps", "4", "--batch", "5", "--micro-batches", "7"
        self.assertEqual(self.weights("--ranks", "1", *options), self.weights("--ranks", "4", *options))


class Pictures(Demo):
    def test_the_timeline_shows_what_each_rank_did(self):
        self.weights("--ranks", "3", "--steps", "4", "--bucket-kb", "100", "--timeline", "trace.json")
        events = json.loads((self.folder / "trace.json").read_text())["traceEvents"]
        names = [event["args"]["name"] for event in events if event["name"] == "process_name"]
        self.assertEqual([name.split(" on ")[0] for name in names], ["rank 0", "rank 1", "rank 2"])
        for rank, own in (0, 3), (1, 3), (2, 2):  # of eight micro-batches
            lanes = {}
            for event in events:
                if event["ph"] == "X" and event["pid"] == rank:
                    lanes.setdefault(event["tid"], []).append(event)
            self.assertEqual(len(lanes[0]), 4 * own)
            self.assertGreater(len(lanes), 4)
            for lane in lanes.values():
                ends = [event["ts"] + event["dur"] for event in lane]
                for end, after in zip(ends, lane[1:]):
                    self.assertLessEqual(end, after["ts"] + 0.002)

    def test_three_ways_to_send_are_compared(self):
        code, out, error = self.run_demo("--compare", "--steps", "3", "--bucket-kb", "100")
        self.assertEqual((code, error), (0, ""))
        rows = re.findall(r"^    (at once|in buckets).* (\d+)( +[\d.]+){3}$", out, re.M)
        self.assertEqual([row[0] for row in rows], ["at once", "in buckets", "in buckets"])
        self.assertEqual(rows[0][1], "1")
        self.assertGreater(int(rows[1][1]), 3)
        self.assertRegex(out, "weights: [0-9a-f]{16}, of all three\n")
        self.assertRegex(out, r"(?s)alpha = .*come\s+into\s+rank\s+0\s+1\s+times")
        with open(self.folder / "stepgrad-output/distributed.csv", newline="") as file:
            self.assertEqual(len(list(csv.DictReader(file))), 3)


class Faults(Demo):
    def test_killed_then_resumed_by_another_number(self):
        options = "--steps", "400", "--every", "10"
        undisturbed = self.weights(*options)
        self.checkpoint.unlink()
        resume = ()
        for ranks, rank in (3, 2), (2, 1), (3, 0):
            job = self.start("--ranks", str(ranks), *options, *resume)
            self.wait_for_checkpoint()
            os.kill(processes()[rank], signal.SIGKILL)
            began = time.monotonic()
            out, error = job.communicate(timeout=100)
            self.assertLess(time.monotonic() - began, 10)
            self.assert_fails(
                (job.returncode, out, error),
                rf"rank {rank} on \S+, in step \d+: was ended by signal 9 \(Killed\), which the "
                r"kernel sends, too, when memory runs out; demos/run distributed .*--ranks \d "
                r".*--resume goes on after step \d+")
            resume = ("--resume",)
        self.assertEqual(self.weights("--ranks", "4", *options, "--resume"), undisturbed)

    def test_killed_at_once(self):
        for rank in 1, 0:
            job = self.start("--ranks", "2", "--steps", "100000", "--every", "100000")
            while rank not in processes():
                time.sleep(0.002)
            os.kill(processes()[rank], signal.SIGKILL)
            out, error = job.communicate(timeout=30)
            self.assert_fails((job.returncode, out, error), rf"(rank {rank} on \S+, in step 1: was ended "
                              r"by signal 9 .*|a rank ended before mpirun knew which, in step 1); "
                              r"nothing was saved yet: .* begins anew")

    def run_with_mpirun(self, *lines):
        program = self.folder / "mpirun"
        program.write_text("\n".join(("#!/bin/sh", *lines, "")))
        program.chmod(0o755)
        return self.run_demo(PATH=f"{self.folder}:{os.environ['PATH']}")

    def test_mpirun_knows_no_rank(self):
        self.assert_fails(
            self.run_with_mpirun(
                "cat >&2 << end", *["[here:1] PMIX ERROR: UNREACHABLE in file x.c at line 388"] * 1000,
                "[" + "x" * 100_000, "---",
                "Primary job  terminated normally, but 1 process returned",
                "a non-zero exit code. Per user-direction, the job has been aborted.", "---", "end",
                "exit 1"),
            "a rank ended before mpirun knew which, in step 1; nothing was saved yet: .*")

    def test_mpirun_never_ends(self):
        self.assert_fails(
            self.run_with_mpirun("echo 'mpirun noticed that process rank 1 with PID 0 on node here "
                                 "exited on signal 9 (Killed).' >&2", "exec sleep 1000"),
            "rank 1 on here, in step 1: was ended by signal 9 .*")

    def test_silent(self):
        job = self.start("--ranks", "2", "--steps", "100000", "--timeout", "2")
        self.wait_for_output(job)
        os.kill(processes()[1], signal.SIGSTOP)
        out, error = job.communicate(timeout=30)
        self.assert_fails((job.returncode, out, error),
                          r"rank 1 on \S+, in step \d+: has not been heard of for 2 s; .*")

    def wait_for_output(self, job):
        self.assertIn("README.md", job.stdout.readline())

    def test_out_of_memory(self):
        limit = 300 << 20
        self.addCleanup(resource.setrlimit, resource.RLIMIT_DATA, resource.getrlimit(resource.RLIMIT_DATA))
        resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.getrlimit(resource.RLIMIT_DATA)[1]))
        done = self.run_demo("--ranks", "2", "--batch", "8000", "--micro-batches", "2")
        if "ThreadSanitizer" in done[2]:
            self.skipTest("ThreadSanitizer itself needs more memory")
        self.assert_fails(done,
                          r"rank [01] on \S+, in step 1: ran out of memory; nothing was saved yet: "
                          r"demos/run distributed .* begins anew")

    def test_interrupted_or_killed_itself(self):
        job = self.start("--ranks", "2", "--steps", "100000")
        self.wait_for_output(job)
        job.send_signal(signal.SIGINT)
        out, error = job.communicate(timeout=30)
        self.assert_fails((job.returncode, out, error), r"interrupted in step \d+; .*")
        job = self.start("--ranks", "2", "--steps", "100000")
        self.wait_for_output(job)
        job.kill()
        job.communicate()
        self.assert_fails((1, "", "distributed: .\n"), "")  # none stays behind

    def test_another_training_is_not_resumed(self):
        self.weights("--steps", "2")
        self.assert_fails(
            self.run_demo("--steps", "3", "--resume"),
            r"rank 0 on \S+: stepgrad-output/distributed.checkpoint: it is of 2 steps of --model "
            r"transformer .*, and not of 3 steps of .*; the checkpoint is as it was, for demos/run .* "
            r"--resume")
        self.checkpoint.write_bytes(self.checkpoint.read_bytes()[:-100])
        self.assert_fails(self.run_demo("--steps", "2", "--resume"), r"rank 0 on \S+: .*checkpoint.*")
        self.checkpoint.unlink()
        self.assert_fails(self.run_demo("--steps", "2", "--resume"), r"rank 0 on \S+: .*checkpoint.*")

    def test_hosts(self):
        hosts = self.folder / "hosts"
        self.assert_fails(self.run_demo("--hosts", "none"), "none: .*", code=2)
        hosts.write_text("nowhere.invalid slots=2\n")
        self.assert_fails(self.run_demo("--hosts", "hosts"),
                          "mpirun cannot start ranks there: .*nowhere.invalid.*")
        hosts.write_text("a ? b\n")
        self.assert_fails(self.run_demo("--hosts", "hosts"),
                          r"(\S*/)?hosts: line 1 is not of the form NAME slots=N; .*")
        hosts.write_text("localhost slots=2\n")
        # Open MPI 5 has a word about networks that it cannot use, be it for itself.
        self.weights("--hosts", "hosts", "--steps", "2", OMPI_MCA_btl_tcp_if_include="lo")

    def test_what_is_impossible(self):
        self.assert_fails(self.run_demo("--ranks", "9"),
                          "9 ranks have only 8 micro-batches to share out.*", code=2)
        self.assert_fails(self.run_demo("--model", "other"), ".*--model.*", code=2)
        self.assert_fails(self.run_demo(PATH="/nowhere"), "mpirun is not installed.*", code=2)
        self.assert_fails(self.run_demo("--text", "none"), r"rank 0 on \S+: .*none.*")
        self.assert_fails(self.run_demo("--checkpoint", "/proc/x", "--steps", "2"),
                          r"rank 0 on \S+, in step 2: /proc/x.*")


if __name__ == "__main__":
    unittest.main()
