"""gdb and lldb on users' code outside of namespace stepgrad: tests/debugger/outside.cpp."""

import re
import shlex
import statistics
import unittest

import both
import session
from session import BUILD, CLOCK, LOAD, answers, ask_gdb, line_of, lldb, needs

OUTSIDE = BUILD / "tests/debugger/outside"
SOURCE = "tests/debugger/outside.cpp"
BACKWARD = line_of(SOURCE, "loss.backward();")
TWO = line_of(SOURCE, "difference.backward();")
MANY = line_of(SOURCE, "first_size(x.shape());")
AGAIN = line_of(SOURCE, "sum(checkpoint(pair, x))")
NAMES = AGAIN + 2
UP, DOWN = line_of(SOURCE, "x = up(x);"), line_of(SOURCE, "return down(x);")


class Users:
    def test_tensors_modules_structs_lists_and_ops_of_ones_own_are_known(self):
        said = self.ask(OUTSIDE, "outside.cpp:%d" % BACKWARD, "tensors", "tape", "nb 2", "tensors", "grad x",
            "print x.sum()", "print grad pair.up.weight", "print pair.up.weight", "pb", "nb pair.up.weight",
            "nb up.weight", "grad #")
        listed, in_gradient = said.of["tensors"]
        for name, text in (("pair.up.weight", "f32[3, 2] 'up.weight' leaf"),
                ("plain.inner", "f32[1, 2]"), ("plain.untagged.deep", "f32[2, 1]"),
                ("list[0]", "f32[7]"), ("list[1]", "f32[8]")):
            self.assertRegex(listed, r"(?m)^%s +%s" % (re.escape(name), re.escape(text)))
        for line in (UP, DOWN):  # the reader's innermost one
            self.assertRegex(said["tape"], r"linear\.cpp:\d+, from outside\.cpp:%d\n" % line)
        self.assertIn("SquareBackward::backward", said["nb 2"])
        self.assertRegex(in_gradient, r"(?m)^x +edge to #\d+ \[2, 2\]$")
        self.assertRegex(in_gradient, r"(?m)^X +f32\[2, 2\]$")
        self.assertIn("(This x is the op's own. A caller has another x: up 3)\n", said["grad x"])
        self.assertIn("print: x is add #4, whose tensor no variable holds any more\n", said["print x.sum()"])
        self.assertIn("gradient of leaf 'up.weight' [3, 2]: none yet\n", said["print grad pair.up.weight"])
        self.assertIn("Tensor f32[3, 2] 'up.weight' leaf\n", said["print pair.up.weight"])
        self.assertIn("SumBackward::backward", said["pb"])
        self.assertRegex(said["nb pair.up.weight"], r"LinearBackward|MatmulBackward")
        self.assertIn("'up.weight' [3, 2]", said["nb pair.up.weight"])
        self.assertIn("next-backward: no gradient that has yet to run contributes to up.weight\n",
            said["nb up.weight"])
        self.assertIn("grad: there is no op # on the tape", said["grad #"])

    def test_a_name_of_several_is_that_of_the_running_op_or_is_asked_for(self):
        grads = ["grad up.weight", "grad weight", "nb teacher.up.weight", "grad up.weight", "print up.weight",
            "nb student.up.weight", "grad up.weight", "nb 2", "grad up.weight"]
        said = self.ask(OUTSIDE, "outside.cpp:%d" % TWO, "print up.weight", *grads)
        asked = "up.weight may be student.up.weight or teacher.up.weight: which one?\n"
        self.assertIn("print: " + asked, said.of["print up.weight"][0])
        outside, in_teacher, in_student, at_leaf = said.of["grad up.weight"]
        self.assertIn("grad: " + asked, outside)
        self.assertIn("weight may be student.up.weight or student.down.weight or teacher.up.weight or "
            "teacher.down.weight: which one?", said["grad weight"])
        for name, text in ("teacher", in_teacher), ("student", in_student), ("student", at_leaf):
            self.assertIn("gradient of leaf '%s.up.weight' [3, 2]" % name, text)
        self.assertIn("Tensor f32[3, 2] 'teacher.up.weight' leaf\n", said["print up.weight"])

    def test_lists_of_tensors_have_a_line_for_each_and_rows_are_tensors(self):
        lists = {'by_name["a b"]': "f32[2, 2]", "pairs[0].second": "f32[5]", "maybe.value()": "f32[6]",
            "two[0]": "f32[1]", "two[1]": "f32[2]", "one[0]": "f32[3]", "tuple[2]": "f32[4, 4]",
            "by_number[3]": "f32[4]", 'hashed["a b"]': "f32[10]", "shared->inner": "f32[1, 2]",
            "layers[0]->factor": "f32[11]"}
        paths = ["print " + path for path in ('by_name["a b"]', "maybe", "maybe.value()", "tuple[2]", "two[1]",
            "two[1][1]", "x[1]", "x[-1]", "x.at(0, 1)", "x[2]",
            "span[1]", 'hashed["a b"].sum()', "maybe.value().dim()", "x[1].sum()",
            "maybe->numel()", "grad * 2", "shared->inner", "layers[0]->factor.sum()")]
        said = self.ask(OUTSIDE, "outside.cpp:%d" % TWO, "tensors", *paths[:-2], "print nothing == 0", "nb", *paths[-2:])
        self.assertRegex(said["print nothing == 0"], "operator|a std::optional")  # an expression that would end lldb 14
        for name, text in lists.items():
            self.assertRegex(said["tensors"], r"(?m)^%s +%s" % (re.escape(name), re.escape(text)))
        self.assertNotIn("parameters[", said["tensors"])  # which are the modules'
        self.assertNotIn("nobody", said["tensors"])  # a null pointer
        for path, text in zip(paths, ("Tensor f32[2, 2]\n", "f32[6]", "Tensor f32[6]\n", "Tensor f32[4, 4]\n",
                "Tensor f32[2]\n", "Tensor f32[]\n", "Tensor f32[2]\n  [3, 4]\n",
                "Tensor f32[2]\n  [3, 4]\n", "2", "index 2 is outside f32[2, 2]",
                "Tensor f32[2]\n", "10\n", "1\n", "7\n", "6\n", "6\n", "Tensor f32[1, 2]\n", "11\n")):
            self.assertIn(text, said[path], path)


@needs("gdb")
class Gdb(both.Gdb, Users, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.parts = ask_gdb(
            OUTSIDE, "break-op square", "run", "delete", "tbreak %d" % BACKWARD, "continue",
            "print nothing", "print $at()", "print 6 * 7", "complete grad pair.up.w", "complete break-op squ",
            "print/x 255", "tbreak first_size", "continue", "bt 1", "explain x", "print y1",
            "print j0", "up", "print plain", "info locals", "break-op checkpoint", "continue", "continue",
            "tbreak outside.cpp:%d" % TWO, "continue", "info locals", "print by_number", "complete print shared->un",
            "continue", "info locals", "frame 0", "print x.sum()",
            "kill", "tape", "show breakpoint pending")

    def test_break_op_finds_an_op_of_ones_own_and_checkpoint_which_is_a_template(self):
        self.assertRegex(self.parts["run"], r"Breakpoint \d, \(anonymous namespace\)::square ")
        self.assertEqual(self.parts["break-op square"].count("Breakpoint"), 2)
        self.assertEqual(self.parts["break-op checkpoint"].count("Breakpoint"), 2)
        op, gradient = self.parts.of["continue"][-4:-2]
        self.assertRegex(op, r"stepgrad::checkpoint<Pair&> \(")
        self.assertRegex(gradient, r"CheckpointBackward<Pair>::backward \(this=checkpoint #9 ")
        self.assertIn("is auto", self.parts["show breakpoint pending"])  # gdb's settings are as they were

    def test_structs_lists_and_captures_have_a_line_for_each_tensor(self):
        plain = "{inner = f32[1, 2], untagged = {deep = f32[2, 1]}}\n"
        self.assertIn(" = " + plain, self.parts["print plain"])
        first, in_two, _ = self.parts.of["info locals"]
        self.assertIn("plain = " + plain, first)
        self.assertIn("\nx = f32[2, 2] 'x' leaf", first)
        for text in ("{f32[1], f32[2]}", '["a b"] = f32[2, 2]', "[3] = f32[4]", "second = f32[5]}", "value] = f32[6]}",
                "captures = {__x = f32[2, 2] 'x' leaf, grad: here, __u = f32[9]}"):
            self.assertIn(text, in_two)
        self.assertIn("{[3] = f32[4]}\n", self.parts["print by_number"])

    def test_a_tensor_hides_a_function_of_libm_and_all_else_is_gdbs(self):
        self.assertEqual(self.parts["print y1"].split("\n")[0], "Tensor f32[9]")
        self.assertRegex(self.parts["print j0"], r"= {.*j0(f64)?>\n")
        self.assertIn('No symbol "nothing" in current context', self.parts["print nothing"])
        self.assertIn("$at: of which tensor?", self.parts["print $at()"])
        self.assertIn(" = 42\n", self.parts["print 6 * 7"])
        self.assertIn(" = 0xff\n", self.parts["print/x 255"])

    def test_tab_completes_names_of_tensors_and_ops(self):
        self.assertEqual(self.parts["complete grad pair.up.w"], "grad pair.up.weight\n")
        self.assertEqual(self.parts["complete print shared->un"], "print shared->untagged.deep\n")
        self.assertEqual(self.parts["complete break-op squ"], "break-op square\n")

    def test_step_passes_over_our_names_and_files_not_over_the_readers_like_them(self):
        parts = ask_gdb(
            OUTSIDE, "tbreak %d" % AGAIN, "run", "step", "tbreak outside.cpp:%d" % NAMES,
            "continue", "step", "echo there\\n", "step", "finish", "step", "step")
        self.assertIn("stepgrad::checkpoint<Pair&>", parts.of["step"][0])
        self.assertIn("stepgrad::checkers();", parts.of["step"][1])
        self.assertIn("stepgrad::checkers () at", parts.of["step"][2])
        self.assertIn("mine () at /home/reader/core/tensor/shape.cpp:1",
            "".join(parts.of["step"][-2:]))

    def test_explain_shows_ranges_and_the_sum_after_hooks(self):
        said = self.parts["explain x"]
        total = re.search(r"(?m)^sum +\[2, 2\]  (\S+) to ", said)
        hooked = re.search(r"(?m)^after hooks +\[2, 2\]  (\S+) to ", said)
        self.assertAlmostEqual(float(hooked[1]), 10 * float(total[1]), 2)
        self.assertIn("first_size (shape=[2, 2]) at", self.parts["bt 1"])

    def test_an_uncaught_error_stops_at_the_readers_line(self):
        said = self.parts.of["continue"][-1]
        self.assertIn("Nobody caught it.", said)
        self.assertRegex(said, r"main \(.*outside.cpp:%d" % line_of(SOURCE, "matmul(x, list[0]"))
        self.assertIn("many = ", self.parts["info locals"])
        self.assertIn(" = 10\n", self.parts["print x.sum()"])  # in a frame of C
        self.assertIn("tape: the program is not running", self.parts["tape"])
        for complaint in ("Python Exception", "Traceback"):
            self.assertNotIn(complaint, self.parts.all)

    def test_a_program_that_was_built_anew_runs_in_the_same_gdb(self):
        touch = "shell touch %s" % shlex.quote(str(OUTSIDE))
        parts = ask_gdb(OUTSIDE, "break main", "run", touch, "kill", "run", LOAD, LOAD, "nb")
        for complaint in ("exists", "Python Exception", "Error"):
            self.assertNotIn(complaint, parts.all)
        self.assertIn("Backward::backward", parts["nb"])


class Statics(unittest.TestCase):
    """A name that a library's debug symbols have, as libm's have w1, comes behind a caller's tensor."""

    SAID = {"print x": "Tensor f32[2, 2] 'x' leaf\n", "print x.size(0)": "2\n", "print x.max()": "4\n",
        "print x.size(2)": "there is no dimension 2 in f32[2, 2]\n", "grad x": "gradient of leaf 'x' [2, 2]"}

    def check(self, said):
        for command, text in self.SAID.items():
            self.assertIn(text, said[command])

    @needs("gdb")
    def test_in_gdb(self):
        parts = ask_gdb(OUTSIDE, "set environment LD_PRELOAD " + session.elsewhere(self), "tbreak first_size", "run",
            "whatis x", "print x.size(0) + x.sum()", "print shape.dims_", *self.SAID)
        self.assertEqual(parts["whatis x"], "type = const double [2]\n")
        self.assertEqual(parts["print x.size(0) + x.sum()"], "$1 = 12\n")
        self.assertEqual(parts["print shape.dims_"], "$2 = 2\n")
        self.check(parts)

    @needs("lldb")
    def test_in_lldb(self):
        self.check(answers(lldb(OUTSIDE, "settings set target.env-vars LD_PRELOAD=" + session.elsewhere(self),
            "breakpoint set --name first_size", "run", *self.SAID)))


@needs("lldb")
class Lldb(both.Lldb, Users, unittest.TestCase):
    def test_ops_of_ones_own_and_code_named_like_ours_are_found(self):
        said = answers(lldb(OUTSIDE, "break-op square", "run", "breakpoint set --name first_size",
            "nb 2", "frame variable this", "breakpoint delete 1", "continue", "print y1",
            "break-op checkpoint", "continue"))
        self.assertIn("(anonymous namespace)::square", said["run"])
        self.assertRegex(said["frame variable this"], r"square #\d+ \(#\d+ \[2, 2\]\) called at")
        self.assertTrue(said["print y1"].startswith("Tensor f32[9]\n"))
        self.assertIn("3 places", said["break-op checkpoint"])
        self.assertIn("checkpoint<Pair&>", said["continue"])

    def test_step_passes_over_our_names_not_over_the_readers_like_them(self):
        place = "breakpoint set -o true -f outside.cpp -l %d"
        output = lldb(OUTSIDE, place % AGAIN, place % NAMES, "run", "step", "continue", "step", "step")
        places = re.findall(r"frame #0: \S+ outside`(.*?) at ", output)
        self.assertIn("checkpoint<Pair&>", places[1])
        self.assertIn("main", places[3])
        self.assertIn("checkers", places[4])


class ManyOps(unittest.TestCase):
    """A tape of 25,000 ops; the oldest 5,001 use `first`."""

    STEPS = [  # places, and what is said there
        (MANY, ("tensors", "pair.up.weight"), ("tape", "(40 of "), ("print #3", "linear #3 ("),
        ("grad first", "gradient of leaf 'first' [1]: none yet"), ("why-nan", "div #9 made it"),
        ("break-op sqrt", "Breakpoint"), ("print ticks", " = "), ("save-trace /dev/null/a", "cannot be written"),
        ("print ticks", " = "), ("nb", "add #25010 ("), ("nb 100", "add #24910 ("), ("nb first", "add #5010 ("),
        ("nb 4000", "add #1010 ("), ("pb", "add #1011 (")),
        (MANY + 3, ("explain first", "and 4801 more"), ("explain first", "[1]  5001 to 5001  5001\n")),
        (MANY + 5, ("why-nan root", "the gradient of sqrt #25011 made it"),
        ("nb first", "the program has ended: no later pass has reached first"))]

    @needs("gdb")
    def test_in_gdb(self):
        self.check("python", "set args many", "delete", "tbreak outside.cpp:%d", ask_gdb)

    @needs("lldb")
    def test_in_lldb(self):
        self.check("script", "settings set target.run-args many", "breakpoint delete -f",
            "breakpoint set -o true -f outside.cpp -l %d", lambda *commands: answers(lldb(*commands)))

    def check(self, language, setting, forget, stop, ask):
        clock, commands = f"{language} {CLOCK}", [setting]
        for place, *asked in self.STEPS:
            commands += [forget, stop % place, "run" if place == MANY else "continue", clock]
            commands += sum(([command, clock] for command, _ in asked), [])
        said = ask(OUTSIDE, *commands)
        clocks = [[*map(float, each.split())] for each in re.findall(r"(?m)^CLOCK (.*)$", said.all)]
        took = [now - last - loop for (last, loop), (now, _) in zip(clocks, clocks[1:])]
        for command, text in sum((asked for _, *asked in self.STEPS), []):
            self.assertIn(text, "".join(said.of[command]), command)
        self.assertEqual(*(re.search(r"= .*?(\d+)\b", each)[1] for each in said.of["print ticks"]))  # it stood still
        loop = statistics.median(loop for _, loop in clocks)
        print("25,000 ops, a loop of %.3f s; the longest command took %.2f s" % (loop, max(took)))
        self.assertLess(max(took) / loop, 150)  # 63 when busy


unittest.main()
