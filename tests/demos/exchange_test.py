"""demos/run exchange without its installation: both sides, one after the other."""

import pathlib
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

    def test_what_numpy_wrote_is_read_and_what_is_written_it_reads(self):
        with tempfile.TemporaryDirectory() as folder:
            for command in ([PYTHON, SCRIPT, "write"], [PROGRAM], [PYTHON, SCRIPT, "compare"]):
                done = self.run_in(folder, *command)
                self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_a_wrong_gradient_is_noticed_on_both_sides(self):
        with tempfile.TemporaryDirectory() as folder:
            self.run_in(folder, PYTHON, SCRIPT, "write")
            expected = pathlib.Path(folder, "expected.safetensors")
            bytes = expected.read_bytes()
            expected.write_bytes(bytes[:-1] + b"\x50")
            self.assertEqual(self.run_in(folder, PROGRAM).returncode, 1)
            self.assertNotEqual(self.run_in(folder, PYTHON, SCRIPT, "compare").returncode, 0)


if __name__ == "__main__":
    unittest.main()
