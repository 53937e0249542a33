"""demos/run python --gdb FILE: from a script's backward() to the line of a gradient, and back."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from session import TREE, require, skip

require("numpy")
if not shutil.which("gdb"):
    skip("there is no gdb")

SCRIPT = """import stepgrad.torch
import torch
w = torch.ones(2, 2, requires_grad=True)
y = torch.ones(3, 2) @ w
y.sum().backward()
print(w.grad.tolist())
"""


class Gdb(unittest.TestCase):
    def session(self, *commands):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "mine.py"
            script.write_text(SCRIPT)
            done = subprocess.run([TREE / "demos/run", "python", "--gdb", script], text=True,
                input="\n".join(commands) + "\n", capture_output=True)
        return done.stdout

    def test_one_step_leads_from_the_hook_to_the_gradient(self):
        said = self.session("step", "bt 3", "continue", "quit")
        self.assertIn("stepgrad::SumBackward::backward", said)
        self.assertIn("mine.py:5", said)
        self.assertIn("[[3.0, 3.0], [3.0, 3.0]]", said)

    def test_it_steps_forward_and_back(self):
        said = self.session("tape", "next-backward", "next-backward", "bt 1", "prev-backward", "bt 1",
            "continue", "quit")
        self.assertRegex(said, r"=>  #2  sum .*mine.py:5")
        forth, back = [m.start() for m in re.finditer("MatmulBackward::backward", said)][0], \
            [m.start() for m in re.finditer("SumBackward::backward", said)][-1]
        self.assertLess(forth, back)
        self.assertIn("[[3.0, 3.0], [3.0, 3.0]]", said)


unittest.main()
