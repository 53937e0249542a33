"""demos/run exchange on a file that is wrong. (On right ones commands_test.py runs it.)"""

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
