"""The documents' cells print the same under torch and under stepgrad."""

import re
import tempfile
import unittest

from session import TREE, different, on_stepgrad, on_torch, require

require("numpy", "torch")


class Documents(unittest.TestCase):
    maxDiff = None

    def assert_same(self, script):
        self.assertEqual(different(on_torch(script), on_stepgrad(script)), [])

    def test_the_cells_of_the_documents(self):
        self.assert_same("cells.py")

    def test_the_cells_of_the_course(self):
        cells = TREE / "demos/lessons/cells.py"
        on_torch(cells), on_stepgrad(cells)  # draws of their own
        head, *parts = re.split("(?m)^# == .*$", cells.read_text())
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write(head + "".join(x for x in parts if not re.search(r"randn|nn\.", x)))
            file.flush()
            self.assert_same(file.name)


unittest.main()
