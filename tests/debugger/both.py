"""What holds in gdb and in lldb: the tests of each take these classes in, beside Gdb or Lldb."""

import base64
import json
import pathlib
import re
import struct
import tempfile

import session
from session import BACKWARD, FORWARD, SECOND, STEP, TREE, line_of

BROKEN = "step.cpp:%d" % line_of("demos/step/step.cpp", "broken.backward();")
LINES = {
    "scalar": "f32[]",
    "vector": "f32[3] 'vector'",
    "cube": "f32[2, 3, 4]",
    "none": "f32[0, 3]",
    "leaf": "f32[2, 2] '가중치' leaf, grad: none yet",
    "product": "f32[2, 2] <- mul #1",
    "large": "f32[16384, 8192]",
    "row": "f32[2] <- reshape #4",
}
PROBLEMS = {
    "undefined": "undefined",
    "nowhere": "dangling or not initialised: cannot access memory at address 0xcdcdcdcdcdcdcdcd",
    "corrupted": "freed or not initialised: 2139062143 dimensions",
    "freed": "freed",
}
VIEWS = {
    "scalar": "Tensor f32[]\n  2.5000\n  min 2.5  max 2.5  mean 2.5  std 0  zeros 0%\n",
    "vector": "Tensor f32[3] 'vector'\n  [1, 2, 3]\n  min 1  max 3  mean 2  std 1  zeros 0%\n",
    "cube": "Tensor f32[2, 3, 4]\n  [[[1, 1, 1, 1],\n    [1, 1, 1, 1],\n",
    "none": "Tensor f32[0, 3]\n  []\n  no elements\n",
    "nan": "  min 1  max 3  mean 2  std 1.414  zeros 0%  !! NaN 1  Inf 1\n",
    "leaf": "Tensor f32[2, 2] '가중치' leaf\n  [[1, 2],\n   [3, 4]]\n"
            "  min 1  max 4  mean 2.5  std 1.291  zeros 0%\n  grad: none yet\n",
    "product": "  made by mul #1 ('가중치' [2, 2], []) called at second.cpp:%d\n"
               % line_of("tests/debugger/second.cpp", "product = leaf * 2"),
    "large": "  (of 262144 elements, evenly spread)\n",
    "row": "Tensor f32[2] <- reshape #4\n  [3, 4]\n  min 3  max 4  mean 3.5  std 0.7071  zeros 0%\n",
    **{name: "Tensor <%s>\n" % problem for name, problem in PROBLEMS.items()},
}


class Asking:
    def in_tensors(self, *commands):
        return self.ask(SECOND, "marker", "up", *commands)

    def at_backward(self, *commands):
        return self.ask(STEP, "step.cpp:%d" % BACKWARD, *commands)


class Gdb(Asking):
    python, load, variables = "python", session.LOAD, "info locals"
    stops = ["break step.cpp:%d" % BACKWARD, *["break stepgrad_backward_step"] * 2, "disable 3"]
    state = "info breakpoints", "show language", "show scheduler-locking"

    def ask(self, program, place, *commands, core=None):
        """Its answers to the commands at that place, in a core file, or before the program runs."""
        begin = ["tbreak " + place, "run"] if place else []
        options = ["-core", str(core)] if core else []
        return session.ask_gdb(program, *begin, *commands, options=options)

    def typed(self, *commands):
        begin = ["set pagination off", "set width 0", "set confirm off", "tbreak step.cpp:%d" % BACKWARD, "run"]
        said = sum((["-ex", each] for each in [*begin, *commands, "quit"]), [])
        return ["gdb", "-nx", "-q", "-iex", "set debuginfod enabled off", "-iex", "add-auto-load-safe-path %s" % STEP,
            *said, STEP]


class Lldb(Asking):
    python, variables, state = "script", "frame variable", ["breakpoint list"]
    stops = ["breakpoint set -f step.cpp -l %d" % BACKWARD, "breakpoint set -n stepgrad_backward_step", "breakpoint disable 2"]
    load = "command script import -r %s" % (TREE / "core/debug/stepgrad_lldb.py")

    def ask(self, program, place, *commands, core=None):
        begin = ["target create %s --core %s" % (program, core)] if core else []
        if place:
            at = "-f %s -l %s" % tuple(place.split(":")) if ":" in place else "-n " + place
            begin = ["breakpoint set -o true " + at, "run"]
        return session.answers(session.lldb(program, *begin, *commands))

    def typed(self, *commands):
        begin = ["breakpoint set -o true -f step.cpp -l %d" % BACKWARD, "run"]
        said = sum((["-o", each] for each in [*begin, *commands]), [])
        return [session.LLDB, "--no-lldbinit", "-b", *said, "--", STEP]


class Steps:
    """A subclass has count_steps, every_step, and the most steps that lead to a gradient."""

    def steps(self, program, place, goal):
        """How many `step`s lead from a line to the first line of the function `goal`."""
        output = self.count_steps(program, place, goal)
        return int(re.search(r"(\d+) steps to the goal", output)[1])

    def test_few_steps_lead_from_backward_to_a_gradient_and_from_the_network_to_a_kernel(self):
        second = line_of("tests/debugger/second.cpp", "loss.backward();")
        for program, place, goal, most in (
                (STEP, "step.cpp:%d" % BACKWARD, "MeanBackward::backward", self.most),
                (SECOND, "second.cpp:%d" % second, "SumBackward::backward", self.most),
                (STEP, "step.cpp:%d" % FORWARD, "kernels::scalar::matmul", 9)):
            with self.subTest(place):
                self.assertLessEqual(self.steps(program, place, goal), most)

    def test_no_step_lands_outside_of_our_lines_or_in_a_handle(self):
        for program in (STEP, SECOND):
            self.assertIn("ALL STEPS OURS", self.every_step(program))


class Printers:
    def test_print_shows_all_there_is(self):
        said = self.in_tensors(*("print " + name for name in VIEWS))
        for name, view in VIEWS.items():
            with self.subTest(name):
                self.assertRegex(said["print " + name], r"^(\$\d+ = )?Tensor ")
                self.assertIn(view, said["print " + name])

    def test_tensors_and_the_frame_have_a_line_for_each(self):
        said = self.in_tensors("tensors", self.variables)
        lines = said["tensors"]
        for name, text in [*LINES.items(), *PROBLEMS.items()]:
            self.assertRegex(lines, r"(?m)^%s +%s$" % (name, re.escape(text)))
            self.assertRegex(said[self.variables], r"(?m)^(\(.*\) )?%s = (0x\w+ )?<?%s>?$" % (name, re.escape(text)))
        self.assertRegex(lines, r"(?m)^later +line \d+ has not run yet$")
        self.assertNotRegex(lines, r"(?m)^number +f32")

    @session.needs("gdb")
    def test_they_never_call_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            core = pathlib.Path(folder) / "core"
            session.gdb(SECOND, "break marker", "run", "generate-core-file %s" % core)
            said = self.ask(SECOND, None, "print leaf.sum()", "print nowhere", "print leaf", "tape", "up", "tensors",
                "next-backward", "explain leaf", core=core)
        self.assertRegex(said["print leaf.sum()"], r"\b10\n")
        self.assertIn("Tensor f32[2, 2] '가중치' leaf\n", said["print leaf"])
        self.assertRegex(said["tape"], r"#1 +mul")
        self.assertRegex(said["tensors"], r"(?m)^product +f32\[2, 2\] <- mul #1$")
        for command in ("next-backward", "explain"):
            self.assertIn(command + ": this is a core file: nothing runs in it", said.all)


class Commands:
    def test_a_terminal_has_the_pages_accents_and_the_same_text_without_them(self):
        command = self.typed("nb 2", "tape", "print #1", "grad w1")
        coloured, plain = session.on_terminal(command), session.on_terminal(command, "NO_COLOR=1")
        teal, amber = ("\033[%dm%%s\033[0m" % sgr for sgr in (36, 33))
        for line in ("  ".join((amber % "=>", teal % "#10", teal % "mul         ", "#9 [3, 4], #9 [3, 4] ")),
                "  %s   %s" % (teal % "Y = A·B", amber % "dA = dY·Bᵀ   dB = Aᵀ·dY"),
                "%s: none yet" % (amber % "gradient of leaf 'w1' [4, 8]")):
            self.assertIn(line, coloured)
            self.assertIn(re.sub("\033\\[.*?m", "", line), plain)

    def test_tape_shows_so_many_ops_around_where_backward_is(self):
        said = self.at_backward("nb 4", "tape 4", "tape 4-6", "tape " + "9" * 20, "tape 0")
        for command, numbers in ("tape 4", ["7", "8", "9", "10"]), ("tape 4-6", ["4", "5", "6"]):
            self.assertEqual(re.findall(r"(?m)#(\d+)  ", said[command]), numbers)
        self.assertNotIn(" of 11 ops", said["tape " + "9" * 20])
        self.assertIn("(4 of 11 ops)\n", said["tape 4"])
        self.assertIn("tape: how many ops, or which? For instance: tape 100, tape 20-30", said["tape 0"])

    def test_next_backward_goes_through_every_gradient_to_the_end(self):
        output = self.at_backward(*["next-backward"] * 30).all
        places = re.findall(r"(?m)^(?:frame )?#0.*stepgrad::(\w+)::backward", output)
        self.assertEqual(places[13:17], ["AccumulateGrad"] * 2 + ["MeanBackward", "DivBackward"])  # and the second tape
        self.assertRegex(output, "exited normally|the program has ended")
        jumps = [2, 1, 3, 5, 4]  # to the 2nd, 3rd, 6th, 11th, 15th
        output = self.at_backward(*("nb %d" % jump for jump in jumps)).all
        self.assertEqual(re.findall(r"(?m)^(?:frame )?#0.*stepgrad::(\w+)::backward", output),
            [places[sum(jumps[:i + 1]) - 1] for i in range(len(jumps))])

    def test_of_variables_with_one_name_the_nearest_is_shown_once_its_line_has_run(self):
        line = line_of("tests/debugger/second.cpp", "const Tensor loss =")
        said = self.ask(SECOND, "second.cpp:%d" % line, "tensors", "print y")
        self.assertRegex(said["tensors"], r"(?m)^loss +line %d has not run yet$" % line)
        self.assertEqual(re.findall(r"(?m)^y +(\S.*)$", said["tensors"]), ["f32[2, 3, 3] <- sub #3"])  # main() has another
        self.assertIn("Tensor f32[2, 3, 3] <- sub #3\n", said["print y"])

    def test_next_backward_needs_a_positive_count(self):
        for before in ([], ["nb"]):
            said = self.at_backward(*before, "nb 0", "nb -1", "nb 2", "tape")
            for count in ("nb 0", "nb -1"):
                self.assertIn("next-backward: it goes on by 1 gradient or more", said[count])
            self.assertRegex(said["tape"], r"=> +#9 +add" if before else r"=> +#10 +mul")
        self.assertRegex(self.at_backward("nb " + "9" * 20).all, "exited normally|the program has ended")

    def test_prev_backward_restores_everything(self):
        said = self.at_backward("prev-backward", "nb", "prev-backward", *["next-backward"] * 2, "grad x",
            "next-backward", "grad x",
            "prev-backward", "grad x", "tape", "next-backward", "grad x")
        grads = [re.search(r"^gradient of leaf 'x' \[3, 4\]: (.*)", each)[1]
            for each in said.of["grad x"]]
        self.assertEqual((grads[0], grads[2]), ("none yet", "none yet"))
        self.assertIn("so far on its way", grads[1])
        self.assertEqual(said.of["grad x"][1].count("\n"), 4, "its three rows behind the title")
        self.assertEqual(grads[3], grads[1])
        self.assertRegex(said["tape"], r"=> +#9 +add")
        for answer, why in zip(said.of["prev-backward"], ("no backward pass is running", "this is the first gradient")):
            self.assertIn("prev-backward: " + why, answer)

    def test_print_computes_with_numbers_of_tensors_and_runs_no_op(self):
        answers = {"x.sum() * 2": "= 1.5\n", "x.var()": "2.887784", "x[0].sum() > ffn.w1.shape()[0]": "= false\n",
            "ffn.w1.max() - ffn.w1.min()": "= 1.823",
            "x.relu() + 1": "print: no op runs in a debugger, which shows x or computes with x.sum() * 2\n"}
        said = self.at_backward(*("print " + each for each in answers))
        for each, text in answers.items():
            self.assertIn(text, said["print " + each])

    def test_grad_of_names_expressions_and_numbers(self):
        said = self.at_backward("next-backward", "next-backward", "grad ffn.w1", "grad w1",
            "grad #10", "next-backward", "grad #10", "grad #77", "nb 3", "grad A", "grad a")
        for name in ("grad w1", "grad ffn.w1"):
            self.assertEqual(said[name], "gradient of leaf 'w1' [4, 8]: none yet\n")
        self.assertIn("gradient of mul #10: passed on just now: dY", said.of["grad #10"][0])
        self.assertIn("gradient of mul #10: passed on and not kept", said["grad #10"])
        self.assertIn("grad: there is no op #77 on the tape", said["grad #77"])
        self.assertRegex(said["grad A"], r"gradient of \w+ #\d+.*: none yet\n$")
        self.assertEqual(said["grad A"], said["grad a"])

    def test_save_trace_writes_a_page_and_leaves_all_as_it_was(self):
        with tempfile.TemporaryDirectory() as folder:
            pages = ["save-trace %s/%s.html" % (folder, name) for name in ("early", "later", "part")]
            wrong = {"save-trace %s/no/a.html" % folder: "no/a.html: cannot be written",
                "save-trace": "to which file? For instance: ",
                "save-trace a.html w1": "w1 is a leaf, not an op's output",
                "save-trace a.html #77": "there is no op #77 on the tape"}
            said = self.at_backward("break-op matmul", pages[0], "nb", "nb", "grad w1", pages[1], pages[2] + " #3",
                "tape", "nb", *wrong)
            tapes = [json.loads(pathlib.Path(page.split()[1]).read_text().split('application/json" id="tape">')[1]
                .split("</script>")[0]) for page in pages]
        self.assertEqual([(len(tape["ops"]), len(tape["backward"])) for tape in tapes], [(11, 15), (11, 1), (3, 0)])
        self.assertEqual(said["grad w1"], "gradient of leaf 'w1' [4, 8]: none yet\n")
        self.assertRegex(said["tape"], r"=> +#10 +mul")
        self.assertRegex(said["nb"], r"#0.*AddBackward::backward")
        for command, sentence in wrong.items():
            self.assertIn("save-trace: ", said[command])
            self.assertIn(sentence, said[command])

    def test_ops_their_order_and_gradients_are_those_of_the_page(self):
        for program, path, twice in (STEP, "demos/step/step.cpp", "x"), (SECOND, "tests/debugger/second.cpp", "column"):
            asked = ["tape 1", "grad " + twice]
            with tempfile.TemporaryDirectory() as folder:
                page = folder + "/a.html"
                said = self.ask(program, "%s:%d" % (path.split("/")[-1], line_of(path, "loss.backward();")),
                    "save-trace " + page, "tape 99", *["nb", *asked] * 20)
                tape = json.loads(pathlib.Path(page).read_text().split('application/json" id="tape">')[1].split("</script>")[0])
            ops, values, steps = tape["ops"], tape["values"], tape["backward"]

            def text(value):
                who = "'%s' " % value["name"] if value["name"] else "#%d " % ops[value["op"]]["number"] if value["op"] >= 0 else ""
                return who + str(value["shape"])

            def line(loc):
                return "%s:%d" % (loc[0].split("/")[-1], loc[1])
            rows = [["", "op", "inputs", "output", "called at"]]
            for op in ops:
                out = values[op["out"]]
                rows.append(["#%d" % op["number"], op["op"], ", ".join(text(values[i]) for i in op["in"]),
                    str(out["shape"]) + " '%s'" % out["name"] * bool(out["name"]),
                    line(op["loc"]) + (", from " + line(op["caller"]) if op["caller"] else "")])
            self.assertEqual([re.split("  +", each.strip()) for each in said["tape 99"].splitlines()],
                [[*filter(None, row)] for row in rows])
            total, passed = None, False  # of what has been added to the gradient of `twice`
            for step, at, grad in zip(steps, *(said.of[each] for each in asked)):
                here = re.search(r"(?m)^=> +(#\d+  \w+|leaf '\w+')", at)[1]
                where = values[step["value"]]
                self.assertEqual(here, "leaf '%s'" % where["name"] if step["op"] < 0 else
                    "#%d  %s" % (ops[step["op"]]["number"], ops[step["op"]]["op"]))
                passed |= where["name"] == twice
                found = [float(each) for each in re.findall(r"-?\d+\.?\d*(?:e[-+]\d+)?", "".join(grad.split("\n", 1)[1:]))]
                if not grad.startswith("gradient of leaf '%s'" % twice):  # the op's own x
                    pass
                elif where["name"] == twice and step["op"] < 0:
                    self.assertIn("passed on just now", grad)
                elif total is None:
                    self.assertIn(": none yet\n", grad)
                else:
                    self.assertEqual("so far on its way" in grad, not passed)
                    numbers = struct.unpack("<%df" % len(found), base64.b64decode(tape["arrays"][total]["v"]))
                    for one, other in zip(found, numbers):
                        self.assertAlmostEqual(one, other, delta=6e-5 + 1e-3 * abs(other))
                for add in step["adds"]:
                    total = add["total"] if values[add["value"]]["name"] == twice else total
            self.assertIsNotNone(total)

    def test_a_program_that_runs_again_is_as_new_and_breakpoints_stay_on_or_off(self):
        with tempfile.TemporaryDirectory() as folder:
            asked = ["tape", "explain b2", "nb", "nb 4", "explain b2", "grad x", "nb w2", "pb", "why-nan",
                "save-trace %s/a.html" % folder, "explain b2", "tensors", "print #3"]
            said = self.ask(STEP, None, *self.stops, *["run", *self.state, *asked, *self.state, "continue"] * 2)
        varies = r"\n\tbreakpoint already hit.*|hit count = \d+|Process \d+"
        said.of = {command: [re.sub(varies, "", each) for each in answers] for command, answers in said.of.items()}
        for command in *asked, "continue":
            n = len(said.of[command]) // 2
            self.assertEqual(said.of[command][:n], said.of[command][n:], command)
        for command in self.state:
            self.assertEqual(len({*said.of[command]}), 1, command)
        early, *late = said.of["explain b2"][:3]
        title = "gradient of leaf 'b2' [4]\n"
        self.assertEqual(early, title + "nothing has been added to the gradient while the ledger was kept\n")
        self.assertRegex(late[0], re.escape(title) + r"add #8 .* step.cpp:%d  \[3, 4\] -> \[4\]  .*\nsum " % FORWARD)
        self.assertEqual(*late)
        self.assertIn("no op on the tape made a NaN or Inf", said["why-nan"])
        self.assertRegex(said["print #3"], r"^clamp #3 \(#2 \[3, 8\]\) called at relu.cpp:\d+, from step.cpp:%d\n" % FORWARD)

    def test_stepgrad_lists_the_commands(self):
        said = self.ask(STEP, None, "stepgrad")["stepgrad"]
        for name in "tape next-backward prev-backward break-op tensors grad explain why-nan".split():
            self.assertRegex(said, "(?m)^" + name)
        self.assertEqual([line for line in said.splitlines() if line[-1:] != "."], [])


class BadInput:
    """A subclass has what it says of `explain 5`."""

    def test_before_the_program_runs(self):
        commands = ("tape", "next-backward", "tensors", "grad w1", "save-trace a.html")
        said = self.ask(STEP, None, *commands)
        for command in commands:
            self.assertIn(command.split()[0] + ": the program is not running: type run first",
                said[command])

    def test_before_anything_is_recorded_and_after_the_tape_is_freed(self):
        early = self.ask(STEP, "main", "tape", "why-nan")
        self.assertIn("tape: nothing has been recorded yet\n", early["tape"])
        line = line_of("tests/debugger/second.cpp", "const Tensor u =")
        late = self.ask(SECOND, "second.cpp:%d" % line, "tape", "explain table", "why-nan")
        self.assertIn("tape: the tape is empty: all that was recorded has been freed\n",
            late["tape"])

    def test_values_that_are_no_tensor_are_named(self):
        sentences = {"grad number": "grad: number is no tensor but of type int",
            "explain 5": self.of_5,
            "grad undefined": "grad: undefined is undefined",
            "grad nothing": "grad: there is no 'nothing' here, nor on the tape",
            "grad": "grad: of which tensor? For instance: w1, ffn.w1, dY, #3",
            "grad vector": "grad: vector requires no gradient",
            "break-op matmull": "break-op: this program has no op named matmull",
            "break-op": "break-op: which op? For instance: break-op matmul"}
        said = self.in_tensors(*sentences)
        for command, sentence in sentences.items():
            self.assertRegex(said[command], "^(error: )?%s\n$" % re.escape(sentence))

    def test_loading_the_script_twice_does_no_harm(self):
        said = self.at_backward(self.load, self.load, "print x")
        self.assertEqual(said.all.count("Tensor f32[3, 4] 'x' leaf\n"), 1)
        self.assertEqual(said[self.load], "")

    def test_another_version_of_the_layout(self):
        other = self.python + " import stepgrad_read; stepgrad_read.ABI = 99"
        said = self.at_backward(other, "tape", "print x")
        for command in ("tape", "print x"):
            self.assertIn("this script reads layout 99 of stepgrad's structs, and the program has "
                "layout", said[command])
