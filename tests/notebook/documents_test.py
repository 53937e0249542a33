"""The documents' cells, and a training, print the same under torch and under stepgrad."""

import unittest

from session import different, on_stepgrad, on_torch, require

require("numpy", "torch")


class Documents(unittest.TestCase):
    maxDiff = None

    def assert_same(self, script):
        self.assertEqual(different(on_torch(script), on_stepgrad(script)), [])

    def test_000_the_notebook(self):
        self.assert_same("cells_000.py")

    def test_001_position_wise_feed_forward_network(self):
        self.assert_same("cells_001.py")

    def test_002_transformer(self):
        self.assert_same("cells_002.py")

    def test_003_parts_of_a_transformer(self):
        self.assert_same("cells_003.py")

    def test_attention(self):
        self.assert_same("cells_attention.py")

    def test_a_notebook_that_trains(self):
        self.assert_same("cells_training.py")


if __name__ == "__main__":
    unittest.main()
