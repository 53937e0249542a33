"""Debuggers' commands, without a debugger: core/debug/stepgrad_commands.py."""

import os
import pathlib
import sys
import tempfile
import unittest

TREE = pathlib.Path(sys.argv.pop())
sys.path.insert(0, str(TREE / "core/debug"))

import stepgrad_commands as commands
import stepgrad_read


class Alone(unittest.TestCase):
    """Commands that need no program."""

    def test_are_called_as_their_functions_and_summed_up_in_their_first_sentence(self):
        self.assertEqual([commands.name_of(each) for each in commands.LOOKING],
                         "tape tensors grad explain why-nan heatmap save-npy save-trace".split())
        self.assertEqual(commands.summary("x Y: one\n  and more. And 1.5 more. End"), "x Y: one and more.")

    def test_next_backward_refuses_a_count_below_one(self):
        for text, times in (("", 1), ("1", 1), ("12", 12), ("+3", 3)):
            self.assertEqual(commands.destination(None, text)[0], times)
        for text in ("0", "-1"):
            with self.assertRaisesRegex(stepgrad_read.Problem, "by 1 gradient or more"):
                commands.destination(None, text)

    def test_a_file_is_replaced_when_all_of_it_is_written_and_keeps_its_mode(self):
        with tempfile.TemporaryDirectory() as folder:
            path, link = folder + "/x.npy", folder + "/link"
            commands.write(path, lambda file: file.write(b"one"))
            os.chmod(path, 0o640)
            os.symlink(path, link)

            def half(file):
                file.write(b"tw")
                raise RuntimeError

            for failing in (path, folder + "/new"):
                with self.assertRaises(RuntimeError):
                    commands.write(failing, half)
            self.assertEqual((pathlib.Path(path).read_bytes(), sorted(os.listdir(folder))),
                             (b"one", ["link", "x.npy"]))
            commands.write(link, lambda file: file.write(b"three"))
            mode = os.stat(path).st_mode & 0o777
            self.assertEqual((pathlib.Path(path).read_bytes(), mode, os.path.islink(link)),
                             (b"three", 0o640, True))
            for wrong, text in ((folder, "not a regular file"), (folder + "/none/x", "No such file")):
                with self.assertRaisesRegex(stepgrad_read.Problem, text):
                    commands.write(wrong, lambda file: None)


if __name__ == "__main__":
    unittest.main()
