"""Shared by the tests of the Python module: running a script on this engine, and on torch."""

import functools
import itertools
import os
import pathlib
import re
import subprocess
import sys

TREE = pathlib.Path(sys.argv.pop()).resolve()
BUILD = pathlib.Path(sys.argv.pop()).resolve()
HERE = pathlib.Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"
PYTHON_OF_OURS = os.environ.get("STEPGRAD_PYTHON", PYTHON).split()  # also one in WebAssembly
OURS = f"{TREE}/demos/python:{BUILD}/python:{HERE}"

# As an import of stepgrad.torch or torch in its first line would have it, so that one file serves both engines.
LAUNCH = """import sys; del sys.argv[0]
sys.path[0] = sys.argv[0].rpartition("/")[0]
import %s
with open(sys.argv[0]) as file: exec(compile(file.read(), sys.argv[0], "exec"))"""

# torch 2 writes equal modules of a list in one line, which 1.13 and stepgrad do not.
TORCH = "torch; torch.nn.ModuleList.__repr__ = torch.nn.Module.__repr__"


def skip(word):
    print("skipped:", word)
    sys.exit(77)


def require(*modules):
    """Skips the test, with a word, unless Debian's Python has all of them."""
    for module in modules:
        if subprocess.run([PYTHON, "-c", f"import {module}"], capture_output=True).returncode:
            skip(f"{PYTHON} has no {module}")


@functools.cache
def torch_version():
    """1 or 2. The differences are a table in demos/python/README.md, and tested."""
    require("numpy", "torch")
    version = subprocess.check_output([PYTHON, "-c", "import torch; print(torch.__version__)"], text=True)
    return int(version.split(".")[0])


def environment(path=OURS):
    return {**os.environ, "PYTHONPATH": str(path), "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "2", "PYTHONWARNINGS": "ignore"}


def ours(*command, path=OURS, **options):
    return subprocess.run([*(PYTHON_OF_OURS if path == OURS else [PYTHON]), *map(str, command)], env=environment(path), text=True,
        capture_output=True, **options)


def run(code, **options):
    """The same for a script's text."""
    return ours("-c", code, **options)


def output(process):
    if process.returncode:
        raise AssertionError(f"{process.args} failed:\n{process.stdout}{process.stderr}")
    return process.stdout


def said(code, **options):
    """What a script prints that has stepgrad as torch."""
    return output(run("import stepgrad.torch, torch\n" + code, **options))


def on_stepgrad(script, *args):
    return output(ours("-c", LAUNCH % "stepgrad.torch", HERE / script, *args))


def on_torch(script, *args):
    return output(ours("-c", LAUNCH % TORCH, HERE / script, *args, path=HERE))


NUMBER = re.compile(r" ?-?\d+\.?\d*(?:e[-+]?\d+)?")


def half_a_digit(number):
    """How much a number of three decimals or more may have been rounded by."""
    mantissa, _, exponent = number.partition("e")
    decimals = len(mantissa.partition(".")[2])
    return 0.5 * 10.0 ** (int(exponent or 0) - decimals) if decimals > 2 else 0


def alike(a, b):
    """Whether two lines are the same but for floats, and these as near as sums in another order: to 1e-4 of
    a number, and 1e-6 of the largest in the line, or of 1, which may have cancelled out."""
    if a == b or NUMBER.sub("0", a) != NUMBER.sub("0", b):
        return a == b
    pairs = [(x.strip(), y.strip()) for x, y in zip(NUMBER.findall(a), NUMBER.findall(b))]
    largest = max((abs(float(x)) for x, _ in pairs if re.search("[.e]", x)), default=0)
    return all(x == y or bool(re.search("[.e]", x) and re.search("[.e]", y)) and
        abs(float(x) - float(y)) <= 1e-4 * abs(float(x)) + 1e-6 * max(1, largest) + half_a_digit(x) + half_a_digit(y)
        for x, y in pairs)


def different(theirs, mine, but=lambda line: False):
    """The lines of torch's output whose like stepgrad's has not, with those, but for some of torch's."""
    pairs = itertools.zip_longest(theirs.splitlines(), mine.splitlines(), fillvalue="")
    return [f"{t}\n    {m}" for t, m in pairs if not alike(t, m) and not but(t)]
