"""lldb's output, its steps to gradients and their number, and its commands."""

import unittest

import both
import session
from session import SECOND, STEP, TREE, line_of

STEPS = "command script import %s" % (TREE / "tests/debugger/steps.py")


class Steps(both.Lldb, both.Steps, unittest.TestCase):
    most = 5

    def count_steps(self, program, place, goal):
        return self.ask(program, place, STEPS, "steps count %s %s" % (TREE, goal)).all

    def every_step(self, program):
        return self.ask(program, "main", STEPS, "steps every %s" % TREE).all


class Printers(both.Lldb, both.Printers, unittest.TestCase):
    def test_an_ide_finds_rows_and_elements(self):
        variable = "script print(lldb.frame.FindVariable('%s')"
        count, second = variable + ".GetNumChildren())", variable + ".GetChildAtIndex(1))"
        counts = {"vector": 3, "cube": 6, "row": 2, "none": 0, "freed": 0, "large": 100}
        said = self.in_tensors(*(count % name for name in counts),
            *(second % name for name in ("vector", "cube", "row")))
        self.assertEqual([int(said[count % name]) for name in counts], [*counts.values()])
        self.assertEqual(said[second % "vector"], "(float) [1] = 2\n")
        self.assertEqual(said[second % "row"], "(float) [1] = 4\n")
        self.assertRegex(said[second % "cube"], r"^\(float\[4\]\) \[1\] = ")


class Commands(both.Lldb, both.Commands, unittest.TestCase):
    pass


class BadInput(both.Lldb, both.BadInput, unittest.TestCase):
    of_5 = "explain: there is no '5' here, nor on the tape"

    def test_after_the_program_has_ended_and_a_name_that_is_nowhere(self):
        said = session.answers(session.lldb(STEP, "run", "tape"))
        self.assertEqual(said["tape"], "error: tape: the program is not running: type run first\n")
        said = self.in_tensors("print nothing")
        self.assertIn("use of undeclared identifier 'nothing'", said["print nothing"])

    def test_a_name_that_ends_within_a_letter(self):
        line = line_of("tests/debugger/second.cpp", "steepness.backward();")
        said = self.ask(SECOND, "second.cpp:%d" % line, "print u").all
        self.assertIn("제곱행렬" * 6, said)
        self.assertNotIn("Traceback", said)


session.require("lldb")
unittest.main()
