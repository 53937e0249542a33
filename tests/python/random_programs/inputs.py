"""The numbers that inputs of programs are cut from: long lists would take more time than all else."""

import random
import re

table = random.Random(0)
NUMBERS = {"RANDOM": [round(table.uniform(-3, 3), 4) for _ in range(20000)],
           "TIES": [float(table.randint(-2, 2)) for _ in range(20000)]}
EDGES = (float("nan"), float("inf"), -float("inf"), -0.0, 0.0, 1e-30)
for name, others in (("EDGES", EDGES), ("HUGE", (1e10, -1e10))):
    NUMBERS[name] = [table.choice(others) if table.random() < 0.1 else x for x in NUMBERS["RANDOM"]]


def spelled(line):
    """The line with its numbers in full, to be run by hand."""
    cut = re.compile(r"\b(%s)\[(\d+):(\d+)\]" % "|".join(NUMBERS))
    numbers = cut.sub(lambda hit: str(NUMBERS[hit[1]][int(hit[2]):int(hit[3])]), line)
    return re.sub(r"\b(nan|inf)\b", r"float('\1')", numbers)
