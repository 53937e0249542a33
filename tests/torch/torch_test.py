"""usage: torch_test.py BUILD TREE [COUNT [FIRST [STEP]]]

Random programs give PyTorch's values and gradients, and throw where it throws: for each instruction
set, on one and on two threads; of more than 10,000 programs, nine in ten go to one engine each, in turn.
Every STEP-th is drawn: from 3 on, every 4th has second derivatives. When it is interrupted, it says what it
found so far. What differs is made smaller and printed, to be run by hand.

How far two engines may be apart depends on the program (think of exp(x) - exp(x + 1e-7)), so that
torch itself in double precision says it: 32 times what torch's floats are off from its doubles, and a
rounding of the largest number that may have cancelled out, a number of the program or what a division by
one makes.

Where torch's gradient is NaN or infinite, it is not compared if the program has one of UNDEFINED.
"""

import array
import itertools
import json
import math
import os
import pathlib
import re
import subprocess
import sys

from found import PROGRAMS
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
        path = f"{TREE}/demos/notebook:{BUILD}/python"
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


KNOWN = ROUNDED, OVERFLOWS, UNKNOWN_ZERO, DOCUMENTED, SHAKEN = (
    "roundings of 0", "overflows", "zeros that one knows", "documented", "decided by rounding")

# What stepgrad refuses in a sentence, and torch does not: its tape does not record it, or torch's
# product has saved a copy of an operand that was written over meanwhile.
REFUSALS = ("is not recorded", "clone() it first", "backward: batched_matmul at")
# And the reverse: torch saves results of which no gradient here has need; a fault of torch's own; and
# what is a view in torch may be a copy here, as the README says. Of a gradient that hangs on no
# parameter, one of them records zeros.
REFUSED_BY_TORCH = ("modified by an inplace operation", "ZeroTensors are immutable",
                    "view size is not compatible")


# Their gradients are 0 where nothing arrives, and torch's are NaN there; and those of infinite numbers
# are what the order of subtractions makes of them.
UNDEFINED = (".log()", ".sqrt()", "** ", ".pow(", ".var(", ".std(", "layer_norm(", ".amax(", ".amin(")


def numbers(answer):
    """Shape and elements of what was made."""
    return {name: made and [made[0], array.array("d", bytes.fromhex(made[1])).tolist()] for name, made in answer.items()
            if name != "error"}


def kind(x):
    return "nan" if math.isnan(x) else x if math.isinf(x) else "finite"


def difference(lines, ours, floats, doubles):
    """What differs between the answers of stepgrad and of torch, in words, or None; torch's in double
    precision are asked for if they are needed."""
    if ours == floats:
        return None
    ours, floats = json.loads(ours), json.loads(floats)
    return compared(lines, ours, floats, floats) and compared(
        lines, ours, floats, json.loads(*of_one([doubles], lines)))


def compared(lines, ours, floats, doubles):
    if "error" in ours or "error" in floats:
        mine, theirs = (r.get("error") for r in (ours, floats))
        if mine and theirs and mine[0] == theirs[0]:
            return None
        if (mine and any(words in mine[2] for words in REFUSALS)
                or theirs and any(words in theirs[2] for words in REFUSED_BY_TORCH)
                or any(x and lines[x[0]].startswith("sum((g") and "not require" in x[2] for x in (mine, theirs))):
            return DOCUMENTED
        return f"ours threw {mine}, torch {theirs}"
    apart = [name for name, expected in floats.items() if ours.get(name) != expected]
    if not apart:
        return None
    ours, floats, doubles = map(numbers, (ours, floats, doubles))
    undefined = any(word in line for line in lines for word in UNDEFINED)
    gelu = any(".gelu(" in line for line in lines)  # far to the left 0 in torch, here tiny: 1/x differs
    zeros = any(word in line for line in lines  # which of 0 and -0: 1/x differs
                for word in ("min", "max", "clamp", "F.elu"))
    huge = any("HUGE[" in line for line in lines)
    most = math.inf if huge else 1e5
    sizes = [abs(x) for made in floats.values() for x in (made or [[], []])[1]]
    sizes += [1 / x for x in sizes if x] if any("/ " in line for line in lines) else []
    normalizes = any("layer_norm(" in line for line in lines)
    if normalizes and any(1e18 < x < math.inf for x in sizes):
        return OVERFLOWS  # their squares, in torch and not here
    second = any("create_graph" in line for line in lines)
    found, lost = None, False
    rounding = (1e-6 if huge else 1e-7) * max((x for x in sizes if x < most), default=0.0)
    for name in sorted(apart, key=is_gradient):  # values first
        got, expected = ours.get(name), floats[name]
        if got is None or expected is None:
            if second and (got or expected) and not any((got or expected)[1]):
                found = UNKNOWN_ZERO
            else:
                return f"{name}: {got}, torch's is {expected}"
            continue
        if got[0] != expected[0]:
            return f"{name} has the shape {got[0]}, torch's has {expected[0]}"
        exact = doubles[name][1] if doubles.get(name) else expected[1]
        finite = [(t, e) for t, e in zip(expected[1], exact) if math.isfinite(t - e)]
        largest = max((abs(t) for t, _ in finite), default=0.0)
        off = max((abs(t - e) for t, e in finite), default=0.0)
        lost = lost or any(abs(t - e) > abs(t) / 2 for t, e in finite)
        allowed = 32 * off + 4e-6 * largest + rounding
        for i, (o, t, e) in enumerate(zip(got[1], expected[1], exact)):
            if abs(o - t) <= allowed:
                continue
            if kind(t) == kind(e) and (kind(o) != kind(t) or (kind(o) == "finite" and abs(o - t) > allowed)):
                strange = (gelu or undefined and is_gradient(name)) and kind(t) != "finite" or (
                    zeros and {o, t} == {math.inf, -math.inf} or found and "finite" not in (kind(o), kind(t))) or (
                    # of a constant row 0 here, in torch what rounding leaves, and then times ∞
                    normalizes and math.isnan(o + t) and math.inf in (abs(o), abs(t)))
                found = DOCUMENTED if strange else known_cause(name, o, t, e, lost, sizes, second, normalizes)
                if not found:
                    return f"{name}, element {i}: {o}, torch's is {t} (in double precision {e})"
    return found


def known_cause(name, ours, torchs, exact, lost, sizes, second, normalizes):
    """Why they differ where neither is wrong, or None. lost: of a number before this, torch has no digit right."""
    off = abs(torchs - exact)
    if kind(torchs) == "finite" and (lost or abs(torchs) < off) and (
            math.isinf(ours) or not abs(ours - exact) > 100 * off + 1e-37):
        return SHAKEN  # ours is no worse, or 1/0, or log(0)
    largest = max((x for x in sizes if x < math.inf), default=1.0)
    if second and normalizes:
        largest *= 1e5  # twice the 1/√eps of a constant row
    if second and largest > 1e9:
        largest *= largest  # of g², 2 g g' arrives, and both have that size
    if not is_gradient(name):
        return None
    if abs(exact) < 1e-12 * largest and abs(ours) < 1e-5 * largest:
        return ROUNDED  # terms cancel out exactly, as what layer_norm subtracts again
    if second and kind(ours) != "finite" and abs(torchs) > 1e30:
        return OVERFLOWS
    if second and math.isnan(ours + torchs) and not all(map(math.isfinite, sizes)):
        return UNKNOWN_ZERO  # where one of them knows that a slope is 0, and ends the way
    return None


def is_gradient(name):
    """x.grad, or the gradient y_x that torch.autograd.grad gave."""
    return name.endswith(".grad") or "_" in name


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
    floats, doubles, shaken = Runner("torch"), Runner("double"), Runner("shaken")
    engines = {
        f"{simd}, {threads} threads": Runner("stepgrad", STEPGRAD_SIMD=simd, OMP_NUM_THREADS=str(threads))
        for simd in instruction_sets(floats.environment) for threads in (1, 2)}

    def differs(engine, lines):
        ours, expected = of_one([engine, floats], lines)
        if json.loads(expected).get("error", ["", ""])[1] == "NameError":
            return None  # a line that makes what others need was left out
        return difference(lines, ours, expected, doubles)

    def found_by_rounding(lines, found, expected):
        """Whether torch differs from itself by a hundredth of it, in the same tensor, if it rounds otherwise."""
        def size(difference):
            both = re.search(r": (\S+), torch's is (\S+)", difference)
            return abs(float(both[1]) - float(both[2])) if both else 0

        for _ in range(4):
            mine = difference(lines, *of_one([shaken], lines), expected, doubles)
            if mine and mine not in KNOWN and mine.split(",")[0] == found.split(",")[0] and not (
                    size(found) > 100 * size(mine)):
                return True
        return False

    def programs():
        for lines in PROGRAMS:
            yield "a program of found.py", lines, *of_one([floats], lines)
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
            count += title != "a program of found.py"
            errors += '"error"' in expected
            second += '"error"' not in expected and any("create_graph" in line for line in lines)
            found = [(difference(lines, ours, expected, doubles), name, engine) for name, engine, ours in told]
            found = sorted((each for each in found if each[0]), key=lambda each: each[0] in KNOWN)
            if found and found[0][0] not in KNOWN and found_by_rounding(lines, found[0][0], expected):
                known[SHAKEN] += 1
            elif found and found[0][0] in KNOWN:
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
