"""usage: torch_test.py BUILD TREE [COUNT [FIRST]]

Random programs give PyTorch's values and gradients, and throw where it throws: for each instruction
set, on one and on two threads. What differs is made smaller and printed, to be run by hand.

How far two engines may be apart depends on the program (think of exp(x) - exp(x + 1e-7)), so that
torch itself in double precision says it: eight times what torch's floats are off from its doubles.
"""

import json
import math
import os
import pathlib
import subprocess
import sys

BUILD, TREE = (pathlib.Path(folder).resolve() for folder in sys.argv[1:3])
COUNT, FIRST = [int(number) for number in sys.argv[3:5]] + [1000, 0][len(sys.argv) - 3:]
HERE = pathlib.Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"
if subprocess.run([PYTHON, "-c", "import torch"], capture_output=True).returncode:
    print(f"skipped: {PYTHON} has no torch (Debian: python3-torch)")
    sys.exit(77)


class Runner:
    """An engine in a process of its own."""

    def __init__(self, *arguments, **variables):
        self.command = [PYTHON, str(HERE / "runner.py"), *arguments]
        path = f"{TREE}/demos/notebook:{BUILD}/python"
        self.environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1",
                            "OMP_NUM_THREADS": "1", **variables}
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, env=self.environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, lines):
        self.process.stdin.write(json.dumps(lines) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if answer:
            return json.loads(answer)
        code = self.process.wait()
        self.start()
        return {"error": [0, f"a crash ({code})", ""]}


def instruction_sets(environment):
    """Those that this machine has, as the error about an unknown one lists them."""
    asked = subprocess.run([PYTHON, "-c", "import stepgrad; stepgrad.Tensor([1.0]) + 1"], text=True,
                           env={**environment, "STEPGRAD_SIMD": "?"}, capture_output=True)
    return asked.stderr.split("there are: ")[1].replace(",", "").split()


# What stepgrad refuses in a sentence because its tape does not record it, and torch records.
REFUSALS = ("is not recorded", "clone() it first")


def kind(x):
    return "nan" if math.isnan(x) else x if math.isinf(x) else "finite"


def difference(ours, floats, doubles):
    """What differs, in words, or None."""
    if "error" in ours or "error" in floats:
        mine, theirs = (r.get("error") for r in (ours, floats))
        if mine and theirs and mine[0] == theirs[0]:
            return None
        if mine and any(words in mine[2] for words in REFUSALS):
            return None
        if theirs and "modified by an inplace operation" in theirs[2]:
            return None  # it saves results of which no gradient here has need
        return f"ours threw {mine}, torch {theirs}"
    for name, expected in floats.items():
        got = ours.get(name)
        if got is None or expected is None:
            if got is not expected:
                return f"{name}: {got}, torch's is {expected}"
            continue
        if got[0] != expected[0]:
            return f"{name} has the shape {got[0]}, torch's has {expected[0]}"
        exact = doubles[name][1] if doubles.get(name) else expected[1]
        finite = [(t, e) for t, e in zip(expected[1], exact) if kind(t) == kind(e) == "finite"]
        largest = max((abs(t) for t, _ in finite), default=0.0)
        off = max((abs(t - e) for t, e in finite), default=0.0)
        allowed = 8 * off + 4e-6 * largest + 1e-30
        for i, (o, t, e) in enumerate(zip(got[1], expected[1], exact)):
            if kind(t) != kind(e):
                continue
            if kind(o) != kind(t) or (kind(o) == "finite" and abs(o - t) > allowed):
                return f"{name}, element {i}: {o}, torch's is {t} (in double precision {e})"
    return None


def smaller(lines, fails):
    """The program without the lines that the difference does not need."""
    changed = True
    while changed:
        changed = False
        for at in reversed(range(len(lines))):
            shorter = lines[:at] + lines[at + 1:]
            if fails(shorter):
                lines, changed = shorter, True
    return lines


def main():
    floats, doubles = Runner(), Runner("double")
    sets = instruction_sets(floats.environment)
    engines = {
        f"{simd}, {threads} threads": Runner("stepgrad", STEPGRAD_SIMD=simd, OMP_NUM_THREADS=str(threads))
        for simd in sets for threads in (1, 2)}
    drawer = subprocess.Popen([PYTHON, "-c", f"""
import json, sys, warnings
warnings.simplefilter("ignore")
sys.path.insert(0, {str(HERE)!r})
import programs
for seed in range({FIRST}, {FIRST + COUNT}):
    print(json.dumps(programs.program(seed)), flush=True)"""], stdout=subprocess.PIPE, text=True)
    different = errors = 0
    for seed, text in enumerate(drawer.stdout, FIRST):
        lines = json.loads(text)
        expected, exact = floats(lines), doubles(lines)
        errors += "error" in expected
        for name, engine in engines.items():
            if not difference(engine(lines), expected, exact):
                continue
            def fails(some):
                theirs = floats(some)
                if theirs.get("error", ["", ""])[1] == "NameError":
                    return False
                return difference(engine(some), theirs, doubles(some))
            small = smaller(lines, fails)
            print(f"program {seed} on {name}: {fails(small)}\n    " + "\n    ".join(small), flush=True)
            different += 1
            break
    print(f"{seed + 1 - FIRST} programs on {len(engines)} engines, {errors} that torch refuses: "
          f"{different} differ")
    sys.exit(different > 0 or seed + 1 - FIRST != COUNT)


main()
