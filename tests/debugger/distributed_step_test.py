"""demos/run distributed --step RANK: gdb is at that rank's first reduction, and the others wait."""

import contextlib
import re
import subprocess
import tempfile
import unittest

from session import TREE, on_cpu, require


class Step(unittest.TestCase):
    def train(self, *options, commands=""):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [TREE / "demos/run", "distributed", "--text", TREE / "README.md", "--batch", "2",
                "--micro-batches", "2", "--steps", "2", "--step", *options],
                cwd=folder, input=commands, text=True, timeout=300, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def weights(self, output):
        return re.search("weights: ([0-9a-f]{16})", output)[1]

    def test_it_stands_at_the_first_reduction_and_changes_nothing(self):
        # One rank sends nothing.
        undisturbed = self.weights(self.train("0", "--ranks", "1", commands="quit\n"))
        for rank, kind in (0, "receive"), (1, "send"):
            with on_cpu("amx_tile") if rank else contextlib.nullcontext():  # world_.rank() is a call
                output = self.train(str(rank), commands="print move.kind\nprint world_.rank()\n"
                    "print world_.step\nbt\ncontinue\nquit\n")
            self.assertIn("DistributedDataParallel::begin_move (", output)
            self.assertRegex(output, r"= .*Move::%s\b" % kind)
            self.assertIn(f"$2 = {rank}\n", output)
            self.assertIn("$3 = 1\n", output)
            self.assertRegex(output, r"in stepgrad::backward|Tensor::backward")
            self.assertEqual(self.weights(output), undisturbed)


require("gdb")
unittest.main()
