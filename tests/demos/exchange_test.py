"""demos/run exchange on a file that is wrong. (On right ones commands_test.py runs it.)"""

import math
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

TREE, PROGRAM = pathlib.Path(sys.argv.pop()), sys.argv.pop()
PYTHON = "/usr/bin/python3"
SCRIPT = TREE / "demos/exchange/exchange.py"


def there(package):
    return subprocess.run([PYTHON, "-c", f"import {package}"], capture_output=True).returncode == 0


@unittest.skipUnless(there("numpy"), "NumPy is not installed")
class Exchange(unittest.TestCase):
    def run_in(self, folder, *command):
        return subprocess.run(command, cwd=folder, text=True, capture_output=True)

    def test_a_wrong_number_in_any_tensor_is_noticed_on_both_sides(self):
        with tempfile.TemporaryDirectory() as folder:
            self.run_in(folder, PYTHON, SCRIPT, "write")
            expected = pathlib.Path(folder, "expected.safetensors")
            right = expected.read_bytes()
            offsets = re.findall(rb"data_offsets.: .(\d+), (\d+)", right)
            self.assertEqual(len(offsets), 5)
            self.assertEqual(self.run_in(folder, PROGRAM).returncode, 0)
            found = pathlib.Path(folder, "found.safetensors")
            for file, programs in (expected, ([PROGRAM], [PYTHON, SCRIPT, "compare"])), (found, ([PYTHON, SCRIPT, "compare"],)):
                ours = file.read_bytes()
                for i, (begin, end) in enumerate(offsets):
                    for number in 9e9, math.nan, -math.inf:
                        wrong, at = bytearray(ours), len(ours) - int(offsets[-1][1]) + (int(begin) if i % 2 else int(end) - 4)
                        wrong[at:at + 4] = struct.pack("<f", number)
                        file.write_bytes(wrong)
                        self.assertTrue(all(self.run_in(folder, *program).returncode == 1 for program in programs))
                file.write_bytes(ours)


unittest.main()
