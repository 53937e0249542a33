"""The demo residual: its document's shapes, and its findings about gradients."""

import math
import re
import unittest

from demo import Shown, run


class Demo(Shown, unittest.TestCase):
    def test_every_shape_is_the_documents(self):
        shown = re.findall(r"  > (.*)\.shape\(\)\n    (.*)\n", self.done.stdout)
        self.assertEqual(shown, [
            ("x", "[64, 256, 512]"),
            ("ffn(x)", "[64, 256, 512]"),
            ("x", "[64, 256, 512]"),
            ("residual(x, ffn)", "[64, 256, 512]"),
        ])

    def test_a_convolution_by_1_is_a_linear_layer_up_to_rounding(self):
        apart = re.findall(r"rounding apart\n    tensor\((.*)\)\n", self.done.stdout)
        self.assertEqual(len(apart), 1)
        self.assertTrue(0 <= float(apart[0]) < 1e-4, apart)

    def test_each_sublayer_is_added_to_its_input(self):
        self.assert_equal_to_their_steps(5)
        self.assertIn("  > nn::Conv1d conv(d_model, d_ff, 1);\n", self.done.stdout)

    def test_a_gradient_arrives_only_with_the_connection(self):
        rows = re.findall(r"^    (\d+) +(\S+) +(\S+)$", self.done.stdout, re.M)
        self.assertEqual([int(depth) for depth, _, _ in rows], [1, 2, 4, 8, 16, 32])
        without = [float(norm) for _, norm, _ in rows]
        self.assertEqual(without, sorted(without, reverse=True))
        self.assertLess(without[-1], 1e-15)
        for depth, _, norm in rows:  # begins with 1
            self.assertLess(abs(math.log(float(norm))), 0.1 + int(depth) / 20)

    def test_in_paranoid_mode_a_verdict_on_each_rule_is_printed_at_the_end(self):
        done = run(STEPGRAD_PARANOID="1")
        self.assertEqual(done.stdout, self.done.stdout)
        rules = re.findall(r"^(\w+) +\d+ +[1-9]\d* +[0-9.e-]+ +right", done.stderr, re.M)
        self.assertEqual(rules, ["add", "linear", "relu"])
        self.assertTrue(done.stderr.endswith("found: nothing\n"), done.stderr)


unittest.main()
