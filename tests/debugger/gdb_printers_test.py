"""gdb's output for tensors, good and bad: in the second program, and in a core file."""

import re
import unittest

import both
import session


class Printers(both.Gdb, both.Printers, unittest.TestCase):
    seconds = 3  # one, where nothing else runs

    def test_lists_can_have_one_line_for_each_too(self):
        lines = self.in_tensors("set stepgrad-oneline on", "info locals")["info locals"]
        for name, text in [*both.LINES.items(), *both.PROBLEMS.items()]:
            self.assertRegex(lines, r"(?m)^%s = %s$" % (name, re.escape(text)))


if __name__ == "__main__":
    session.require("gdb")
    unittest.main()
