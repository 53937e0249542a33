"""Random calls give torch's values, dtypes, gradients and errors' types, and print as torch does."""

import re
import unittest

from session import alike, on_stepgrad, on_torch, require, torch_version

require("numpy", "torch")

CALLS = 4000
OPTIONS = 1000


def as_1_13(line):
    """The same in torch 2, but for a row of README's table."""
    return re.sub(r"(\.tri[lu]\(.*\) -> )RuntimeError$", r"\1IndexError", line)


class Surface(unittest.TestCase):
    maxDiff = 2000

    def test_random_calls_give_what_torch_gives(self):
        theirs = [as_1_13(line) for line in on_torch("surface_calls.py", 0, CALLS).splitlines()]
        mine = on_stepgrad("surface_calls.py", 0, CALLS).splitlines()
        self.assertEqual(len(theirs), CALLS)
        self.assertEqual(len(mine), CALLS)
        different = [f"{t}\n    {m}" for t, m in zip(theirs, mine) if t != m]
        errors = sum(line.endswith("Error") for line in theirs)
        self.assertLess(errors, CALLS // 5, "most calls should succeed")
        self.assertEqual(different, [], f"{len(different)} differ:\n" + "\n".join(different[:20]))

    @unittest.skipIf(torch_version() == 2, "compared with 1.13, whose options these are")
    def test_random_options_do_what_they_do_under_torch(self):
        theirs = on_torch("option_calls.py", 0, OPTIONS).splitlines()
        mine = on_stepgrad("option_calls.py", 0, OPTIONS).splitlines()
        self.assertEqual((len(theirs), len(mine)), (OPTIONS, OPTIONS))
        self.assertLess(sum(line.endswith("Error") for line in theirs), OPTIONS // 10)
        # Of three digits the last may be another, after several layers.
        different = [f"{t}\n    {m}" for t, m in zip(theirs, mine) if not alike(t, m, 0.012)]
        self.assertEqual(different, [], f"{len(different)} differ:\n" + "\n".join(different[:20]))

    def test_random_tensors_print_as_torch_prints_them(self):
        self.assertEqual(on_torch("printing_calls.py"), on_stepgrad("printing_calls.py"))


if __name__ == "__main__":
    unittest.main()
