"""lldb's output, its steps to gradients and their number, and its commands."""

import pathlib
import re
import tempfile
import unittest

import session
from expected import LINES, PROBLEMS, VIEWS, check_order, check_tapes
from session import BACKWARD, FORWARD, SECOND, STEP, TREE, answers, line_of, lldb

IN_TENSORS = ["breakpoint set --name marker", "run", "up"]
COUNTING = "command script import %s" % (TREE / "tests/debugger/lldb_steps.py")


def at_backward(*commands):
    return lldb(STEP, "breakpoint set -o true -f step.cpp -l %d" % BACKWARD, "run", *commands)


def steps(program, file, line, goal):
    """How many `step`s lead from a line to the first line of the function `goal`."""
    output = lldb(program, "breakpoint set -f %s -l %d" % (file, line), "run", COUNTING,
                  "count_steps " + goal)
    count = int(re.search(r"(\d+) steps to the goal", output)[1])
    print("lldb, %s, from line %d to %s: %d steps" % (file, line, goal, count))
    return count


class Steps(unittest.TestCase):
    def test_from_backward_to_a_gradient_in_at_most_5(self):
        self.assertLessEqual(steps(STEP, "step.cpp", BACKWARD, "MeanBackward::backward"), 5)

    def test_on_the_second_program_too(self):
        line = line_of("tests/debugger/second.cpp", "loss.backward();")
        self.assertLessEqual(steps(SECOND, "second.cpp", line, "SumBackward::backward"), 5)

    def test_from_the_network_to_the_scalar_kernel_of_matmul_in_at_most_8(self):
        self.assertLessEqual(steps(STEP, "step.cpp", FORWARD, "kernels::scalar::matmul"), 8)

    def test_no_step_lands_outside_of_our_lines_or_in_a_handle(self):
        for program in (STEP, SECOND):
            output = lldb(program, "breakpoint set -o true -n main", "run", COUNTING, "every_step")
            print("lldb, %s:" % program.name, re.search(r"\d+ steps on \d+ lines", output)[0])
            self.assertIn("ALL STEPS OURS", output)


class Printers(unittest.TestCase):
    def test_print_shows_all_there_is(self):
        said = answers(lldb(SECOND, *IN_TENSORS, *("print " + name for name in VIEWS)))
        for name, view in VIEWS.items():
            with self.subTest(name):
                self.assertRegex(said["print " + name], "^Tensor ")
                self.assertIn(view, said["print " + name])

    def test_lists_have_a_line_for_each(self):
        said = answers(lldb(SECOND, *IN_TENSORS, "tensors", "frame variable"))
        for name, text in [*LINES.items(), *PROBLEMS.items()]:
            line = re.escape(text)
            self.assertRegex(said["tensors"], r"(?m)^%s +%s$" % (name, line))
            shown = line if name in LINES else "<%s>" % line
            self.assertRegex(said["frame variable"], r"(?m)\) %s = (0x\w+ )?%s$" % (name, shown))
        self.assertRegex(said["tensors"], r"(?m)^later +line \d+ has not run yet$")

    def test_an_ide_finds_rows_and_elements(self):
        variable = "script print(lldb.frame.FindVariable('%s')"
        count, second = variable + ".GetNumChildren())", variable + ".GetChildAtIndex(1))"
        counts = {"vector": 3, "cube": 6, "row": 2, "none": 0, "freed": 0}
        said = answers(lldb(SECOND, *IN_TENSORS, *(count % name for name in counts),
                            second % "vector", second % "cube", second % "row"))
        self.assertEqual([int(said[count % name]) for name in counts], [*counts.values()])
        self.assertEqual(said[second % "vector"], "(float) [1] = 2\n")
        self.assertEqual(said[second % "row"], "(float) [1] = 4\n")
        self.assertRegex(said[second % "cube"], r"^\(float\[4\]\) \[1\] = ")

    @session.needs("gdb")
    def test_they_never_call_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            core = pathlib.Path(folder) / "core"
            session.at_backward("generate-core-file %s" % core)
            said = answers(lldb(STEP, "target create %s --core %s" % (STEP, core), "print x",
                                "tape", "next-backward"))
        self.assertIn("Tensor f32[3, 4] 'x' leaf\n", said["print x"])
        self.assertRegex(said["tape"], r"#1 +matmul")
        self.assertEqual(said["next-backward"],
                         "error: next-backward: this is a core file: nothing runs in it\n")

    def test_half_a_billion_bytes_print_within_a_second(self):
        said = answers(lldb(SECOND, *IN_TENSORS, "script import time; start = time.process_time()",
                            "print large", "script print(time.process_time() - start)"))
        took = float(said["script print(time.process_time() - start)"])
        print("lldb: 2^27 elements print in %.2f s" % took)
        self.assertLess(took, 1)


class Commands(unittest.TestCase):
    def test_tape_marks_gradients_that_ran_and_the_current_one(self):
        output = at_backward("tape", "next-backward", "nb", "nb", "tape")
        first, last = re.findall(r"\(lldb\) tape\n([^(]*op .*?)\(lldb\)", output, re.S)
        check_tapes(self, first, last)

    def test_next_backward_goes_through_every_gradient_to_the_end(self):
        output = at_backward(*["next-backward"] * 30)
        places = re.findall(r"^frame #0.*stepgrad::(\w+)::backward", output, re.M)
        check_order(self, places)
        self.assertIn("the program has ended", output)

    def test_grad_of_names_variables_and_numbers(self):
        said = answers(at_backward("nb", "nb", "nb", "grad #10", "grad w1", "grad ffn.w1"))
        self.assertIn("gradient of mul #10: passed on and not kept", said["grad #10"])
        self.assertIn("gradient of leaf 'w1' [4, 8]: none yet", said["grad w1"])
        self.assertEqual(said["grad ffn.w1"], said["grad w1"])

    def test_save_trace_writes_a_page_and_leaves_all_as_it_was(self):
        with tempfile.TemporaryDirectory() as folder:
            said = answers(at_backward("break-op matmul", "nb", "save-trace %s/p.html" % folder,
                                       "nb", "grad w1", "save-trace %s/no/p.html" % folder,
                                       "save-trace", "save-trace p.html w1"))
            page = (pathlib.Path(folder) / "p.html").read_text()
        self.assertIn("the tape behind mean #11 written to", said["save-trace %s/p.html" % folder])
        self.assertIn('"op":"matmul"', page)
        self.assertIn("gradient of leaf 'w1' [4, 8]: none yet", said["grad w1"])
        self.assertIn("p.html: cannot be written", said["save-trace %s/no/p.html" % folder])
        self.assertIn("to which file?", said["save-trace"])
        self.assertIn("w1 is a leaf", said["save-trace p.html w1"])

    def test_check_grad_compares_with_central_differences_from_runs_of_the_program(self):
        broken = line_of("demos/step/step.cpp", "broken.backward();")
        said = answers(lldb(STEP, "breakpoint set -f step.cpp -l %d" % broken, "run",
                            "check-grad w1"))
        self.assertRegex(said["check-grad w1"], r"^gradient of leaf 'w1' \[4, 8\], and central "
                         r"differences of mean #11 from \d+ runs of the program\n")
        self.assertRegex(said["check-grad w1"], r"they agree to 2 % of the largest gradient, [\d.]+\n$")


class BadInput(unittest.TestCase):
    def test_before_the_program_runs_and_after(self):
        early = answers(lldb(STEP, "tape", "next-backward", "tensors", "grad w1", "print x"))
        late = answers(lldb(STEP, "run", "tape"))
        for said in (early["tape"], late["tape"]):
            self.assertEqual(said, "error: tape: the program is not running: type run first\n")
        self.assertIn("next-backward: the program is not running", early["next-backward"])
        self.assertIn("tensors: the program is not running", early["tensors"])

    def test_before_anything_is_recorded_and_after_the_tape_is_freed(self):
        early = answers(lldb(STEP, "breakpoint set --name main", "run", "tape", "why-nan"))
        self.assertEqual(early["tape"], "error: tape: nothing has been recorded yet\n")
        late = answers(lldb(SECOND, "breakpoint set --name marker", "run", "continue", "tape",
                            "explain table"))
        self.assertEqual(late["tape"],
                         "error: tape: the tape is empty: all that was recorded has been freed\n")

    def test_a_name_that_ends_within_a_letter(self):
        line = line_of("tests/debugger/second.cpp", "steepness.backward();")
        said = lldb(SECOND, "breakpoint set -f second.cpp -l %d" % line, "run", "print u")
        self.assertIn("제곱행렬" * 6, said)
        self.assertNotIn("Traceback", said)

    def test_values_that_are_no_tensor_are_named(self):
        said = answers(lldb(SECOND, *IN_TENSORS, "grad number", "explain 5", "grad undefined",
                            "grad nothing", "grad", "grad vector", "break-op matmull", "break-op",
                            "print nothing"))
        for command, sentence in (
                ("grad number", "grad: number is no tensor but of type int"),
                ("explain 5", "explain: there is no '5' here, nor on the tape"),
                ("grad undefined", "grad: undefined is undefined"),
                ("grad nothing", "grad: there is no 'nothing' here, nor on the tape"),
                ("grad", "grad: of which tensor? For instance: w1, ffn.w1, dY, #3"),
                ("grad vector", "grad: vector requires no gradient"),
                ("break-op matmull", "break-op: this program has no op named matmull"),
                ("break-op", "break-op: which op? For instance: break-op matmul")):
            self.assertEqual(said[command], "error: %s\n" % sentence)
        self.assertIn("use of undeclared identifier 'nothing'", said["print nothing"])

    def test_loading_the_script_twice_does_no_harm(self):
        script = "command script import -r %s" % (TREE / "core/debug/stepgrad_lldb.py")
        said = answers(at_backward(script, "print x", "bt"))
        self.assertEqual(said[script], "")
        self.assertIn("Tensor f32[3, 4] 'x' leaf\n", said["print x"])
        self.assertEqual(said["bt"].count("frame #"), 1)

    def test_another_version_of_the_layout(self):
        said = answers(at_backward("script import stepgrad_read; stepgrad_read.ABI = 99", "tape",
                                   "print x", "frame variable x"))
        for command in ("tape", "print x", "frame variable x"):
            self.assertIn("this script reads layout 99 of stepgrad's structs, and the program has "
                          "layout", said[command])


if __name__ == "__main__":
    session.require("lldb")
    unittest.main()
