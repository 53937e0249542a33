"""Debuggers' commands, without a debugger: core/debug/stepgrad_commands.py and stepgrad_rerun.py."""

import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

TREE = pathlib.Path(sys.argv.pop())
sys.path.insert(0, str(TREE / "core/debug"))

import stepgrad_commands as commands
import stepgrad_pictures as pictures
import stepgrad_read
import stepgrad_rerun as rerun
import stepgrad_tape as tapes
import stepgrad_tensor as tensors
from fake_memory import Debugger, Pointer, Seen, vector
from small_tape import SmallTape
from stepgrad_frames import tensor_lines, tensors_in


class Alone(unittest.TestCase):
    """Those that need no program."""

    def test_are_called_as_their_functions_and_summed_up_in_their_first_sentence(self):
        self.assertEqual([commands.name_of(each) for each in commands.LOOKING],
                         "tape tensors grad explain why-nan check-grad heatmap save-npy save-trace".split())
        self.assertEqual(commands.summary("x Y: one\n  and more. And 1.5 more. End"), "x Y: one and more.")

    def test_next_backward_goes_on_by_one_or_more(self):
        for text, times in (("", 1), ("1", 1), ("12", 12), ("+3", 3)):
            self.assertEqual(commands.destination(None, text)[0], times)
        for text in ("0", "-1"):
            with self.assertRaisesRegex(stepgrad_read.Problem, "by 1 gradient or more"):
                commands.destination(None, text)

    def test_a_place_is_counted_from_the_last_dimension(self):
        self.assertEqual([rerun.place(i, [2, 3]) for i in range(6)],
                         [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]])
        self.assertEqual((rerun.place(0, []), rerun.place(23, [2, 3, 4])), ([], [1, 2, 3]))

    def test_a_file_is_replaced_when_all_of_it_is_written_and_keeps_its_mode(self):
        with tempfile.TemporaryDirectory() as folder:
            path, link = folder + "/x.npy", folder + "/link"
            commands.write(path, lambda file: file.write(b"one"))
            os.chmod(path, 0o640)
            os.symlink(path, link)

            def half(file):
                file.write(b"tw")
                raise RuntimeError

            for failing in (path, folder + "/new"):
                with self.assertRaises(RuntimeError):
                    commands.write(failing, half)
            self.assertEqual((pathlib.Path(path).read_bytes(), sorted(os.listdir(folder))),
                             (b"one", ["link", "x.npy"]))
            commands.write(link, lambda file: file.write(b"three"))
            mode = os.stat(path).st_mode & 0o777
            self.assertEqual((pathlib.Path(path).read_bytes(), mode, os.path.islink(link)),
                             (b"three", 0o640, True))
            for wrong, text in ((folder, "not a regular file"), (folder + "/none/x", "No such file")):
                with self.assertRaisesRegex(stepgrad_read.Problem, text):
                    commands.write(wrong, lambda file: None)


class OfATape(SmallTape):
    def test_what_a_reader_names_is_a_variable_one_of_a_caller_or_on_the_tape(self):
        d = self.debugger()
        for text, line in (("h", "f32[2] <- mul #1"), ("kept", "f32[2] leaf, grad: here"),
                           *((each, "f32[1] 'result' <- sum #3") for each in ("net.out", "out", "result"))):
            self.assertEqual(commands.tensor_named(d, text).line(), line, text)
        for text, title in (("#2", "add #2"), ("op", "add #2"), ("edge", "leaf 'w' [2]"), ("h", "mul #1"),
                            ("kept", "leaf 'w' [2]"), ("x", "leaf 'x' [2]"), ("model.x", "leaf 'x' [2]"),
                            ("saved_y", "add #2"), ("y", "add #2")):
            self.assertEqual(commands.node_named(d, text).title(), title, text)
        for text, said in (("", "of which tensor?"), ("#9", "there is no op #9 on the tape"),
                           ("bad", "bad is freed or not initialised: 0 owners"), ("n", "n is no tensor but of type int"), ("nothing", "there is no 'nothing' here, nor on the tape")):
            self.refuses(said, commands.subject, d, text)
        for text, said in (("plain", "plain requires no gradient"), ("c", "c requires no gradient"),
                           ("spoilt", "spoilt <")):
            self.refuses(said, commands.node_named, d, text)
        self.refuses("#2 is on the tape, but its numbers are in no variable", commands.tensor_named, d, "#2")
        d.variables[1]["w"] = d.variables[0]["h"]
        self.assertEqual(commands.tensor_named(d, "w").line(), "f32[2] <- mul #1")
        d.late = {"w"}  # what lies there is from before
        self.refuses("w is on the tape, but its numbers are in no variable", commands.tensor_named, d, "w")
        self.assertIn("w        not yet", tensor_lines(list(d.frames())[1]))

    def test_commands_write_what_they_say(self):
        d = self.debugger()
        self.assertEqual(commands.heatmap(d, "h")[:2], ["f32[2] <- mul #1", "##@@"])
        self.assertEqual(commands.grad(d, "kept"), tapes.grad_lines(self.node(self.w)))
        self.assertEqual(commands.explain(d, "x")[0], "gradient of leaf 'x' [2]")
        for text in ("", "h"):
            self.assertEqual(commands.why_nan(d, text), ["no NaN and no Inf was made on the tape"])
        self.assertEqual(commands.tape(d, ""), tapes.tape_lines(d.tape()))
        self.assertIn("h        f32[2] <- mul #1", commands.tensors(d, ""))
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(commands.save_npy(d, "h %s/h.npy" % folder),
                             ["f32[2] written to %s/h.npy" % folder])
            data = pathlib.Path(folder, "h.npy").read_bytes()
            self.assertEqual(data, pictures.npy_header([2], 4) + struct.pack("2f", 3, -4))
            self.assertIn("the tape written to", commands.tape(d, "--dot %s/t.dot" % folder)[0])
            self.assertEqual(pathlib.Path(folder, "t.dot").read_text(),
                             self.said(tapes.dot_lines(d.tape())) + "\n")
        for text, said in (("h", "which tensor, and to which file?"), ("#2 x.npy", "in no variable")):
            self.refuses(said, commands.save_npy, d, text)
        for text in ("--png x", "--dot", "more"):
            self.refuses("it takes nothing, or --dot FILE", commands.tape, d, text)

    def test_the_tensors_of_a_frame_are_those_of_modules_and_lists_too_but_not_behind_pointers(self):
        h, number = self.debugger().variables[0]["h"], self.variable(3, None)
        part = self.variable({}, None, members=[("w", h), ("n", number), ("next", h)])
        each = self.variable({}, None, members=[("[0]", part), ("[1]", h)])
        net = self.variable({}, None, members=[("blocks", each), ("next", h)])
        behind = lambda name, at, of: tensors_in(name, Seen(Pointer(at), None, None, of, pointer=True))
        self.assertEqual([name for name, _, _ in tensors_in("net", net)], ["net.blocks[0].w", "net.blocks[1]"])
        self.assertEqual([name for name, _, _ in behind("this", 5, net.own)], ["blocks[0].w", "blocks[1]"])
        self.assertEqual((behind("this", 0, net.own), behind("net", 5, net.own), tensors_in("n", number)), ([], [], []))
        self.assertEqual([[name for name, _, _ in tensors_in("net", net, depth=depth)] for depth in (0, 1, 2, 3)],
                         [[], [], ["net.blocks[1]"], ["net.blocks[0].w", "net.blocks[1]"]])
        self.assertEqual(tensor_lines([("n", number, None)]), ["no tensors in this frame"])

    def test_a_page_is_asked_of_the_program(self):
        d = self.debugger()
        here = "/here/t.html"
        with unittest.mock.patch("os.getcwd", return_value="/here"):
            self.assertEqual(commands.save_trace(d, "t.html"), ["the tape behind sum #3 written to " + here])
        self.assertEqual(d.written, [id(self.sum).to_bytes(8, sys.byteorder), here.encode() + b"\0", "answered"])
        self.assertEqual(commands.save_trace(d, "/a/t.html  h"),
                         ["the tape behind mul #1 written to /a/t.html"])
        self.assertEqual(d.written[3:5], [id(self.mul).to_bytes(8, sys.byteorder), b"/a/t.html\0"])
        d.says = "no such folder"
        self.refuses("no such folder", commands.save_trace, d, "/a/t.html")
        for text, said in (("", "to which file?"), ("t.html kept", "kept is a leaf: no op has made it")):
            self.refuses(said, commands.save_trace, d, text)
        commands.answer_of(d, self.node(self.mul), "/" + 62 * "a")
        self.refuses("a path of 65 bytes is too long", commands.answer_of, d, self.node(self.mul), "/" + 63 * "a")

    def test_next_backward_leads_to_a_gradient_that_is_still_to_come_and_feeds_a_tensor(self):
        p = self.program
        nodes = [p.node("leaf", sizes=(2,), name="v")]
        nodes += [p.node(op, nodes[0], sizes=(2,)) for op in ("exp", "neg", "tanh")]
        nodes[3]["pass"]["visited"] = 1
        d = Debugger(p, tapes.Tape(p.tape(nodes[2])))
        times, feeds = commands.destination(d, "v")
        self.assertEqual((times, [bool(feeds(self.node(each))) for each in nodes]), (1, [False, True, True, True]))
        nodes[1]["pass"]["visited"] = 1
        self.refuses("no gradient that is still to come feeds v", commands.destination, d, "v")

    def test_going_back_wants_a_ledger_and_a_gradient_before(self):
        p = self.program
        part = p.contribution(self.add, (2,), 1, 1, p.tensor([1, 1], 2))
        for content, said in ((None, "no backward pass is running"), (self.add, "no ledger was kept"),
                              (self.mul, "no ledger was kept"), (self.w, "this is the first gradient")):
            if content is self.w:
                content["ledger"] = p.ledger(contributions=vector([{**part, "number": 0}]))
            self.refuses(said, commands.check_undoable, tapes.Tape(p.tape(content)))
        self.w["ledger"] = p.ledger(contributions=vector([part]))
        self.assertIsNone(commands.check_undoable(tapes.Tape(p.tape(self.w))))

    def test_a_gradient_stands_beside_central_differences_of_the_last_pass_that_comes_by(self):
        self.mul["pass"]["visited"] = 1
        node, wishes = self.node(self.x), []

        def lines(slopes, comes=2):
            def answer(process, number, op, index, element, sign, loss):
                wishes.append((process, number, op.title(), index, element, sign, loss.title()))
                return (3 + 0.01 * sign, 10 + 0.01 * sign * slopes[element]) if number <= comes else None

            with unittest.mock.patch.object(rerun, "run", answer):
                return rerun.check_grad_lines(self.tape, node, 77)

        said = lines([4.05, -1])
        self.assertEqual(self.said(said), """\
gradient of leaf 'x' [2], and central differences of sum #3 from 5 runs of the program
element  gradient  central difference
[0]      4         4.05
[1]      -1        -1
they agree to 2 % of the largest gradient, 4""")
        self.assertEqual([wish[1] for wish in wishes], [4, 3, 2, 2, 2, 2, 2])
        self.assertEqual({wish[:1] + wish[2:4] + wish[6:] for wish in wishes}, {(77, "mul #1", 0, "sum #3")})
        self.assertEqual([wish[4:6] for wish in wishes[2:]], [(0, 0), (0, 1), (0, -1), (1, 1), (1, -1)])
        self.assertEqual(lines([4, -1.1])[-1], "they differ by up to 0.1: more than 2 % of the largest gradient, 4")
        self.assertIn("they differ by up to Inf", lines([4, math.nan])[-1])
        self.refuses("run again, the program does not come to this backward pass", lines, [4, -1], 1)

    def test_a_program_runs_again_in_its_folder_and_environment_with_a_wish_and_answers_two_numbers(self):
        code = """import os, sys, time
wish = os.environ.get("STEPGRAD_RERUN", "").split()
if not wish:
    print("here", flush=True)
    time.sleep(99)
if wish[0] == "7":
    alike = os.getcwd() == "/" and os.environ["KEPT"] == "a=b"
    os.write(int(wish[6]), ("%s.5 %d" % (wish[int(sys.argv[1])], alike)).encode())"""
        for at, expected in ((1, 3), (2, 1), (3, 12), (4, -1), (5, 11)):
            with subprocess.Popen([sys.executable, "-c", code, str(at)], cwd="/", env={"KEPT": "a=b"},
                                  stdout=subprocess.PIPE) as child:
                child.stdout.readline()
                op, loss = types.SimpleNamespace(number=3), types.SimpleNamespace(number=11)
                found = [rerun.run(child.pid, number, op, 1, 12, -1, loss) for number in (7, 8)]
                child.kill()
            self.assertEqual(found, [(expected + math.copysign(0.5, expected), 1), None])

    def test_central_differences_are_of_the_pass_that_came_by(self):
        edges = [(value, [each.int() for each in tensors.sources(value)]) for value in self.tape.values()]
        uses = rerun.users(edges, self.node(self.x))
        self.assertEqual({(op.title(), index) for op, index in uses}, {("add #2", 1), ("mul #1", 0)})
        with self.assertRaisesRegex(stepgrad_read.Problem, "that of mul #1 is still to run"):
            rerun.last_pass(self.tape, edges, self.node(self.x), uses)
        self.mul["pass"]["visited"] = 1
        root, there = rerun.last_pass(self.tape, edges, self.node(self.x), uses)
        self.assertEqual((root.title(), len(there)), ("sum #3", 2))
        self.assertEqual(rerun.of_pass(self.node(self.x)), [4, -1])
        self.assertEqual(rerun.of_pass(self.node(self.w)), [5, 6])
        with self.assertRaisesRegex(stepgrad_read.Problem, "no op on the tape takes sum #3 in"):
            rerun.users(edges, self.node(self.sum))


if __name__ == "__main__":
    unittest.main()
