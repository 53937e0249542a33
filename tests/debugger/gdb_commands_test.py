"""gdb's answers to stepgrad's commands, and to mistakes."""

import json
import pathlib
import re
import struct
import tempfile
import unittest

import session
from expected import check_order, check_tapes
from session import BACKWARD, FORWARD, SECOND, STEP, at_backward, gdb, line_of

def tape_of(path):
    """The content of a page of trace's."""
    begin = '<script type="application/json" id="tape">'
    return json.loads(path.read_text().split(begin)[1].split("</script>")[0])


IN_TENSORS = ["break marker", "run", "up"]


class Commands(unittest.TestCase):
    def test_tape_marks_gradients_that_ran_and_the_current_one(self):
        output = at_backward("tape", "next-backward", "next-backward", "next-backward", "tape")
        first, last = output.split("op ")[1], output.split("op ")[-1]
        check_tapes(self, first, last)

    def test_next_backward_goes_through_every_gradient_to_the_end(self):
        output = at_backward(*["next-backward"] * 30)
        places = re.findall(r"^#0 .*stepgrad::(\w+)::backward", output, re.M)
        check_order(self, places)
        self.assertIn("exited normally", output)

    def test_prev_backward_restores_everything(self):
        output = at_backward("next-backward", "next-backward", "next-backward", "grad x",
                             "next-backward", "grad x", "prev-backward", "grad x", "tape",
                             "next-backward", "grad x")
        grads = re.findall(r"gradient of leaf 'x' \[3, 4\]: (.*)", output)
        self.assertEqual(grads[0], "none yet")
        self.assertIn("so far on its way", grads[1])
        self.assertEqual(grads[2], "none yet")
        self.assertEqual(grads[3], grads[1])
        self.assertRegex(output.split("op  ")[-1], r"=> +#9 +add")

    def test_prev_backward_at_the_start_and_outside(self):
        output = at_backward("prev-backward", "next-backward", "prev-backward")
        self.assertIn("prev-backward: no backward pass is running", output)
        self.assertIn("prev-backward: this is the first gradient", output)

    def test_break_op_stops_in_the_op_and_in_its_gradient(self):
        output = gdb(STEP, "break-op matmul", "run", "continue", "continue", "continue")
        self.assertEqual(re.findall(r"Breakpoint \d+, stepgrad::(\S+) ", output),
                         ["matmul", "matmul", "MatmulBackward::backward",
                          "MatmulBackward::backward"])

    def test_where_a_breakpoint_is_too_the_frame_is_shown_once(self):
        output = at_backward("break-op mul", "break stepgrad_backward_step", "nb", "nb")
        places = re.findall(r"stepgrad::(\w+)::backward \(this", output)
        self.assertEqual(places, ["MeanBackward", "MulBackward"])

    def test_next_backward_needs_a_positive_count(self):
        early = at_backward("nb 0", "nb -1")
        output = at_backward("nb", "nb 0", "nb -1", "nb 2", "tape")
        for said in (early, output):
            self.assertEqual(said.count("next-backward: it goes on by 1 gradient or more"), 2)
        self.assertNotIn("rror", early + output)
        self.assertRegex(output, r"=> +#9 +add")

    def test_print_shows_an_op_by_its_number(self):
        output = at_backward("print #3", "print #77", "print #")
        self.assertRegex(output, r"(?m)^clamp #3 \(#2 \[3, 8\]\) called at relu.cpp:\d+, from step.cpp:%d$"
                         % FORWARD)
        self.assertIn("print: there is no op #77 on the tape", output)
        self.assertIn("print: there is no op # on the tape", output)

    def test_grad_of_names_expressions_and_numbers(self):
        output = at_backward("next-backward", "next-backward", "grad ffn.w1", "grad w1", "grad #10",
                             "next-backward", "grad #10", "grad #77")
        self.assertIn("gradient of mul #10: passed on just now: dY", output)
        self.assertIn("grad: there is no op #77 on the tape", output)
        self.assertEqual(output.count("gradient of leaf 'w1' [4, 8]: none yet"), 2)
        self.assertIn("gradient of mul #10: passed on and not kept", output)

    def test_check_grad_compares_with_central_differences_from_runs_of_the_program(self):
        broken = line_of("demos/step/step.cpp", "broken.backward();")
        output = at_backward("check-grad w1", "nb w1", "check-grad w1", "tbreak step.cpp:%d" % broken,
                             "continue", "check-grad w1", "check-grad #3",
                             "set var $at(ffn.w1, 0, 0) = 9", "check-grad w1")
        self.assertIn("check-grad: no backward pass has reached leaf 'w1' [4, 8] yet", output)
        self.assertIn("check-grad: the gradient is not complete: matmul #1 has yet to run",
                      output)
        w1, clamp, again = output.split("gradient of ")[1:]
        rows = re.findall(r"\[(\d), (\d)\] +(\S+) +(\S+)\n", w1)
        self.assertGreaterEqual(len(rows), 5)
        for i, j, gradient, difference in rows:
            self.assertAlmostEqual(float(gradient), float(difference), delta=1e-3)
        self.assertIn("central differences of mean #11 from %d runs" % (2 * len(rows)), w1)
        largest = max(abs(float(gradient)) for _, _, gradient, _ in rows)
        self.assertIn("they agree to 2 %% of the largest gradient, %g\n" % largest, w1)
        self.assertIn("they agree", clamp)
        self.assertIn("they agree", again)  # the other runs know nothing of what was set here

    def test_why_nan_finds_the_op_that_made_it(self):
        broken = line_of("demos/step/step.cpp", "broken.backward();")
        output = gdb(STEP, "tbreak step.cpp:%d" % broken, "run", "why-nan", "echo == y\\n",
                     "why-nan y", "echo == broken\\n", "why-nan broken")
        anywhere, y, behind = re.split("== y|== broken", output)
        for found in (anywhere, behind):
            self.assertRegex(found, r"div #14 made it, called at step.cpp:%d"
                             % line_of("demos/step/step.cpp", "positive / sum"))
            self.assertIn("'positive' [3, 4]: 0 to 3\n", found)
            self.assertIn("#13 [3, 1]: 0 to 5.5\n", found)
        self.assertIn("made a NaN or Inf", y)

    def test_that_there_is_no_nan_ends_no_script(self):
        with tempfile.NamedTemporaryFile("w", suffix=".gdb") as script:
            script.write("why-nan\necho and on\\n\n")
            script.flush()
            output = at_backward("source " + script.name)
        self.assertIn("no op on the tape made a NaN or Inf\nand on\n", output)

    def test_at_is_an_element_to_print_to_set_and_to_watch(self):
        output = gdb(SECOND, *IN_TENSORS, "print $at(vector, 1)", "set var $at(vector, 1) = 5",
                     "print $at(vector, -2)", "print $at(vector, 3)", "print $at(number, 0)")
        self.assertIn("$1 = 2", output)
        self.assertIn("$2 = 5", output)
        self.assertIn("$at: index 3 is outside f32[3]", output)
        self.assertIn("$at: this is no tensor but of type int", output)

    def test_a_watch_on_a_gradient_stops_where_it_is_written(self):
        broken = line_of("demos/step/step.cpp", "broken.backward();")
        output = gdb(STEP, "set can-use-hw-watchpoints 0",  # not every machine has them
                     "tbreak step.cpp:%d" % broken, "print $grad(x)", "run",
                     "watch -l $at($grad(x), 1, 2)", "continue", "bt",
                     "frame function main", "watch $at(x, 0, 0)")
        self.assertIn("New value = nan(0x400000)", output.replace("-nan", "nan"))
        self.assertRegex(output, r"#\d .*AccumulateGrad::backward \(this=leaf 'x' \[3, 4\]")
        self.assertRegex(output, r"(?i)watchpoint \d+: \$at\(x, 0, 0\)")

    def test_bad_finds_nan(self):
        output = gdb(SECOND, *IN_TENSORS, "print $bad(nan)", "print $bad(vector)")
        self.assertIn("$1 = 1", output)
        self.assertIn("$2 = 0", output)

    def test_numpy_reads_save_npy_s_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "leaf.npy"
            output = gdb(SECOND, *IN_TENSORS, "save-npy leaf %s" % path,
                         "save-npy leaf %s/nowhere/leaf.npy" % folder, "save-npy leaf")
            data = path.read_bytes()
        self.assertIn("f32[2, 2] written to", output)
        self.assertIn("nowhere/leaf.npy: No such file or directory", output)
        self.assertIn("save-npy: which tensor, and to which file?", output)
        self.assertTrue(data.startswith(b"\x93NUMPY\x01\x00"))
        self.assertEqual(struct.unpack("<4f", data[-16:]), (1, 2, 3, 4))

    def test_trace_writes_a_page_and_changes_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            early, later, part = (pathlib.Path(folder) / name for name in
                                  ("early.html", "later.html", "part.html"))
            output = at_backward("break-op matmul", "trace %s" % early, "nb", "nb", "grad w1",
                                 "save-trace %s" % later, "save-trace %s #3" % part, "tape", "nb",
                                 "grad #7", "trace %s/nowhere/a.html" % folder, "trace",
                                 "trace a.html w1", "trace a.html #77")
            pages = [tape_of(path) for path in (early, later, part)]
        self.assertIn("the tape behind mean #11 written to %s" % early, output)
        self.assertEqual([len(page["ops"]) for page in pages], [11, 11, 3])
        self.assertEqual([len(page["backward"]) for page in pages], [15, 1, 0])
        self.assertIn("gradient of leaf 'w1' [4, 8]: none yet", output)
        self.assertRegex(output, r"=> +#10 +mul")
        self.assertRegex(output, r"ok +#11 .*'loss'")
        self.assertRegex(output, r"#0 .*AddBackward::backward")
        for sentence in ("trace: %s/nowhere/a.html: cannot be written" % folder,
                         "trace: to which file? For instance: ",
                         "trace: w1 is a leaf, not an op's output",
                         "trace: there is no op #77 on the tape"):
            self.assertIn(sentence, output)

    def test_save_npy_writes_large_tensors_in_pieces(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "cube.npy"
            gdb(SECOND, *IN_TENSORS, "python import stepgrad_commands; stepgrad_commands.PIECE = 5",
                "save-npy cube %s" % path)
            data = path.read_bytes()
        self.assertEqual(data[-24 * 4:], struct.pack("<24f", *[1] * 24))
        self.assertEqual((len(data) - 24 * 4) % 64, 0)

    def test_a_tensor_of_a_caller_is_found_by_its_variable_member_or_name(self):
        output = gdb(SECOND, "break marker", "run", "heatmap vector", "heatmap 가중치")
        self.assertIn("f32[3] 'vector'", output)
        self.assertIn("f32[2, 2] '가중치' leaf", output)
        self.assertIn("f32[4, 8] 'w1' leaf", gdb(STEP, "break-op mean", "run", "heatmap w1"))

    def test_stepgrad_lists_the_commands(self):
        output = gdb(STEP, "stepgrad")
        for name in ("tape", "next-backward", "prev-backward", "break-op", "tensors", "grad",
                     "heatmap", "save-npy", "explain", "why-nan", "$at", "layout grad"):
            self.assertIn("\n" + name, "\n" + output)
        self.assertIn("set stepgrad-oneline on:", output)
        self.assertEqual([line for line in output.splitlines() if line[-1:] != "."], [])


class BadInput(unittest.TestCase):
    def test_before_the_program_runs(self):
        output = gdb(STEP, "tape", "next-backward", "tensors", "grad w1", "trace a.html")
        for command in ("tape", "next-backward", "tensors", "trace"):
            self.assertIn(command + ": the program is not running: type run first", output)

    def test_values_that_are_no_tensor_are_named(self):
        output = gdb(SECOND, *IN_TENSORS, "grad number", "explain 5", "heatmap undefined",
                     "grad nothing", "grad", "grad vector", "break-op matmull", "break-op")
        for sentence in ("grad: number is no tensor but of type int",
                         "explain: 5 is no tensor but of type int",
                         "heatmap: undefined is undefined",
                         "grad: there is no 'nothing' here, nor on the tape",
                         "grad: of which tensor?", "grad: vector requires no gradient",
                         "break-op: this program has no op named matmull",
                         "break-op: which op?"):
            self.assertIn(sentence, output)
        self.assertNotIn("Traceback", output)

    def test_after_the_tape_is_freed(self):
        output = gdb(SECOND, "break marker", "run", "continue", "tape", "explain table", "why-nan")
        self.assertIn("tape: the tape is empty: all that was recorded has been freed", output)

    def test_another_version_of_the_layout(self):
        output = gdb(STEP, "set var *(int*)&stepgrad_debug_abi = 99", "tape", "print 1")
        output += gdb(STEP, "python import stepgrad_read; stepgrad_read.ABI = 99", "tape",
                      "tbreak step.cpp:%d" % BACKWARD, "run", "print x")
        self.assertIn("tape: this script reads layout 99 of stepgrad's structs, and the program "
                      "has layout", output)
        self.assertIn("Tensor <this script reads layout 99", output)

    def test_a_program_without_stepgrad(self):
        output = gdb("/bin/true", "tape", scripts=session.SOURCED)
        self.assertIn("tape: this program is not linked with stepgrad", output)

    def test_loading_the_script_twice_does_no_harm(self):
        output = at_backward(session.LOAD, session.LOAD, "print x", "info skip")
        self.assertEqual(output.count("Tensor f32[3, 4] 'x' leaf"), 1)
        self.assertEqual(output.count("core/tensor/tensor.hpp"), 1)

    def test_gdb_names_the_line_that_lets_the_script_in(self):
        output = session.run(["gdb", "-nx", "-batch", str(STEP)])
        self.assertIn("add-auto-load-safe-path %s" % STEP, output)


if __name__ == "__main__":
    session.require("gdb")
    unittest.main()
