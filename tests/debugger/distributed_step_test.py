"""demos/run distributed --step RANK: gdb is at that rank's first reduction, and the others wait."""

import contextlib
import re
import subprocess
import tempfile
import unittest

from session import BUILD, TREE, on_cpu, require

PROGRAM = BUILD / "bin/distributed"


class Step(unittest.TestCase):
    def train(self, *options, commands=""):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [PROGRAM, "--model", "transformer", "--text", TREE / "README.md", "--batch", "2",
                 "--micro-batches", "2", "--steps", "2", "--bucket-kb", "100", *options],
                cwd=folder, input=commands, text=True, timeout=300, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def weights(self, output):
        return re.search("weights: ([0-9a-f]{16})", output)[1]

    def test_it_stands_at_the_first_reduction_and_changes_nothing(self):
        undisturbed = self.weights(self.train())
        for rank, kind in (0, "receive"), (1, "send"):
            with on_cpu("amx_tile") if rank else contextlib.nullcontext():  # world_.rank() is a call
                output = self.train("--step", str(rank), commands="print move.kind\nprint "
                                    "world_.rank()\nprint world_.step\nbt\ncontinue\nquit\n")
            self.assertIn("DistributedDataParallel::begin_move (", output)
            self.assertRegex(output, r"= .*Move::%s\b" % kind)
            self.assertIn(f"$2 = {rank}\n", output)
            self.assertIn("$3 = 1\n", output)
            self.assertRegex(output, r"in stepgrad::backward|Tensor::backward")
            self.assertEqual(self.weights(output), undisturbed)

    def test_a_rank_that_there_is_not(self):
        done = subprocess.run([PROGRAM, "--step", "2"], text=True, stderr=subprocess.PIPE)
        self.assertEqual(done.stderr, "distributed: there is no rank 2 among 2, which begin with 0.\n")


if __name__ == "__main__":
    require("gdb")
    unittest.main()
