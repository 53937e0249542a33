"""The demo curvature: the use of gradients of gradients, in numbers."""

import re
import unittest

from demo import Shown, rows


class Demo(Shown, unittest.TestCase):
    options = "--out", "."

    def setUp(self):
        self.out = self.done.stdout
        self.rows = [{k: float(v) for k, v in row.items()} for row in rows(self.folder / "curvature.csv")]

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
        at = {round(row["t"], 2): row for row in self.rows}
        left, middle, right = (at[t]["loss"] for t in (-0.05, 0, 0.05))
        self.assertAlmostEqual(self.number("slope"), (right - left) / 0.1, delta=2e-5)
        self.assertAlmostEqual(self.number("curvature"), (right - 2 * middle + left) / 0.0025,
                               delta=2e-3)
        for row in self.rows:
            t = row["t"]
            foretold = middle + self.number("slope") * t + self.number("curvature") * t * t / 2
            self.assertAlmostEqual(row["parabola"], foretold, delta=1e-8)
            if round(20 * t) % 5 == 0:
                self.assertRegex(self.out, rf"(?m)^    {t:g} +{row['loss']:.5g} +{row['parabola']:.5g}$")

    def test_a_penalty_makes_gradients_small(self):
        without = self.number("sensitivity_after(200, 0, points)")
        self.assertLess(self.number("sensitivity_after(200, 1, points)"), without / 5)


if __name__ == "__main__":
    unittest.main()
