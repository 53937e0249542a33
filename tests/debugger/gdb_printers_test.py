"""gdb's output for tensors, good and bad: in the second program, and in a core file."""

import pathlib
import re
import tempfile
import unittest

import session
from expected import LINES, PROBLEMS, VIEWS
from session import SECOND, STEP, at_backward, gdb

IN_TENSORS = ["break marker", "run", "up"]


class Printers(unittest.TestCase):
    def test_print_shows_all_there_is(self):
        prints = sum((["echo == %s\\n" % name, "print " + name] for name in VIEWS), [])
        parts = re.split(r"== (\w+)\n", gdb(SECOND, *IN_TENSORS, *prints))
        for name, said in zip(parts[1::2], parts[2::2]):
            with self.subTest(name):
                self.assertRegex(said, r"^\$\d+ = Tensor ")
                self.assertIn(VIEWS[name], said)

    def test_tensors_has_a_line_for_each(self):
        lines = gdb(SECOND, *IN_TENSORS, "tensors")
        for name, text in [*LINES.items(), *PROBLEMS.items()]:
            self.assertRegex(lines, r"(?m)^%s +%s$" % (name, re.escape(text)))
        self.assertRegex(lines, r"(?m)^later +line \d+ has not run yet$")
        self.assertNotRegex(lines, r"(?m)^number +f32")

    def test_lists_can_have_one_line_for_each_too(self):
        lines = gdb(SECOND, *IN_TENSORS, "set stepgrad-oneline on", "info locals")
        for name, text in [*LINES.items(), *PROBLEMS.items()]:
            self.assertIn("\n%s = %s\n" % (name, text), lines)

    def test_half_a_billion_bytes_print_within_a_second(self):
        output = gdb(SECOND, *IN_TENSORS, "python import time; start = time.process_time()",
                     "print large", "python print('TOOK', time.process_time() - start)")
        took = float(re.search(r"TOOK ([\d.]+)", output)[1])
        print("gdb: 2^27 elements print in %.2f s" % took)
        self.assertLess(took, 3)  # a second, where nothing else runs

    def test_they_never_call_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            core = pathlib.Path(folder) / "core"
            at_backward("generate-core-file %s" % core)
            output = gdb(STEP, "print x", "tape", "tensors", "next-backward", "check-grad x",
                         options=["-core", str(core)])
        self.assertIn("Tensor f32[3, 4] 'x' leaf\n", output)
        self.assertRegex(output, r"#1 +matmul")
        self.assertRegex(output, r"(?m)^loss +f32\[\] 'loss' <- mean #11$")
        for command in ("next-backward", "check-grad"):
            self.assertIn(command + ": this is a core file: nothing runs in it", output)


if __name__ == "__main__":
    session.require("gdb")
    unittest.main()
