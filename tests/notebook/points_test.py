"""What public torch code uses, point by point: fifty statements and more of each, beside torch."""

import unittest

from session import HERE, on_stepgrad, on_torch, skip, torch_version

if torch_version() != 1:
    skip("what was compared, statement by statement, is torch 1.13")


class Points(unittest.TestCase):
    def test_statements_give_what_torch_gives(self):
        for file in sorted((HERE / "points").glob("*.py")):
            with self.subTest(file.stem):
                theirs = on_torch("statements.py", file).splitlines()
                mine = on_stepgrad("statements.py", file).splitlines()
                self.assertGreaterEqual(len(theirs), 50)
                different = [f"{t}\n    {m}" for t, m in zip(theirs, mine) if t != m]
                self.assertEqual(len(theirs), len(mine))
                self.assertEqual(different, [], "\n" + "\n".join(different[:20]))

    def test_scripts_in_the_manner_of_public_ones_print_what_they_print_under_torch(self):
        scripts = [file for file in sorted((HERE / "manners").glob("*.py")) if file.stem != "filled"]
        self.assertEqual(len(scripts), 6)
        for file in scripts:
            with self.subTest(file.stem):
                self.assertEqual(on_torch(file), on_stepgrad(file))


if __name__ == "__main__":
    unittest.main()
