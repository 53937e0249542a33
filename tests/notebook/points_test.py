"""Statements of public torch code, at least fifty per file, beside PyTorch 1.13.

`statement  # here: RESULT (WHY)` is a row where ours is not torch's result, but this one.
"""

import re
import unittest

from session import HERE, different, on_stepgrad, on_torch, torch_version

BY_HAND = re.compile(r"^(.*?)  # here: (.*) \([^()]*\)$", re.MULTILINE)


class Points(unittest.TestCase):
    @unittest.skipIf(torch_version() == 2, "compared with 1.13: errors, defaults and narrow floats are its own")
    def test_statements_give_the_same_as_torch(self):
        rows = errors = 0
        for file in sorted((HERE / "points").glob("*.py")):
            with self.subTest(file.stem):
                theirs, mine = on_torch("statements.py", file).splitlines(), on_stepgrad("statements.py", file)
                by_hand = {code: f"{code} -> {result}" for code, result in BY_HAND.findall(file.read_text())}
                expected = [by_hand.pop(t.rpartition(" -> ")[0], t) for t in theirs]
                differ = different("\n".join(expected), mine)
                self.assertEqual(differ, [], "\n" + "\n".join(differ[:20]))
                self.assertEqual(by_hand, {}, "no such statement")
                self.assertFalse(re.findall("-> (?:NameError|SyntaxError)$", "\n".join(theirs), re.MULTILINE))
                rows, errors = rows + len(theirs), errors + sum(t.endswith("Error") for t in theirs)
        self.assertLess(errors, rows / 4, "most statements should succeed")

    @unittest.skipIf(torch_version() == 2, "compared with 1.13")
    def test_backward_refuses_overwritten_tensors_only_as_torch_does_and_is_never_wrong(self):
        theirs, mine = (on("needed_calls.py").splitlines() for on in (on_torch, on_stepgrad))
        self.assertEqual([line for line in mine if line.endswith("wrong")], [])
        self.assertEqual(len(mine), len(theirs))
        more = {line.split(";")[0] for line in set(mine) - set(theirs) if line.endswith("refused")}
        self.assertEqual(more, {"2 / a", "a.reciprocal()", "a.unfold(0, 2, 1)"})

    def test_typical_scripts_print_the_same_as_torch(self):
        scripts = [file for file in sorted((HERE / "scripts").glob("*.py")) if file.stem != "filled"]
        self.assertEqual(len(scripts), 3)
        for file in scripts:
            with self.subTest(file.stem):
                self.assertEqual(different(on_torch(file), on_stepgrad(file)), [])


if __name__ == "__main__":
    unittest.main()
