"""usage: runner.py draw FIRST COUNT STEP | torch | double | stepgrad

Draws programs under torch, and prints each as a JSON list of lines and, on the next line, what torch
makes of it; or runs those that come in, with torch, with torch in double precision or with stepgrad, and answers likewise.
"""

import json
import sys
import warnings

if sys.argv[1] == "stepgrad":
    import stepgrad.torch
import torch

import programs

warnings.simplefilter("ignore")
if sys.argv[1] == "double":
    torch.set_default_dtype(torch.float64)
if sys.argv[1] == "draw":
    first, count, step = map(int, sys.argv[2:])
    made = (each for seed in range(first, first + count * step, step) for each in programs.program(seed))
else:
    made = (programs.run(json.loads(line)) for line in sys.stdin)
for each in made:
    print(json.dumps(each), flush=True)
