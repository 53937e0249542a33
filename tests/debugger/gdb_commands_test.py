"""gdb's answers to stepgrad's commands, and to mistakes."""

import re
import unittest

import both
import session
from both import BROKEN
from session import SECOND, STEP, at_backward, gdb

IN_TENSORS = ["break marker", "run", "up"]


class Commands(both.Gdb, both.Commands, unittest.TestCase):
    def test_break_op_stops_in_the_op_and_in_its_gradient(self):
        output = gdb(STEP, "break-op matmul", "run", "continue", "continue", "continue")
        self.assertEqual(re.findall(r"Breakpoint \d+, stepgrad::(\S+) ", output),
                         ["matmul", "matmul", "MatmulBackward::backward",
                          "MatmulBackward::backward"])

    def test_where_a_breakpoint_is_too_the_frame_is_shown_once(self):
        output = at_backward("break-op mul", "break stepgrad_backward_step", "nb", "nb")
        places = re.findall(r"stepgrad::(\w+)::backward \(this", output)
        self.assertEqual(places, ["MeanBackward", "MulBackward"])

    def test_at_is_an_element_to_print_to_set_and_to_watch(self):
        output = gdb(SECOND, *IN_TENSORS, "print $at(vector, 1)", "set var $at(vector, 1) = 5",
                     "print $at(vector, -2)", "print $at(vector, 3)", "print $at(number, 0)")
        self.assertIn("$1 = 2", output)
        self.assertIn("$2 = 5", output)
        self.assertIn("$at: index 3 is outside f32[3]", output)
        self.assertIn("$at: this is no tensor but of type int", output)

    def test_a_watch_on_a_gradient_stops_where_it_is_written(self):
        output = gdb(STEP, "set can-use-hw-watchpoints 0",  # not every machine has them
                     "tbreak " + BROKEN, "print $grad(x)", "run", "nb x",  # near: it goes by single steps
                     "watch -l $at($grad(x), 1, 2)", "continue", "bt",
                     "frame function main", "watch $at(x, 0, 0)", "delete", "set can-use-hw-watchpoints 1",
                     "watch *(int*)&stepgrad_debug_abi", "continue")
        self.assertIn("New value = nan(0x400000)", output.replace("-nan", "nan"))
        self.assertRegex(output, r"#\d .*AccumulateGrad::backward \(this=leaf 'x' \[3, 4\]")
        self.assertRegex(output, r"(?i)watchpoint \d+: \$at\(x, 0, 0\)")
        self.assertIn("exited normally]\nThe watch never stopped. If it should have", output)

    def test_bad_finds_nan(self):
        output = gdb(SECOND, *IN_TENSORS, "print $bad(nan)", "print $bad(vector)")
        self.assertIn("$1 = 1", output)
        self.assertIn("$2 = 0", output)


class BadInput(both.Gdb, both.BadInput, unittest.TestCase):
    of_5 = "explain: 5 is no tensor but of type int"

    def test_a_script_that_is_there_already_skips_nothing_twice(self):
        output = at_backward(session.LOAD, "info skip")
        self.assertEqual(output.count("^std::"), 1)

    def test_a_program_without_stepgrad(self):
        output = gdb("/bin/true", "tape", scripts=session.SOURCED)
        self.assertIn("tape: this program is not linked with stepgrad", output)

    def test_gdb_names_the_line_that_lets_the_script_in(self):
        output = session.run(["gdb", "-nx", "-batch", str(STEP)])
        self.assertIn("add-auto-load-safe-path %s" % STEP, output)


if __name__ == "__main__":
    session.require("gdb")
    unittest.main()
