"""README's tables of differences: between torch 1.13 and 2, right for each and for stepgrad; and between torch
and stepgrad. And the front page's program."""

import re
import subprocess
import unittest

from session import PYTHON, TREE, ours, output, torch_version

VERSION = torch_version()


# Runs the lines given, but the last statement of each is an expression: prints it, or the error's type.
TELL = """import ast, io, sys, torch, numpy as np
from torch import nn
for line in sys.argv[1:]:
    names = dict(globals(), file=io.BytesIO())
    code = ast.parse(line)
    last = ast.Expression(code.body.pop().value)
    try:
        exec(compile(code, line, "exec"), names)
        print(repr(repr(eval(compile(last, line, "eval"), names))))
    except Exception as error:
        print(repr(type(error).__name__))
"""


class Tables(unittest.TestCase):
    def rows(self, header):
        """The code in backticks of README's table with that header, row by row."""
        text = (TREE / "demos/python/README.md").read_text()
        table = text.split(header + "\n")[1].split("\n\n")[0]
        rows = [re.findall(r"`([^`]+)`", row) for row in table.splitlines()[1:]]
        self.assertGreater(len(rows), 4)
        return rows

    def told(self, rows):
        """The results of the first line of each row, under torch and here."""
        lines = [row[0] for row in rows]
        theirs = subprocess.run([PYTHON, "-W", "ignore", "-c", TELL, *lines], text=True, capture_output=True)
        mine = ours("-c", "import stepgrad.torch\n" + TELL, *lines)
        return zip(rows, output(theirs).splitlines(), output(mine).splitlines(), strict=True)

    def test_each_row_of_the_table_of_versions_is_true(self):
        for row, they, we in self.told(self.rows("| torch 1.13 | torch 2 | here |")):
            self.assertEqual(len(row), 4, row)
            self.assertIn(row[VERSION], they, row[0])
            self.assertIn(row[3], we, row[0])

    def test_each_row_of_the_table_of_differences_is_true(self):
        for row, they, we in self.told(self.rows("| | torch 1.13 | here |")):
            self.assertEqual(len(row), 3, row)
            if VERSION == 1:
                self.assertIn(row[1], they, row[0])
            self.assertIn(row[2], we, row[0])

    def test_the_front_page_shows_what_its_program_prints(self):
        text = (TREE / "README.md").read_text()
        program, shown = re.search(r"```python\n(.*?)^```.*?^```text\n(.*?)^```", text, re.M | re.S).groups()
        self.assertEqual(output(ours("-c", program)), shown)


unittest.main()
