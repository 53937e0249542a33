"""Computes the values that the C++ tests compare with, by real PyTorch.

    /usr/bin/python3 tests/golden/generate.py             # what is missing
    /usr/bin/python3 tests/golden/generate.py ops/gelu    # this one anew

Others stay as they are: their last digits hang on the CPU. Debian's python3-torch (1.13) wrote the
committed ones.
"""

import sys

import golden
import modules
import ops


def numbers(compute):
    golden.calls = 0
    return b"".join(x.detach().float().numpy().tobytes() for x in compute())


if __name__ == "__main__":
    known = ops.entries() | modules.entries()
    wanted = set(sys.argv[1:])
    if unknown := wanted - known.keys():
        sys.exit(f"generate.py: no entry is called {', '.join(sorted(unknown))}")
    before = golden.read()
    golden.write({name: numbers(compute) if name in wanted or name not in before else before[name]
        for name, compute in known.items()})
