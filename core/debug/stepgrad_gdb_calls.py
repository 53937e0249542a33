"""Calls into the program: stepgrad's own, by hand, and the user's on CPUs where gdb's break it.

gdb before 14 does not know all registers of a CPU with AMX, and cannot restore them after a call.
It then gives up, and leaves a breakpoint on the program's stack, among data written later."""

import atexit
import os
import re
import tempfile

import gdb
from stepgrad_read import Problem

SIMPLER_CPU = """<?xml version="1.0"?>
<!DOCTYPE target SYSTEM "gdb-target.dtd">
<target><architecture>i386:x86-64</architecture></target>
"""
BELOW = 128  # bytes under the stack pointer that a function may use


def answer():
    """Runs stepgrad_answer() in the program, wherever it is, and leaves all registers unchanged.
    Ignores the user's breakpoints."""
    try:
        visit = int(gdb.parse_and_eval("(long long)&stepgrad_visit"))
    except gdb.error:  # core/debug/call.cpp has none for this CPU
        visit = None
    selected = gdb.selected_frame().level()
    locking = gdb.parameter("scheduler-locking")
    stops = [stop for stop in gdb.breakpoints() or () if stop.enabled]
    try:
        gdb.execute("set scheduler-locking on")  # the other threads stay where they are
        for stop in stops:
            stop.enabled = False
        if visit:
            go_by(visit)
        else:
            gdb.parse_and_eval("((void (*)())stepgrad_answer)()")
    finally:
        gdb.execute("set scheduler-locking " + locking)
        for stop in stops:
            stop.enabled = True
    frame = gdb.newest_frame()
    for _ in range(selected):
        frame = frame.older()
    frame.select()


def go_by(visit):
    """Sends the program to stepgrad_visit, which returns to where the program is."""
    gdb.newest_frame().select()
    place, stack, call = (number(name) for name in ("rip", "rsp", "orig_rax"))
    back = Back(place, stack)
    gdb.selected_inferior().write_memory(stack - BELOW - 8, place.to_bytes(8, "little"))
    for name, value in ("rsp", stack - BELOW - 8), ("rip", visit), ("orig_rax", -1):
        gdb.execute("set var $%s = %d" % (name, value))
    said = gdb.execute("signal 0", to_string=True)  # without an abort's signal
    if back.is_valid():
        gdb.write(said)
        raise Problem("the program has stopped on the way; continue goes on")
    gdb.execute("set var $orig_rax = %d" % call)  # the system call it waits in, if any


def number(register):
    return int(gdb.parse_and_eval("(long long)$%s" % register))


class Back(gdb.Breakpoint):
    """The program's position: it is back when its stack is the same."""

    def __init__(self, place, stack):
        super().__init__("*%d" % place, internal=True, temporary=True)
        self.silent, self.thread, self.stack = True, gdb.selected_thread().global_num, stack

    def stop(self):
        return number("rsp") == self.stack


# ---- The user's calls


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
                  "it may not; only x.numel() and its like work.\n" % gdb.VERSION)
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
