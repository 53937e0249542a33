"""usage: torch_test.py BUILD TREE [COUNT [FIRST [STEP]]]

Random programs give PyTorch's values and gradients, and throw where it throws: for each instruction
set, on one and on two threads; of more than 10,000 programs, nine in ten go to one engine each, in turn.
Every STEP-th is drawn: from 3 on, every 4th has second derivatives. What differs is made smaller and
printed, to be run by hand.
"""

import json
import os
import pathlib
import subprocess
import sys

from differences import KNOWN, compared
from inputs import spelled

BUILD, TREE = (pathlib.Path(folder).resolve() for folder in sys.argv[1:3])
COUNT, FIRST, STEP = [int(number) for number in sys.argv[3:6]] + [1000, 0, 1][len(sys.argv) - 3:]
BATCH = 16  # programs, which fit into a pipe
HERE = pathlib.Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"
OURS = os.environ.get("STEPGRAD_PYTHON", PYTHON).split()  # also one in WebAssembly
if subprocess.run([PYTHON, "-c", "import torch"], capture_output=True).returncode:
    print(f"skipped: {PYTHON} has no torch (Debian: python3-torch)")
    sys.exit(77)


class Runner:
    """An engine in a process of its own."""

    def __init__(self, *arguments, **variables):
        self.command = [*(OURS if arguments == ("stepgrad",) else [PYTHON]), str(HERE / "runner.py"), *arguments]
        self.environment = {**os.environ, "PYTHONPATH": f"{TREE}/demos/python:{BUILD}/python",
            "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1", **variables}
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, env=self.environment, text=True, pipesize=1 << 20,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, programs):
        self.asked = programs
        self.process.stdin.write("".join(json.dumps(lines) + "\n" for lines in programs))
        self.process.stdin.flush()

    def answers(self):
        """To what was asked, as JSON."""
        asked, found = self.asked, []
        for at in range(len(asked)):
            found.append(self.process.stdout.readline())
            if not found[at]:
                found[at] = json.dumps({"error": [0, f"a crash ({self.process.wait()})", ""]})
                self.start()
                self.ask(asked[at + 1:])
        return found


def answers(runners, *programs):
    """What all of them make of each program; they compute at the same time."""
    for runner in runners:
        runner.ask(programs)
    return list(zip(*[runner.answers() for runner in runners]))


def instruction_sets(environment):
    """Those that this machine has, as the error about an unknown one lists them."""
    asked = subprocess.run([*OURS, "-c", "import stepgrad; stepgrad.Tensor([1.0]) + 1"], text=True,
        env={**environment, "STEPGRAD_SIMD": "?"}, capture_output=True)
    return asked.stderr.split("there are: ")[1].replace(",", "").split()


def difference(lines, ours, floats, doubles):
    """What differs between the answers of stepgrad and of torch, in words, or None; torch's in double
    precision are asked for if they are needed."""
    if ours == floats:
        return None
    ours, floats = json.loads(ours), json.loads(floats)
    return compared(lines, ours, floats, floats) and compared(
        lines, ours, floats, json.loads(*answers([doubles], lines)[0]))


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
    floats, doubles = Runner("torch"), Runner("double")
    engines = {
        f"{simd}, {threads} threads": Runner("stepgrad", STEPGRAD_SIMD=simd, OMP_NUM_THREADS=str(threads))
        for simd in instruction_sets(floats.environment) for threads in (1, 2)}

    def differs(engine, lines):
        (ours, expected), = answers([engine, floats], lines)
        if json.loads(expected).get("error", ["", ""])[1] == "NameError":
            return None  # a line that makes what others need was left out
        return difference(lines, ours, expected, doubles)

    drawn = Runner("draw", str(FIRST), str(COUNT), str(STEP)).process.stdout
    different = errors = second = 0
    known = dict.fromkeys(KNOWN, 0)
    for begin in range(0, COUNT, BATCH):
        batch = [(json.loads(drawn.readline()), drawn.readline()) for _ in range(min(BATCH, COUNT - begin))]
        names = list(engines)
        if COUNT > 10000 and begin // BATCH % 10:
            names = [names[begin // BATCH // 10 % len(names)]]
        told = answers([engines[name] for name in names], *[lines for lines, _ in batch])
        for number, (lines, expected) in enumerate(batch, begin):
            errors += '"error"' in expected
            second += '"error"' not in expected and any("create_graph" in line for line in lines)
            found = {name: difference(lines, ours, expected, doubles) for name, ours in zip(names, told[number - begin])}
            name = next((name for name in names if found[name] not in (None, *KNOWN)), None)
            if name:
                small = smaller(lines, lambda some: differs(engines[name], some) not in (None, *KNOWN))
                print(f"program {FIRST + number * STEP} on {name}: {differs(engines[name], small)}\n    "
                    + "\n    ".join(map(spelled, small)), flush=True)
                different += 1
            else:
                for cause in {*found.values()} - {None}:
                    known[cause] += 1
    print(f"{COUNT} programs on {len(engines)} engines, {second} with second derivatives, {errors} that torch "
        f"refuses: {different} differ; " + ", ".join(f"{known[cause]} {cause}" for cause in KNOWN))
    return different > 0


sys.exit(main())
