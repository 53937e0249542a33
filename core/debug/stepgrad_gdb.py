"""stepgrad in gdb. Programs linked with the teaching build contain this script. With any other build:
source core/debug/stepgrad_gdb.py, or share/stepgrad/stepgrad_gdb.py where stepgrad is installed"""

import importlib
import os
import sys

if "__file__" in globals():  # sourced from the tree
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

for part in "calls methods printers skips commands going functions frames".split():
    importlib.import_module("stepgrad_gdb_" + part).install()
