"""stepgrad in gdb. Programs linked with the teaching build contain this script, and gdb prints
the line that allows it. With any other build: source core/debug/stepgrad_gdb.py, or
share/stepgrad/stepgrad_gdb.py where stepgrad is installed"""

import os
import sys

import gdb

if "__file__" in globals():  # sourced from the tree
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import stepgrad_gdb_calls
import stepgrad_gdb_commands
import stepgrad_gdb_frames
import stepgrad_gdb_functions
import stepgrad_gdb_going
import stepgrad_gdb_methods
import stepgrad_gdb_printers
import stepgrad_gdb_skips

stepgrad_gdb_calls.install()
stepgrad_gdb_methods.install(gdb.current_objfile())
stepgrad_gdb_printers.install()
stepgrad_gdb_skips.install()
stepgrad_gdb_commands.install()
stepgrad_gdb_going.install()
stepgrad_gdb_functions.install()
stepgrad_gdb_frames.install()
