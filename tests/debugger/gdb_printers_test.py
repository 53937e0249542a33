"""What gdb shows of tensors, good and bad: on the second program, and in a core file."""

import pathlib
import re
import tempfile
import unittest

import session
from session import SECOND, gdb

IN_TENSORS = ["break marker", "run", "up"]


class Printers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        names = ["scalar", "vector", "cube", "none", "nan", "leaf", "product", "large",
                 "undefined", "nowhere", "corrupted", "freed"]
        prints = sum((["echo == %s\\n" % name, "print " + name] for name in names), [])
        cls.output = gdb(SECOND, *IN_TENSORS, *prints, "echo == end\\n", "info locals", "tensors")

    def of(self, name):
        return self.output.split("== %s\n" % name)[1].split("\n== ")[0] + "\n"

    def test_a_number(self):
        self.assertIn("Tensor f32[]\n  2.5000\n", self.of("scalar"))

    def test_a_named_vector(self):
        self.assertIn("Tensor f32[3] 'vector'\n  [1, 2, 3]\n"
                      "  min 1  max 3  mean 2  std 1  zeros 0%\n", self.of("vector"))

    def test_more_dimensions_and_none(self):
        self.assertIn("Tensor f32[2, 3, 4]\n  [[[1, 1, 1, 1],\n", self.of("cube"))
        self.assertIn("Tensor f32[0, 3]\n  []\n  no elements\n", self.of("none"))

    def test_nan_and_inf(self):
        self.assertIn("min 1  max 3  mean 2  std 1.414  zeros 0%  !! NaN 1  Inf 1", self.of("nan"))

    def test_a_leaf_has_no_gradient_yet_and_a_name_in_any_script(self):
        self.assertIn("Tensor f32[2, 2] '가중치' leaf\n", self.of("leaf"))
        self.assertIn("  grad: none yet\n", self.of("leaf"))

    def test_an_output_says_what_made_it(self):
        self.assertIn("Tensor f32[2, 2] <- mul #1\n", self.of("product"))
        self.assertIn("made by mul #1 ('가중치' [2, 2], []) called at second.cpp:",
                      self.of("product"))

    def test_a_large_one_is_sampled(self):
        self.assertIn("Tensor f32[16384, 8192]\n", self.of("large"))
        self.assertIn("elements, evenly spread)", self.of("large"))

    def test_bad_ones_say_so(self):
        self.assertIn("Tensor <undefined>", self.of("undefined"))
        self.assertIn("dangling or not initialised: cannot access memory at address 0xcdcdcdcd",
                      self.of("nowhere"))
        self.assertRegex(self.of("corrupted"), "(dangling|freed) or not initialised")
        self.assertIn("Tensor <freed>", self.of("freed"))

    def test_tensors_has_a_line_for_each(self):
        lines = self.output.split("== end\n")[1]
        self.assertRegex(lines, r"(?m)^vector +f32\[3\] 'vector'$")
        self.assertRegex(lines, r"(?m)^leaf +f32\[2, 2\] '가중치' leaf, grad: none yet$")
        self.assertRegex(lines, r"(?m)^freed +freed$")
        self.assertRegex(lines, r"(?m)^later +line \d+ has not run yet$")
        self.assertNotRegex(lines, r"(?m)^number +f32")

    def test_a_quarter_of_a_billion_bytes_print_within_a_second(self):
        output = gdb(SECOND, *IN_TENSORS, "python import time; start = time.process_time()",
                     "print large", "python print('TOOK', time.process_time() - start)")
        self.assertLess(float(re.search(r"TOOK ([\d.]+)", output)[1]), 1)

    def test_they_never_call_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            core = pathlib.Path(folder) / "core"
            gdb(SECOND, *IN_TENSORS, "generate-core-file %s" % core)
            output = gdb(SECOND, "frame function tensors", "print leaf", "tape", "tensors",
                         "next-backward", options=["-core", str(core)])
        self.assertIn("Tensor f32[2, 2] '가중치' leaf\n", output)
        self.assertRegex(output, r"#1 +mul")
        self.assertRegex(output, r"(?m)^vector +f32\[3\] 'vector'$")
        self.assertIn("next-backward: this is a core file: nothing runs in it", output)

if __name__ == "__main__":
    session.require("gdb")
    unittest.main()
