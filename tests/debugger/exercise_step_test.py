"""demos/run exercise NAME --gdb or --lldb: the debugger stands in the student's own function."""

import pathlib
import re
import subprocess
import tempfile
import unittest

from session import TREE, needs

PRINTS = 'std::cout << "mine: " << B << std::endl;'


class Step(unittest.TestCase):
    def exercise(self, debugger, commands):
        """What it says of a new file, and then of one in which the student prints a tensor."""
        with tempfile.TemporaryDirectory() as folder:
            for own in ("", PRINTS):
                file = pathlib.Path(folder) / "stepgrad-exercises/mul_backward.cpp"
                if own:
                    gap = rf"\1    {own}\n    a.add_grad(dY * B);\n"
                    file.write_text(re.sub("( *// YOUR TURN.*\n)", gap, file.read_text()))
                done = subprocess.run([TREE / "demos/run", "exercise", "mul_backward", f"--{debugger}"], cwd=folder,
                    input=commands, text=True, timeout=300, stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT)
                self.assertNotIn("error", done.stdout.lower())
                yield done.stdout

    def check(self, debugger, commands):
        new, own = self.exercise(debugger, commands)
        for said in new, own:
            self.assertRegex(said, r"MyMulBackward::backward ?\(\s*this=.*my_mul #\d+ (?s:.*?) at mul_backward\.cpp:\d+")
            self.assertRegex(said, r"(?m)^b +edge to \[")
            self.assertNotIn(" 1 is ", said)  # an answer, which only the check reads
        self.assertIn("mine: tensor(", own)

    @needs("gdb")
    def test_in_gdb(self):
        self.check("gdb", "tensors\nnext\nnext\ncontinue\nkill\nquit\n")

    @needs("lldb")
    def test_in_lldb(self):
        self.check("lldb", "tensors\nnext\nnext\ncontinue\nprocess kill\nquit\n")


unittest.main()
