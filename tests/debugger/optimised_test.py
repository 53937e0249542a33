"""gdb and lldb on an optimised program with the library as it is installed: only what debuggers read
has debug information, no op and no kernel."""

import re
import unittest

from session import BUILD, SOURCED, answers, gdb, lldb, needs

SECOND = BUILD / "tests/debugger/second_optimised"


class Optimised(unittest.TestCase):
    @needs("gdb")
    def test_gdb(self):
        output = gdb(SECOND, "break stepgrad_backward_step", "run", "bt", "tape",
                     "frame function main", "tensors", "print table", "next-backward",
                     "explain w", "tbreak marker", "run", "up", "tensors", scripts=SOURCED)
        output = re.sub("warning: RTTI symbol not found.*\n", "", output)  # of an op's struct
        self.assertIn("stepgrad_backward_step (node=sum #13 (#12 [2, 3]) called at ", output)
        self.assertRegex(output, r"(?m)^=> +#13 +sum +#12 \[2, 3\]")
        self.assertIn("Tensor f32[5, 4] 'table' leaf\n  [[1, 1, 1, 1],\n", output)
        self.assertIn("  grad: none yet\n", output)
        self.assertRegex(output, r"(?m)^table +f32\[5, 4\] 'table' leaf, grad: none yet$")
        self.assertNotIn("tensors: ", output)  # one that is optimised out spoils no list
        self.assertIn("stepgrad::SumBackward::backward", output)
        self.assertIn("explain: no ledger was kept: call set_ledger(true), and then", output)

    @needs("lldb")
    def test_lldb(self):  # which does not find the variables of g++'s optimised functions
        said = answers(lldb(SECOND, "breakpoint set -n stepgrad_backward_step", "run", "tape",
                            "grad table", "next-backward"))
        self.assertRegex(said["tape"], r"(?m)^=> +#13 +sum +#12 \[2, 3\]")
        self.assertEqual(said["grad table"], "gradient of leaf 'table' [5, 4]: none yet\n")


if __name__ == "__main__":
    unittest.main()
