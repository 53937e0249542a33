"""The numbers that inputs of programs are cut from: long lists would take more time than all else."""

import random
import re

table = random.Random(0)
NUMBERS = {"RANDOM": [round(table.uniform(-3, 3), 4) for _ in range(20000)],
    "TIES": [float(table.randint(-2, 2)) for _ in range(20000)]}


def spelled(line):
    """The line with its numbers in full, to be run by hand."""
    return re.sub(r"\b(RANDOM|TIES)\[(\d+):(\d+)\]", lambda hit: str(NUMBERS[hit[1]][int(hit[2]):int(hit[3])]), line)
