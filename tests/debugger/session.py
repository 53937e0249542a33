"""Sessions of gdb and lldb for the tests, and their programs."""

import contextlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

TREE, BUILD = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
del sys.argv[1:3]
STEP = BUILD / "bin/step"
SECOND = BUILD / "tests/debugger/second"
LLDB = TREE / "core/debug/lldb.sh"
TIMEOUT = 240  # seconds, on a busy machine
# What a debugger's Python prints: the processor time up to here, and that of a loop, by which other times
# are measured: a busy machine slows both.
CLOCK = ("import time; t = time.process_time(); sum(i * i for i in range(1000000)); "
    "print('CLOCK', t, time.process_time() - t)")


def line_of(path, text):
    """The number of the first line of a source file that holds the text."""
    lines = (TREE / path).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


BACKWARD = line_of("demos/step/step.cpp", "loss.backward();")
FORWARD = line_of("demos/step/step.cpp", "ffn(x)")


def has(debugger):
    """Whether it is there, with its Python."""
    command = {"gdb": ["gdb", "-nx", "-batch", "-ex", "python print(6 * 7)"],
        "lldb": [LLDB, "--no-lldbinit", "-b", "-o", "script print(6 * 7)"]}[debugger]
    return bool(shutil.which(debugger)) and "42" in run(command).replace("6 * 7", "")


def require(*debuggers):
    """Ends the tests with CTest's word for "skipped" if one of them is missing."""
    for debugger in debuggers:
        if not has(debugger):
            print("%s, or its Python, is missing" % debugger)
            sys.exit(77)


def needs(debugger):
    """A decorator: skips the test, or the class, without the debugger."""
    return unittest.skipUnless(has(debugger), "%s, or its Python, is missing" % debugger)


def run(command, text=None):
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env=dict(os.environ, NO_COLOR="1", LC_ALL="C.UTF-8", COLUMNS="1000"),
        timeout=TIMEOUT, check=False,
        **({} if text is not None else {"stdin": subprocess.DEVNULL}))
    return done.stdout.decode()


def on_terminal(command, *environment):
    """What it writes to a terminal that has colours, and a width: lldb asks for both."""
    inside = ["env", "-u", "NO_COLOR", "TERM=xterm", *environment, *map(str, command)]
    return run(["script", "-qec", "stty columns 999; " + shlex.join(inside), "/dev/null"]).replace("\r", "")


NO_CALLS = "set may-call-functions off"  # gdb answers by reading memory only


# How gdb gets the scripts: from the program, by the first command, or by one of the test's.
EMBEDDED, SOURCED, LATER = range(3)
LOAD = "source %s" % (TREE / "core/debug/stepgrad_gdb.py")


@contextlib.contextmanager
def on_cpu(flag, gdb="13.1"):
    """As if the CPU had the flag, amx_tile for instance, and gdb this version."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "cpuinfo"
        path.write_text("flags\t\t: fpu %s lm\n" % flag)
        with mock.patch.dict(os.environ, STEPGRAD_CPUINFO=str(path), STEPGRAD_GDB_VERSION=gdb):
            yield


def gdb(program, *commands, options=(), scripts=EMBEDDED):
    """gdb's output for the commands."""
    load = ["-iex", "set auto-load no" if scripts == LATER else "add-auto-load-safe-path %s" % program]
    if scripts == SOURCED:  # beside the printers of libstdc++, which gdb finds itself
        load += ["-ex", LOAD]
    settings = ["set pagination off", "set width 0", "set print address off"]
    said = [["-ex", each] for each in [*settings, *commands]]
    return run(["gdb", "-nx", "-q", "-batch", *load, *sum(said, []), *options, str(program)])


def at_backward(*commands):
    return gdb(STEP, "tbreak step.cpp:%d" % BACKWARD, "run", *commands)


def lldb(program, *commands):
    """lldb's output for the commands, from a pipe: as options, the first error would end them."""
    settings = ["auto-confirm true", "target.output-path /dev/null",  # it would come any time
        "plugin.process.gdb-remote.packet-timeout 99"]  # for a busy machine
    said = ["settings set " + each for each in settings]
    text = "\n".join([*said, *commands, "quit"]) + "\n"
    return run([LLDB, "--no-lldbinit", "--no-use-colors", "--", program], text.encode())


def elsewhere(test):
    """A library whose debug symbols have names of our tensors, as libm's have w1."""
    folder = tempfile.TemporaryDirectory()
    test.addCleanup(folder.cleanup)
    source = "static const double x[2] = {1, 2}, w = 3; const double* keep(void) { return x + (int)w; }"
    run(["cc", "-g", "-shared", "-fPIC", "-x", "c", "-o", folder.name + "/libelsewhere.so", "-"], source.encode())
    return folder.name + "/libelsewhere.so"


class Said:
    """A debugger's output: all of it, {command: answers}, and [command], the last answer to it."""

    def __init__(self, output, prompt):
        self.all, self.of = output, {}
        parts = re.split(r"(?m)^%s (.*)\n" % re.escape(prompt), output)
        for command, answer in zip(parts[1::2], parts[2::2]):
            self.of.setdefault(command, []).append(answer)

    def __getitem__(self, command):
        return self.of[command][-1]


def ask_gdb(program, *commands, **how):
    marked = sum((["echo == %s\\n" % each.replace("#", "\\#"), each] for each in commands), [])
    return Said(gdb(program, *marked, **how), "==")


def answers(output):
    return Said(output, "(lldb)")
