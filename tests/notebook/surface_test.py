"""Random calls give torch's values, dtypes, gradients and errors' types, and print as torch does."""

import re
import unittest

from session import different, on_stepgrad, on_torch, require, torch_version

require("numpy", "torch")

CALLS = 4000
OPTIONS = 1000


def as_1_13(lines):
    """The same in torch 2, but for a row of README's table."""
    return re.sub(r"(?m)(\.tri[lu]\(.*\) -> )RuntimeError$", r"\1IndexError", lines)


class Surface(unittest.TestCase):
    maxDiff = 2000

    def compare(self, theirs, mine, count, errors):
        """Lines, of which fewer than so many are errors."""
        self.assertEqual(len(theirs.splitlines()), count)
        self.assertLess(len(re.findall(r"(?m)Error$", theirs)), errors)
        differ = different(theirs, mine)
        self.assertEqual(differ, [], f"{len(differ)} differ:\n" + "\n".join(differ[:20]))

    def test_random_calls_give_what_torch_gives(self):
        theirs = as_1_13(on_torch("surface_calls.py", 0, CALLS))
        self.compare(theirs, on_stepgrad("surface_calls.py", 0, CALLS), CALLS, CALLS // 5)

    @unittest.skipIf(torch_version() == 2, "compared with 1.13, whose options these are")
    def test_random_options_do_what_they_do_under_torch(self):
        theirs = on_torch("option_calls.py", 0, OPTIONS)
        self.compare(theirs, on_stepgrad("option_calls.py", 0, OPTIONS), OPTIONS, OPTIONS // 10)

    def test_random_tensors_print_as_torch_prints_them(self):
        self.assertEqual(on_torch("printing_calls.py"), on_stepgrad("printing_calls.py"))


if __name__ == "__main__":
    unittest.main()
