"""usage: torch_test.py BUILD TREE [COUNT [FIRST [STEP]]]

Random programs give PyTorch's values and gradients, and throw where it throws: for each instruction
set, on one and on two threads; of more than 10,000 programs, nine in ten go to one engine each, in turn.
Every STEP-th is drawn: from 3 on, every 4th has second derivatives. When it is interrupted, it says what it
found so far. What differs is made smaller and printed, to be run by hand.
"""

import itertools
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
if subprocess.run([PYTHON, "-c", "import torch"], capture_output=True).returncode:
    print(f"skipped: {PYTHON} has no torch (Debian: python3-torch)")
    sys.exit(77)


class Runner:
    """An engine in a process of its own."""

    def __init__(self, *arguments, **variables):
        self.command = [PYTHON, str(HERE / "runner.py"), *arguments]
        path = f"{TREE}/demos/python:{BUILD}/python"
        self.environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1",
                            "OMP_NUM_THREADS": "1", **variables}
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, env=self.environment, text=True, pipesize=1 << 20,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)

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


def all_of(runners, *programs):
    """What each of them answers, program by program; they compute at the same time."""
    for runner in runners:
        runner.ask(programs)
    return list(zip(*[runner.answers() for runner in runners]))


def of_one(runners, lines):
    answers, = all_of(runners, lines)
    return answers


def instruction_sets(environment):
    """Those that this machine has, as the error about an unknown one lists them."""
    asked = subprocess.run([PYTHON, "-c", "import stepgrad; stepgrad.Tensor([1.0]) + 1"], text=True,
                           env={**environment, "STEPGRAD_SIMD": "?"}, capture_output=True)
    return asked.stderr.split("there are: ")[1].replace(",", "").split()


def difference(lines, ours, floats, doubles):
    """What differs between the answers of stepgrad and of torch, in words, or None; torch's in double
    precision are asked for if they are needed."""
    if ours == floats:
        return None
    ours, floats = json.loads(ours), json.loads(floats)
    return compared(lines, ours, floats, floats) and compared(
        lines, ours, floats, json.loads(*of_one([doubles], lines)))


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
        ours, expected = of_one([engine, floats], lines)
        if json.loads(expected).get("error", ["", ""])[1] == "NameError":
            return None  # a line that makes what others need was left out
        return difference(lines, ours, expected, doubles)

    def programs():
        drawn = Runner("draw", str(FIRST), str(COUNT), str(STEP)).process.stdout
        for seed in range(FIRST, FIRST + COUNT * STEP, STEP):
            yield f"program {seed}", json.loads(drawn.readline()), drawn.readline()

    def answered():
        """With what each engine that was asked answers: name, engine, answer."""
        drawn = programs()
        for number in itertools.count():
            batch = list(itertools.islice(drawn, BATCH))
            if not batch:
                return
            asked = list(engines.items())
            if COUNT > 10000 and number % 10:
                asked = [asked[number // 10 % len(asked)]]
            answers = all_of([engine for _, engine in asked], *[lines for _, lines, _ in batch])
            for one, told in zip(batch, answers):
                yield *one, [(*each, ours) for each, ours in zip(asked, told)]

    different = errors = second = count = 0
    known = dict.fromkeys(KNOWN, 0)
    try:
        for title, lines, expected, told in answered():
            count += 1
            errors += '"error"' in expected
            second += '"error"' not in expected and any("create_graph" in line for line in lines)
            found = [(difference(lines, ours, expected, doubles), name, engine) for name, engine, ours in told]
            found = sorted((each for each in found if each[0]), key=lambda each: each[0] in KNOWN)
            if found and found[0][0] in KNOWN:
                known[found[0][0]] += 1
            elif found:
                _, name, engine = found[0]
                small = smaller(lines, lambda some: differs(engine, some) not in (None, *KNOWN))
                print(f"{title} on {name}: {differs(engine, small)}\n    " + "\n    ".join(map(spelled, small)),
                      flush=True)
                different += 1
    except KeyboardInterrupt:
        pass
    print(f"{count} programs on {len(engines)} engines, {second} with second derivatives, {errors} that torch "
          f"refuses: {different} differ; " + ", ".join(f"{known[cause]} {cause}" for cause in KNOWN))
    return different > 0


sys.exit(main())
