"""Writes the golden files that the C++ tests compare with, from real PyTorch.

    /usr/bin/python3 tests/golden/generate.py tests/golden

Debian's python3-torch (1.13) wrote the committed ones. Tests only read them.
"""

import pathlib
import sys

import modules
import notebook
import op_examples
import ops
import optimizers
import printing

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: generate.py OUTPUT_FOLDER")
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for module in (modules, notebook, op_examples, ops, optimizers, printing):
        module.write(folder)
