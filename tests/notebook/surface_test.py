"""Thousands of random calls: values, dtypes, gradients and errors' types are torch's."""

import unittest

from session import on_stepgrad, on_torch, require

require("numpy", "torch")

CALLS = 4000


class Surface(unittest.TestCase):
    def test_random_calls_give_what_torch_gives(self):
        theirs = on_torch("surface_calls.py", 0, CALLS).splitlines()
        mine = on_stepgrad("surface_calls.py", 0, CALLS).splitlines()
        self.assertEqual(len(theirs), CALLS)
        self.assertEqual(len(mine), CALLS)
        different = [f"{t}\n    {m}" for t, m in zip(theirs, mine) if t != m]
        errors = sum(line.endswith("Error") for line in theirs)
        self.assertLess(errors, CALLS // 5, "most calls should succeed")
        self.assertEqual(different, [], f"{len(different)} differ:\n" + "\n".join(different[:20]))


if __name__ == "__main__":
    unittest.main()
