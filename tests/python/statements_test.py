"""Statements of public torch code beside PyTorch 1.13.

`statement  # here: RESULT (WHY)` is a row where ours is not torch's result, but this one.
"""

import re
import unittest

from session import HERE, different, on_stepgrad, on_torch, torch_version

BY_HAND = re.compile(r"^(.*?)  # here: (.*) \([^()]*\)$", re.MULTILINE)


class Statements(unittest.TestCase):
    @unittest.skipIf(torch_version() == 2, "compared with 1.13: errors, defaults and narrow floats are its own")
    def test_statements_give_the_same_as_torch(self):
        files = sorted((HERE / "statements").rglob("*.py"))
        by_hand = {code: f"{code} -> {result}" for file in files for code, result in BY_HAND.findall(file.read_text())}
        theirs = on_torch("statements.py", *files).splitlines()
        expected = [by_hand.pop(t.rpartition(" -> ")[0], t) for t in theirs]
        self.assertEqual(by_hand, {}, "no such statement")
        differ = different("\n".join(expected), on_stepgrad("statements.py", *files))
        self.assertEqual(differ, [], "\n" + "\n".join(differ[:20]))
        hollow = [t for t in theirs if re.search("^MISPLACED|NameError|SyntaxError|UnboundLocalError", t)]
        self.assertEqual(hollow, [], "raises where it should not, or does not where it should")


unittest.main()
