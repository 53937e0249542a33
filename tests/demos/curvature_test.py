"""The demo curvature: the use of gradients of gradients, in numbers."""

import re
import unittest

from demo import Shown


class Demo(Shown, unittest.TestCase):
    def setUp(self):
        self.out = self.done.stdout

    def number(self, code):
        found = re.findall("^  > " + re.escape(code) + r".*\n    (\S+)$", self.out, re.M)
        self.assertEqual(len(found), 1, code)
        return float(found[0])

    def test_a_cube_has_the_derivatives_of_the_schoolbook(self):
        self.assertIn("// 3x²\n    tensor([12.], grad_fn=<", self.out)
        self.assertIn("// 6x\n    tensor([12.])\n", self.out)
        self.assertIn("in mul #1's gradient\n", self.out)

    def test_newtons_step_ends_at_the_lowest_point(self):
        before, after = re.findall(r"\|g\|², .*\n    (\S+)", self.out)
        self.assertGreater(float(before), 1e-3)
        self.assertLess(float(after), 1e-8 * float(before))

    def test_slope_and_curvature_match_the_losses_beside_0(self):
        rows = [[float(n) for n in row] for row in re.findall(r"(?m)^    (-?0\S*) +(\S+) +(\S+)$", self.out)]
        losses = {t: loss for t, loss, _ in rows}
        self.assertEqual(list(losses), [-0.5, -0.25, -0.05, 0, 0.05, 0.25, 0.5])
        left, middle, right = (losses[t] for t in (-0.05, 0, 0.05))
        self.assertAlmostEqual(self.number("slope"), (right - left) / 0.1, delta=2e-5)
        self.assertAlmostEqual(self.number("curvature"), (right - 2 * middle + left) / 0.0025,
            delta=2e-3)
        for t, _, foretold in rows:
            parabola = middle + self.number("slope") * t + self.number("curvature") * t * t / 2
            self.assertAlmostEqual(foretold, parabola, delta=2e-6)

    def test_a_penalty_makes_gradients_small(self):
        without = self.number("sensitivity_after(200, 0, points)")
        self.assertLess(self.number("sensitivity_after(200, 1, points)"), without / 5)


unittest.main()
