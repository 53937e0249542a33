"""What debuggers say of a tape, without a debugger: core/debug/stepgrad_tape.py and stepgrad_tensor.py.
All texts are by hand."""

import pathlib
import re
import sys
import unittest

TREE = pathlib.Path(sys.argv.pop())
sys.path.insert(0, str(TREE / "core/debug"))

import stepgrad_read
import stepgrad_tape as tapes
import stepgrad_tensor as tensors
from fake_memory import NULL, Pointer, Program, vector
from small_tape import SmallTape


class Tapes(SmallTape):
    def test_are_listed_oldest_first_with_what_has_run_and_where_backward_is(self):
        self.assertEqual(self.said(tapes.tape_lines(self.tape)), """\
        op   inputs            output   called at
=>  #1  mul  'x' [2], 'w' [2]  [2]      a.cpp:7
ok  #2  add  #1 [2], 'x' [2]   [2] 'y'  a.cpp:8, from main.cpp:30
ok  #3  sum  'y' [2]           []       a.cpp:9""")
        self.assertEqual(tapes.tape_lines(self.tape, narrow=True)[1:4],
                         ["=>  #1  mul  'x' [2], 'w' [2]  [2]      a.cpp:7", "    dX = mul dY",
                          "ok  #2  add  #1 [2], 'x' [2]   [2] 'y'  a.cpp:8"])
        at_leaf = tapes.Tape(self.program.tape(self.x))
        self.assertEqual(tapes.tape_lines(at_leaf)[-1], "=> leaf 'x' [2]: grad +=")
        for ops, text in ((0, "nothing has been recorded yet"), (9, "all that was recorded has been freed")):
            with self.assertRaisesRegex(stepgrad_read.Problem, text):
                tapes.Tape(self.program.value({"ops": 0, "numbered": ops, "visiting": NULL}))

    def test_of_a_long_one_the_ops_around_backward_are_shown(self):
        program = Program()
        nodes = [program.node("leaf", sizes=(1,), name="x")]
        nodes += [program.node("neg", nodes[0], sizes=(1,), line=i) for i in range(1, 31)]
        for visiting, limit, first in ((None, 8, 23), (None, 40, 1), (15, 8, 12), (29, 8, 23), (2, 8, 1),
                                       (16, 9, 13)):
            tape = tapes.Tape(program.tape(nodes[visiting] if visiting else None))
            rows = tapes.tape_lines(tape, limit)
            shown = [int(row.split("#")[1].split()[0]) for row in rows[1:] if "neg" in row]
            if visiting:
                self.assertIn(visiting, shown)
            self.assertEqual(shown, list(range(shown[0], shown[0] + min(limit, 30))))
            self.assertEqual(shown[0], first)
            self.assertEqual("(%d of 30 ops)" % limit in rows, limit < 30)

    def test_gradients_are_the_sum_of_what_each_consumer_added(self):
        self.assertEqual(self.said(tapes.explain_lines(self.node(self.x))), """\
gradient of leaf 'x' [2]
add #2                      a.cpp:8, from main.cpp:30  [2, 2] -> [2]  -3 to 3  3 -3
mul #1                      a.cpp:7                    [2]            1 to 2   1 2
sum                                                    [2]            -1 to 4  4 -1
hooks made of what arrived                             [2]            -2 to 8  8 -2""")
        self.assertEqual(self.said(tapes.explain_lines(self.node(self.w))), """\
gradient of leaf 'w' [2]
earlier passes  [2]  5 to 6  5 6
sum             [2]  5 to 6  5 6""")
        for content, text in ((self.mul, "nothing has been added"),
                              (self.program.node("neg"), "no ledger was kept")):
            with self.assertRaisesRegex(stepgrad_read.Problem, text):
                tapes.explain_lines(self.node(content))

    def test_a_gradient_is_shown_as_far_as_it_has_come(self):
        for content, said in (
                (self.x, "leaf 'x' [2]: so far on its way: f32[2]  min -1  max 4  mean 1.5  std 3.536"
                         "  zeros 0%\n  [ 4, -1]"),
                (self.w, "leaf 'w' [2]: f32[2]  min 5  max 6  mean 5.5  std 0.7071  zeros 0%\n  [5, 6]"),
                (self.add, "add #2: passed on and not kept (retain_grad() keeps it)"),
                (self.program.node("neg"), "neg #4: none yet")):
            self.assertEqual(self.said(tapes.grad_lines(self.node(content))), "gradient of " + said)

    def test_a_node_says_its_formulas_and_what_it_saved(self):
        self.assertEqual(self.said(self.node(self.mul).lines()), """\
mul #1 ('x' [2], 'w' [2]) called at a.cpp:7
  Y = mul X   dX = mul dY
  A: f32[2]
  B: not saved
  gradient so far: f32[2]  min 0.5  max 1  mean 0.75  std 0.3536  zeros 0%""")
        self.assertEqual(self.node(self.w).lines(), ["leaf 'w' [2]", "  grad +="])
        within = self.program.node("neg", line=4)
        within["gradient_of"] = {"formula": self.add["formula"], "number": 2}
        self.assertEqual(self.node(within).at, "a.cpp:4, in add #2's gradient")

    def test_a_tensor_says_what_made_it_and_where_its_gradient_is(self):
        def of(node):
            return tensors.Tensor(self.program.value(
                self.program.tensor([1, 2], 2, name="n", node=Pointer(id(node), node))))

        self.assertEqual(of(self.mul).line(), "f32[2] 'n' <- mul #1")
        self.assertEqual(of(self.w).line(), "f32[2] 'n' leaf, grad: here")
        self.assertEqual(of(self.x).line(), "f32[2] 'n' leaf, grad: on its way")
        self.assertEqual(of(self.program.node("leaf", sizes=(2,))).line(), "f32[2] 'n' leaf, grad: none yet")
        self.assertEqual(of(self.add).lines()[-2:], [
            "  grad: passed on and not kept (retain_grad() keeps it)",
            "  made by add #2 (#1 [2], 'x' [2]) called at a.cpp:8, from main.cpp:30"])
        self.assertEqual(of(self.w).lines()[0], "Tensor f32[2] 'n' leaf")
        self.assertEqual(of(self.mul).glance(), "f32[2] 'n' <- mul #1 = 1 2  (1 to 2)")

    def test_who_made_a_nan_is_found_in_outputs_or_else_in_gradients(self):
        self.assertEqual(tapes.why_nan_lines(self.tape), ["no NaN and no Inf was made on the tape"])
        p, kept = self.program, self.mul["ledger"].target
        kept["arrived"] = p.range(-9, 9)
        self.x["ledger"].target["contributions"] = vector([
            {**p.contribution(self.add, (2,), 1, 1, p.tensor([1, 1], 2)), "range": p.range(1, 1, inf=1)},
            {**p.contribution(self.mul, (2,), 1, 1, p.tensor([1, 1], 2)), "range": p.range(1, 2, nan=1)}])
        self.add["ledger"].target["arrived"] = p.range(0, 1)
        self.assertEqual(tapes.why_nan_lines(self.tape)[:4], [
            "the gradient of add #2 made it, called at a.cpp:8, from main.cpp:30",
            "  for its input leaf 'x' [2]: 1 to 1, 1 Inf",
            "  dX = add dY", "  the gradient that arrived there: 0 to 1"])
        kept["output"] = p.range(2, 3, nan=2)
        self.assertEqual(tapes.why_nan_lines(self.tape), [
            "mul #1 made it, called at a.cpp:7", "  Y = mul X   [2]: 2 to 3, 2 NaN", "  'x' [2]: -1 to 2",
            "  'w' [2]: 0 to 1"])
        kept["inputs"] = vector([p.range(-1, 2), p.range(0, 1, inf=1)])
        self.assertIn("mul #1 is the first on the tape to have it, called at a.cpp:7; it came in from outside",
                      tapes.why_nan_lines(self.tape))
        self.assertEqual(tapes.why_nan_lines(self.tape, self.node(self.w)),
                         ["no NaN and no Inf was made on the tape"])

    def test_a_drawing_has_each_op_and_each_edge(self):
        named = {"n%x" % id(each): name for each, name in
                 ((self.x, "x"), (self.w, "w"), (self.mul, "mul"), (self.add, "add"), (self.sum, "sum"))}
        lines = [re.sub(r"n[0-9a-f]{6,}", lambda found: named[found[0]], line).strip()
                 for line in tapes.dot_lines(self.tape)]
        self.assertEqual(self.said(lines[2:-1]), r"""
w [label="leaf 'w' [2]\n", shape=ellipse];
x [label="leaf 'x' [2]\n", shape=ellipse];
mul [label="mul #1\na.cpp:7", style=filled, fillcolor="#fde0c5"];
x -> mul [label="[2]"];
w -> mul [label="[2]"];
add [label="add #2\na.cpp:8, from main.cpp:30"];
mul -> add [label="[2]"];
x -> add [label="[2]"];
sum [label="sum #3\na.cpp:9"];
add -> sum [label="[2]"];""".lstrip())

    def test_ops_are_found_by_name_and_by_number(self):
        for what, content in (("#1", self.mul), ("#3", self.sum), ("y", self.add), ("w", self.w)):
            self.assertEqual(self.tape.find(what).address, id(content))
        for what in ("", "#", "#0", "#4", "z"):
            self.assertIsNone(self.tape.find(what), what)
        self.assertEqual(self.tape.newest_op().title(), "sum #3")
        p = self.program
        p.node("neg", self.w, sizes=(2,))["wants_grad"] = 0
        p.node("leaf", sizes=(2,), name="later")
        self.assertEqual(tapes.Tape(p.tape()).newest_op().title(), "sum #3", "not what wants no gradient, nor a leaf")
        del p.nodes[2:5]
        with self.assertRaisesRegex(stepgrad_read.Problem, "nothing on the tape requires a gradient"):
            tapes.Tape(p.tape()).newest_op()
        self.assertEqual([each.address() for each in tapes.behind(self.program.value(self.mul))][0], id(self.mul))


if __name__ == "__main__":
    unittest.main()
