"""demos/run step: from nothing to the gradient of w1, with commands from a pipe."""

import shutil
import unittest

from session import BACKWARD, TREE, needs, run

TO_W1 = ["tape", "break-op matmul", "continue", "continue", "bt", "tensors", "quit"]


def demo(*options, commands=TO_W1):
    return run([TREE / "demos/run", "step", *options], "\n".join(commands).encode() + b"\n")


@unittest.skipUnless(shutil.which("dpkg-query"), "demos/run installs packages of Debian's only")
class RunStep(unittest.TestCase):
    def assert_at_w1(self, output):
        self.assertRegex(output, r"step.cpp:%d" % BACKWARD)
        start, hint, said = output.rpartition("demos/step/step.md walks through all of it.")
        self.assertRegex(start, r"\ntape shows .*\nIn a gradient: .*\n$")
        self.assertIn("#1   matmul        'x' [3, 4], 'w1' [4, 8]  [3, 8]", said)
        self.assertRegex(said, r"#3(:|  0x).*\bmain\W")
        self.assertNotRegex(said, r"#4(:|  0x)")
        self.assertRegex(said, r"MatmulBackward::backward ?\(\s*this=matmul #1 \('x' \[3, 4\], "
                               r"'w1' \[4, 8\]\) called at [^,]*, from step.cpp:\d+, dY=")
        self.assertRegex(said, r"b +edge to 'w1' \[4, 8\]")
        self.assertNotIn("rror", said)

    @needs("gdb")
    def test_gdb_reaches_the_gradient_of_w1_in_seven_commands(self):
        self.assert_at_w1(demo())

    @needs("lldb")
    def test_lldb_does_too(self):
        self.assert_at_w1(demo("--lldb"))

    def test_unknown_options_are_refused_in_a_sentence(self):
        self.assertEqual(demo("--ldb").count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
