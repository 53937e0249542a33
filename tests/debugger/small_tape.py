"""A tape of three ops, in a memory of dicts, for the tests of what debuggers say of it."""

import unittest

import stepgrad_read
import stepgrad_tape as tapes
import stepgrad_tensor as tensors
from fake_memory import NULL, Debugger, Pointer, Program, Seen, vector


class SmallTape(unittest.TestCase):
    """y = x·w + x and loss = sum y, of [2, 2] and [2]; backward is at the product."""

    def setUp(self):
        p = self.program = Program()
        of = lambda *values: p.tensor(values, 2)
        self.w = p.node("leaf", sizes=(2,), name="w", grad=of(5, 6), earlier=of(5, 6))
        self.x = p.node("leaf", sizes=(2,), name="x", arrived=of(4, -1))
        self.mul = p.node("mul", self.x, self.w, sizes=(2,), line=7, arrived=of(1, 0.5),
                          saved=[("A", of(3, 2)), ("B", p.tensor(None))],
                          inputs=vector([p.range(-1, 2), p.range(0, 1)]), output=p.range(2, 3))
        self.add = p.node("add", self.mul, self.x, sizes=(2,), name="y", line=8, caller=30, visited=1,
                          output=p.range(1, 4))
        self.sum = p.node("sum", self.add, line=9, visited=1, output=p.range(5, 5))
        parts = [p.contribution(self.add, (2, 2), -3, 3, of(3, -3)),
                 p.contribution(self.mul, (2,), 1, 2, of(1, 2))]
        self.x["ledger"] = p.ledger(hooked=of(8, -2), contributions=vector(parts))
        self.tape = tapes.Tape(p.tape(self.mul))

    def node(self, content):
        return tensors.Node(self.program.value(content))

    def said(self, lines):
        return "\n".join(lines)

    def refuses(self, text, run, *args):
        with self.assertRaises(stepgrad_read.Problem) as caught:
            run(*args)
        self.assertIn(text, str(caught.exception))

    def variable(self, content, kind="Tensor", **more):
        return Seen(content, self.program.memory, kind, **more)

    def debugger(self):
        """In a frame with h (what mul made), kept (a leaf w), n (an int), bad, and who calls it has net.out."""
        p = self.program

        def made(node, *values, name=""):
            by = Pointer(id(node), node) if node else NULL
            return p.tensor(values, len(values), name=name, node=by)

        off_tape, spoilt = made(None, 1, 2, name="y"), made(self.mul, 1, 2)
        spoilt["impl_"]["p_"].target["node"] = {"p_": Pointer(9)}
        no_grad = p.node("leaf", sizes=(2,), name="c")
        no_grad["wants_grad"] = 0
        edge = {"node": {"p_": Pointer(id(self.w), self.w)}, "name": "", "shape": self.w["shape"]}
        inner = {"h": self.variable(made(self.mul, 3, -4)), "kept": self.variable(made(self.w, 5, 6)),
                 "n": self.variable(3, None), "bad": self.variable(made(None, 1)),
                 "saved_y": self.variable(off_tape), "spoilt": self.variable(spoilt),
                 "c": self.variable(made(no_grad, 1, 1)), "plain": self.variable(made(None, 1, 1)),
                 "op": self.variable(self.add, "Node"), "edge": self.variable(edge, "Input")}
        inner["bad"].content["impl_"]["p_"].target["refs"] = 0
        out = self.variable(made(self.sum, 7, name="result"))
        outer = {"net": self.variable({}, None, members=[("out", out)])}
        return Debugger(p, tapes.Tape(p.tape(self.mul)), inner, outer)
