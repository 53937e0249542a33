"""gdb's output for tensors, good and bad: in the second program, and in a core file."""

import re
import unittest

import both
import session


class Printers(both.Gdb, both.Printers, unittest.TestCase):
    def test_lists_have_a_line_for_each(self):
        lines = self.in_tensors("info locals")["info locals"]
        for name, text in [*both.LINES.items(), *both.PROBLEMS.items()]:
            self.assertRegex(lines, r"(?m)^%s = %s$" % (name, re.escape(text)))

    def test_numbers_that_cannot_be_are_named(self):
        whole = {"shape.dims_": 1, "shape.sizes_[0]": 3, "size": 3, "storage.p_->size": 3}
        spoilt = [  # as vector, f32[3], is changed: what is said of it
            ({"shape.dims_": 200}, "200 dimensions"), ({"shape.dims_": -3}, "-3 dimensions"),
            ({"shape.sizes_[0]": -1}, "sizes [-1]"),
            ({"shape.sizes_[0]": 4}, "[4] does not fit its storage"),
            ({name: 1 << 41 for name in ("shape.sizes_[0]", "size", "storage.p_->size")},
             "[2199023255552] does not fit its storage"),
            ({"data": "vector.impl_.p_->data + 1"}, "[3] does not fit its storage"),
            ({"data": "vector.impl_.p_->data - 2"}, "[3] does not fit its storage"),
            ({"data": "(float*)0x666", "storage.p_->data": "(float*)0x666"},
             "cannot access memory at address 0x666"),
            ({"refs": 0}, "0 owners")]
        commands = [["set var vector.impl_.p_->%s = %s" % each for each in {**whole, **change}.items()]
                    + ["print vector"] for change, _ in spoilt]
        said = self.in_tensors(*sum(commands, []))
        for answer, (change, text) in zip(said.of["print vector"], spoilt, strict=True):
            with self.subTest(change):
                self.assertIn(text, answer)


if __name__ == "__main__":
    session.require("gdb")
    unittest.main()
