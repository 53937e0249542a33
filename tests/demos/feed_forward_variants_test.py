"""The demo feed_forward_variants: its document's results, and more."""

import math
import re
import unittest

from demo import Shown

FUNCTIONS = {
    "relu": lambda x: max(x, 0),
    "gelu": lambda x: x * (1 + math.erf(x / 2 ** 0.5)) / 2,
    "gelu_tanh": lambda x: x * (1 + math.tanh((2 / math.pi) ** 0.5 * (x + 0.044715 * x ** 3))) / 2,
    "silu": lambda x: x / (1 + math.exp(-x)),
}
VALUES = {**FUNCTIONS, **{f"d{name}/dx": lambda x, f=f: (f(x) - f(x - 1e-6)) / 1e-6 for name, f in FUNCTIONS.items()}}


class Demo(Shown, unittest.TestCase):
    environment = {"OMP_NUM_THREADS": "1"}

    def setUp(self):
        self.cells = {cell[:10].strip(): cell.split("\n", 1)[1]
            for cell in self.done.stdout.strip("\n").split("\n\n")}

    def values(self, cell):
        """A cell's output, without its code and without the formatting of tensors."""
        return re.findall(r"^    (?:tensor\()?([^)\n]*)\)?$", self.cells[cell], re.M)

    def rows(self, cell):
        return [line.split() for line in re.findall(r"^    (.*)$", self.cells[cell], re.M)]

    def numbers(self, text):
        return [float(number) for number in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)]

    def test_parameters_of_attention_and_feed_forward_are_the_documents(self):
        self.assertIn("\n    Attention: 1,048,576 (33.3%)\n    FFN: 2,097,152 (66.7%)\n",
            self.done.stdout)

    def test_parameters_are_as_many_as_their_matrices_and_biases(self):
        matrix, hidden = 512 * 2048, 512 * 1365
        two, three = 2 * matrix + 2048 + 512, 3 * matrix + 2 * 2048 + 512
        self.assertEqual(self.values("ReLU")[1:], [str(two)])
        self.assertEqual(self.values("GELU")[1:], [str(two)])
        self.assertEqual(self.values("GLU")[1:], [str(three), str(3 * hidden)])
        self.assertIn(str(two), self.values("Why 2."))
        self.assertEqual(self.values("Weights")[-1], "3,152,384")  # as PyTorch's TransformerEncoderLayer
        means, variances = map(self.numbers, self.values("Block")[1:])
        for mean, variance in zip(means, variances, strict=True):
            self.assertAlmostEqual(mean, 0, delta=1e-3)
            self.assertAlmostEqual(variance, 1, delta=1e-3)

    def test_equal_results_differ_by_rounding_at_most(self):
        for cell in ("Formula", "Hidden"):
            apart = float(self.values(cell)[-1])
            self.assertTrue(0 <= apart < 1e-4, (cell, apart))

    def test_weights_begin_on_both_sides_within_their_bound(self):
        largest, smallest, bound = (float(value) for value in self.values("Init")[:3])
        for weight in (largest, -smallest):
            self.assertTrue(0.99 * bound < weight <= bound, (smallest, largest, bound))
        for depth, default, xavier in self.rows("Init")[-3:]:  # a third of the square a layer, and the bias's
            left = 3 ** -int(depth)
            self.assertAlmostEqual(float(default), (left + (1 - left) / 512) ** 0.5, delta=0.1 * float(default))
            self.assertAlmostEqual(float(xavier), 1, delta=0.1)

    def test_a_wider_layer_has_more_parameters_and_a_narrower_format_more_errors(self):
        self.assertEqual([row[:3] for row in self.rows("Ratios")[1:]],
            [[str(n), str(512 * n), f"{1025 * 512 * n + 512:,}"] for n in (1, 2, 4, 8)])
        for error, digits in zip(self.values("Mixed"), (11, 8)):
            self.assertTrue(0.5 < float(error) * 2 ** digits < 2, error)

    def test_a_loop_over_positions_is_bitwise_equal(self):
        self.assertEqual(self.values("Why 1.")[0], "1.")

    def test_other_positions_do_not_matter_but_in_attention(self):
        self.assertEqual(self.values("Why 3."), ["[[0, 0, 1, 0, 0, 0]]", "[[1, 1, 1, 1, 1, 1]]"])
        self.assertEqual(self.values("Why 2.")[-1], "1.")

    def test_activations_have_their_values_and_slopes(self):
        rows = {row[0]: [float(number) for number in row[1:]] for row in self.rows("compare")[:9]}
        self.assertEqual(rows["x"], [-3, -1, -0.5, 0, 0.5, 1, 3])
        for name, f in VALUES.items():
            for x, shown in zip(rows["x"], rows[name], strict=True):
                self.assertAlmostEqual(shown, f(x), delta=5.1e-5)

    def test_units_die_behind_relu_only(self):
        rows = {row[0]: row[1:] for row in self.rows("Dead")[1:]}
        self.assertGreater(float(rows["relu"][1]), 10)
        for name in ("gelu", "gelu_tanh", "silu"):
            self.assertLess(float(rows[name][1]), 1)

    def test_the_balance_loss_evens_out_the_experts(self):
        gates = self.numbers(self.cells["MoE"].split("together 1")[1])
        before, after = map(self.numbers, self.values("Balance"))
        for shares in gates, before, after:
            self.assertAlmostEqual(sum(shares), 1, places=3)
        self.assertGreater(max(before), 0.4)
        self.assertLess(max(after), 0.2)

    def test_the_controller_learns_with_a_ramp_only(self):
        self.assertEqual(self.values("Adaptive")[-1], "undefined")
        at_first = self.cells["Adaptive"].split("units in use, of 256\n")[1].split(">")[0]
        cut, ramp = self.cells["Ramp"].split("asked for zeros")[1].split(">")
        self.assertEqual(self.numbers(cut), self.numbers(at_first))
        self.assertLess(sum(self.numbers(ramp)), sum(self.numbers(cut)))

    def test_checkpoints_need_less_memory_for_the_same_gradients(self):
        memory = {row[0]: float(row[1]) for row in self.rows("Memory")[1:3]}
        self.assertLess(memory["checkpointed"], memory["plain"] / 2)
        self.assertEqual(self.values("Memory")[-1], "true")

    def test_steps_that_overflow_are_left_out(self):
        self.assertEqual([row[1:3] for row in self.rows("Scaling")[-6:]],
            [["262144", "no"], ["131072", "no"], ["65536", "no"], ["32768", "yes"],
            ["32768", "yes"], ["65536", "no"]])


unittest.main()
