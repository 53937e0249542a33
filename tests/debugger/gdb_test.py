"""gdb's output, its steps to gradients and their number, and its commands."""

import re
import unittest

import both
import session
from both import BROKEN
from session import FORWARD, SECOND, STEP, TREE, at_backward, gdb, line_of

STEPS = "source %s" % (TREE / "tests/debugger/steps.py")
IN_TENSORS = ["break marker", "run", "up"]


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
            *["next-backward"] * 6)
        self.assertEqual(re.findall(r"^#0  stepgrad::(\w+::\w+) ", output, re.M), [
            "SumBackward::backward", "MatmulBackward::backward_by_ops", "SumBackward::backward",
            "MulBackward::backward", "AddBackward::backward", "MatmulBackward::backward"])
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


class Printers(both.Gdb, both.Printers, unittest.TestCase):
    def test_numbers_that_cannot_be_are_named(self):
        whole = {"shape.dims_": 1, "shape.sizes_[0]": 3, "size": 3, "storage.p_->size": 3}
        spoilt = [  # as vector, f32[3], is changed: what is said of it
            ({"shape.dims_": 200}, "200 dimensions"), ({"shape.dims_": -3}, "-3 dimensions"),
            ({"shape.sizes_[0]": -1}, "sizes [-1]"),
            ({"shape.sizes_[0]": 4}, "[4] does not fit its storage"),
            ({name: 1 << 41 for name in ("shape.sizes_[0]", "size", "storage.p_->size")},
            "[2199023255552] does not fit its storage"),
            ({"data": "vector.impl_.p_->data + 1"}, "[3] does not fit its storage"),
            ({"data": "vector.impl_.p_->data - 2"}, "[3] does not fit its storage"),
            ({"data": "(float*)0x666", "storage.p_->data": "(float*)0x666"},
            "cannot access memory at address 0x666"),
            ({"refs": 0}, "0 owners")]
        commands = [["set var vector.impl_.p_->%s = %s" % each for each in {**whole, **change}.items()]
            + ["print vector"] for change, _ in spoilt]
        said = self.in_tensors(*sum(commands, []))
        for answer, (change, text) in zip(said.of["print vector"], spoilt, strict=True):
            with self.subTest(change):
                self.assertIn(text, answer)


class Commands(both.Gdb, both.Commands, unittest.TestCase):
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


session.require("gdb")
unittest.main()
