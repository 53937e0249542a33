"""Where `step` leads in gdb, and how many it takes, on two programs."""

import re
import unittest

import both
import session
from session import FORWARD, SECOND, STEP, TREE, at_backward, gdb, line_of

STEPS = "source %s" % (TREE / "tests/debugger/steps.py")


class Steps(both.Gdb, both.Steps, unittest.TestCase):
    most = 4

    def count_steps(self, program, place, goal):
        return self.ask(program, place, STEPS, "python count_steps(step_in_gdb, %r, %r)"
                        % (str(TREE), goal)).all

    def every_step(self, program):
        return self.ask(program, "main", STEPS, "python every_step(step_in_gdb, %r, lambda: "
                        "gdb.execute('finish', to_string=True))" % str(TREE)).all

    def test_next_backward_walks_a_pass_that_is_recorded_and_the_one_that_follows(self):
        text = "const Tensor slope = grad("
        output = gdb(SECOND, "tbreak second.cpp:%d" % line_of("tests/debugger/second.cpp", text), "run",
                     *["next-backward"] * 7)
        self.assertEqual(re.findall(r"^#0  stepgrad::(\w+::\w+) ", output, re.M), [
            "SumBackward::backward", "MatmulBackward::backward_by_ops", "AccumulateGrad::backward",
            "SumBackward::backward", "MulBackward::backward", "AddBackward::backward",
            "MatmulBackward::backward"])
        self.assertRegex(output, r"this=matmul #\d+ .* called at matmul.cpp:\d+, in matmul #1's gradient")

    def test_a_backtrace_in_a_kernel_has_6_frames_with_ops_and_lines(self):
        output = at_backward("tbreak stepgrad::kernels::scalar::matmul_tn", "continue", "bt")
        frames = re.findall(r"^#\d.*", output, re.M)
        self.assertEqual(len(frames), 6)
        for frame, text in zip(frames, (
                r"scalar::matmul_tn \(s=\[8, 4\], 3 terms each, ",
                r"stepgrad::matmul_tn \(.*A=f32\[3, 8\], B=f32\[3, 4\]\)",
                r"MatmulBackward::backward \(this=matmul #7 \(#6 .*, from step.cpp:%d, dY=f32\[3, 4\]\) at " % FORWARD)):
            self.assertRegex(frame, text)

    def test_a_loop_over_elements_is_one_frame_of_a_line_and_not_left_for_each_of_them(self):
        output = gdb(STEP, "tbreak stepgrad::kernels::scalar::add", "run", *["step"] * 20)
        frames = re.findall(r"(?m)^stepgrad::.* at .*$", output)
        self.assertEqual(len(frames), 1)
        self.assertLess(len(frames[0].split(" at ")[0]), 150)
        self.assertGreater(output.count("y[i] = f(*a, *b);"), 3)


if __name__ == "__main__":
    session.require("gdb")
    unittest.main()
