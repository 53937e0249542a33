"""Debuggers' commands, without a debugger: core/debug/stepgrad_commands.py and stepgrad_rerun.py."""

import math
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

TREE = pathlib.Path(sys.argv.pop())
sys.path.insert(0, str(TREE / "core/debug"))

import stepgrad_commands as commands
import stepgrad_read
import stepgrad_rerun as rerun


class Alone(unittest.TestCase):
    """Commands that need no program."""

    def test_are_called_as_their_functions_and_summed_up_in_their_first_sentence(self):
        self.assertEqual([commands.name_of(each) for each in commands.LOOKING],
                         "tape tensors grad explain why-nan check-grad heatmap save-npy save-trace".split())
        self.assertEqual(commands.summary("x Y: one\n  and more. And 1.5 more. End"), "x Y: one and more.")

    def test_next_backward_refuses_a_count_below_one(self):
        for text, times in (("", 1), ("1", 1), ("12", 12), ("+3", 3)):
            self.assertEqual(commands.destination(None, text)[0], times)
        for text in ("0", "-1"):
            with self.assertRaisesRegex(stepgrad_read.Problem, "by 1 gradient or more"):
                commands.destination(None, text)

    def test_a_place_is_counted_from_the_last_dimension(self):
        self.assertEqual([rerun.place(i, [2, 3]) for i in range(6)],
                         [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]])
        self.assertEqual((rerun.place(0, []), rerun.place(23, [2, 3, 4])), ([], [1, 2, 3]))

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

    def test_a_program_runs_again_in_its_folder_and_environment_with_a_wish_and_answers_two_numbers(self):
        code = """import os, sys, time
wish = os.environ.get("STEPGRAD_RERUN", "").split()
if not wish:
    print("here", flush=True)
    time.sleep(99)
if wish[0] == "7":
    alike = os.getcwd() == "/" and os.environ["KEPT"] == "a=b"
    os.write(int(wish[6]), ("%s.5 %d" % (wish[int(sys.argv[1])], alike)).encode())"""
        for at, expected in ((1, 3), (2, 1), (3, 12), (4, -1), (5, 11)):
            with subprocess.Popen([sys.executable, "-c", code, str(at)], cwd="/", env={"KEPT": "a=b"},
                                  stdout=subprocess.PIPE) as child:
                child.stdout.readline()
                op, loss = types.SimpleNamespace(number=3), types.SimpleNamespace(number=11)
                found = [rerun.run(child.pid, number, op, 1, 12, -1, loss) for number in (7, 8)]
                child.kill()
            self.assertEqual(found, [(expected + math.copysign(0.5, expected), 1), None])


if __name__ == "__main__":
    unittest.main()
