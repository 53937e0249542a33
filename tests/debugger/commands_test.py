"""Debuggers' commands, without a debugger: core/debug/stepgrad_commands.py."""

import pathlib
import sys
import unittest

TREE = pathlib.Path(sys.argv.pop())
sys.path.insert(0, str(TREE / "core/debug"))

import stepgrad_commands as commands
import stepgrad_read


class Alone(unittest.TestCase):
    """Commands that need no program."""

    def test_are_called_as_their_functions_and_summed_up_in_their_first_sentence(self):
        self.assertEqual([commands.name_of(each) for each in commands.LOOKING],
                         "tape tensors grad explain why-nan heatmap save-trace".split())
        self.assertEqual(commands.summary("x Y: one\n  and more. And 1.5 more. End"), "x Y: one and more.")

    def test_next_backward_refuses_a_count_below_one(self):
        for text, times in (("", 1), ("1", 1), ("12", 12), ("+3", 3)):
            self.assertEqual(commands.destination(None, text)[0], times)
        for text in ("0", "-1"):
            with self.assertRaisesRegex(stepgrad_read.Problem, "by 1 gradient or more"):
                commands.destination(None, text)


if __name__ == "__main__":
    unittest.main()
