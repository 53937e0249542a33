"""Each op that the tape knows has a rule on the page that says where its numbers come from."""

import pathlib
import re
import sys
import unittest

TREE = pathlib.Path(sys.argv.pop())


def texts(folder, pattern):
    return "".join(path.read_text(encoding="utf-8") for path in sorted((TREE / folder).glob(pattern)))


class Rules(unittest.TestCase):
    def test_every_op_has_one(self):
        sources = texts("ops", "*.[ch]pp") + texts("demos/notebook/binding", "*.cpp")
        ops = set(re.findall(r"\bFormula\s+formula\{\s*\"(\w+)\"", sources))
        ops |= set(re.findall(r"\{\"(\w+)\", forward, gradient\}", sources))
        self.assertGreater(len(ops), 45)
        rules = set(re.findall(r"(?:^  |, )(\w+): ", texts("core/trace/page", "rules_*.js"), re.M))
        self.assertEqual(ops - rules, set())


if __name__ == "__main__":
    unittest.main()
