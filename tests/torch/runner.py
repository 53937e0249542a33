"""Runs programs, one JSON list of lines a line, with the torch of this process; answers likewise."""

import json
import sys
import warnings

if "stepgrad" in sys.argv:
    import stepgrad.torch
import torch

import programs

warnings.simplefilter("ignore")
torch.set_num_threads(1) if "one-thread" in sys.argv else None
if "double" in sys.argv:
    torch.set_default_dtype(torch.float64)
for line in sys.stdin:
    print(json.dumps(programs.run(json.loads(line))), flush=True)
