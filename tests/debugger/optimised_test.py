"""gdb and lldb on an optimised program with the library as it is installed: only what debuggers read
has debug information, no op and no kernel."""

import re
import tempfile
import unittest

import session
from session import BUILD, SOURCED, TREE, answers, gdb, lldb, needs

PROGRAM = """import sys
sys.path[:0] = %s
import stepgrad.torch as torch
w = torch.ones(2, 2, requires_grad=True)
(w * 2).sum().backward()
"""
SECOND = BUILD / "tests/debugger/second_optimised"


class Optimised(unittest.TestCase):
    @needs("gdb")
    def test_gdb(self):
        output = gdb(SECOND, "set environment LD_PRELOAD " + session.elsewhere(self),
            "break stepgrad_backward_step", "run", "bt", "tape",
            "frame function main", "tensors", "print table", "print *table.node()", "next-backward",
            "break-op mul", "continue", "continue", "delete 2-4", "nb w", "tape 1", "print w", "print w[0].sum()", "explain w", "tbreak marker", "run", "up", "tensors", scripts=SOURCED)
        self.assertNotIn("RTTI symbol", output)
        self.assertIn("stepgrad_backward_step (node=sum #13 (#12 [2, 3]) called at ", output)
        self.assertRegex(output, r"(?m)^=> +#13 +sum +#12 \[2, 3\]")
        self.assertIn("Tensor f32[5, 4] 'table' leaf\n  [[1, 1, 1, 1],\n", output)
        self.assertIn("  grad: none yet\n", output)
        self.assertIn("=>  #2  batched_matmul", output)  # some gradients on, without a ledger
        self.assertRegex(output, r"(?m)^table +f32\[5, 4\] 'table' leaf, grad: none yet$")
        self.assertNotIn("tensors: ", output)  # one that is optimised out spoils no list
        for op, formula in ("sum #13", "dX = "), ("mul #12", "dA = "):
            self.assertRegex(output, r"Backward::backward.*\n%s .* called at second.cpp:\d+\n  %s" % (op, formula))
        self.assertIn("Tensor f32[2, 4, 3] 'w' leaf\n  [[[1, 1, 1],\n", output)
        self.assertRegex(output, "(?m)^12$")
        self.assertIn("explain: no ledger of [2, 4, 3] was kept: call set_ledger(true), and then", output)

    @needs("lldb")
    def test_lldb(self):  # which does not find the variables of g++'s optimised functions
        said = answers(lldb(SECOND, "breakpoint set -n stepgrad_backward_step", "run", "tape",
            "grad table", "next-backward", "breakpoint delete 1", "break-op mul", "continue", "breakpoint delete -f", "nb w"))
        self.assertRegex(said["tape"], r"(?m)^=> +#13 +sum +#12 \[2, 3\]")
        self.assertEqual(said["grad table"], "gradient of leaf 'table' [5, 4]: none yet\n")
        self.assertIn("SumBackward::backward", said["next-backward"])
        self.assertIn("BatchedMatmulBackward", said["nb w"])  # some gradients on, without a ledger
        self.assertRegex(said["continue"], r"mul #12 .* called at second.cpp:\d+\n  dA = ")

    @needs("gdb")
    @unittest.skipUnless([*BUILD.glob("python/_stepgrad*.so")], "the Python module is not built")
    def test_a_backtrace_in_a_program_that_python_runs(self):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write(PROGRAM % [str(BUILD / "python"), str(TREE / "demos/python")])
            file.flush()
            output = gdb("/usr/bin/python3", "set breakpoint pending on", "break stepgrad_backward_step",
                "run " + file.name, "echo == bt\\n", "bt", "echo == all\\n", "bt -no-filters",
                "echo == off\\n", "disable frame-filter global stepgrad", "bt", scripts=SOURCED)
        few, all_of_them, off = (re.findall(r"(?m)^#\d+ .*", part)
            for part in re.split("== (?:bt|all|off)\n", output)[1:])
        self.assertEqual([re.search(r"(\w+) \(", frame)[1] for frame in few],
            ["stepgrad_backward_step", "run_backward", "backward_of", "backward"])
        self.assertGreater(len(all_of_them), 15)
        self.assertEqual(len(off), len(all_of_them))


unittest.main()
