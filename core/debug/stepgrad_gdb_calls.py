"""Calls into the program, also on CPUs where gdb's break it.

gdb before 14 does not know all registers of a CPU with AMX, and cannot restore them after a call.
It then gives up, and leaves a breakpoint on the program's stack, among data written later."""

import atexit
import os
import re
import tempfile

import gdb

SIMPLER_CPU = """<?xml version="1.0"?>
<!DOCTYPE target SYSTEM "gdb-target.dtd">
<target><architecture>i386:x86-64</architecture></target>
"""


def answer():
    """Runs stepgrad_answer() in the program. The user's breakpoints and other threads rest meanwhile."""
    locking = gdb.parameter("scheduler-locking")
    stops = [stop for stop in gdb.breakpoints() or () if stop.enabled]
    try:
        gdb.execute("set scheduler-locking on")
        for stop in stops:
            stop.enabled = False
        gdb.parse_and_eval("((void (*)())stepgrad_answer)()")
    finally:
        gdb.execute("set scheduler-locking " + locking)
        for stop in stops:
            stop.enabled = True


def protect():
    """Makes gdb take the CPU for a simpler one whose registers it can restore: of vector
    registers, the first 16 bytes. Works only before the program runs; once it runs, gdb may call
    nothing."""
    if gdb.parameter("tdesc filename"):
        return
    inferior = gdb.selected_inferior()
    if inferior.pid and inferior.connection.type == "core":  # nothing is called in it
        return
    if inferior.pid:
        gdb.execute("set may-call-functions off")
        gdb.write("stepgrad: gdb %s would break the program by calling its functions on this CPU, so "
            "it may not. Load the script before it runs, or: gdb -ex \"attach PID\".\n" % gdb.VERSION)
        return
    with tempfile.NamedTemporaryFile("w", suffix=".xml", delete=False) as file:
        file.write(SIMPLER_CPU)
    atexit.register(os.remove, file.name)
    gdb.execute("set tdesc filename " + file.name)


def install():
    """Decides by gdb's version and the CPU's flags; tests replace both."""
    version = os.environ.get("STEPGRAD_GDB_VERSION", gdb.VERSION)
    try:
        with open(os.environ.get("STEPGRAD_CPUINFO", "/proc/cpuinfo"), errors="replace") as file:
            has_amx = re.search(r"\bamx_tile\b", file.read())
    except OSError:
        return
    if has_amx and int(re.search(r"\d+", version)[0]) < 14:
        protect()
