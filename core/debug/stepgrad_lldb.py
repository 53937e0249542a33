"""stepgrad in lldb: printing of tensors and nodes, what `step` skips, and commands.

    command script import core/debug/stepgrad_lldb.py
"""

import os
import sys

import lldb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from stepgrad_commands import summary

# lldb looks functions up in this module.
from stepgrad_lldb_commands import LOOKING, command, print_
from stepgrad_lldb_going import Stop, break_op, next_backward, prev_backward  # noqa: F401
from stepgrad_lldb_shown import (TensorChildren, input_summary, node_summary,  # noqa: F401
    shape_summary, tensor_summary)
from stepgrad_skips import NAMES

NODES = "^(.*::)?([A-Za-z0-9_]+Backward(<.*>)?|AccumulateGrad|[A-Za-z0-9_]*Node)$"
FORMATS = [
    "summary add -w stepgrad -F %s.tensor_summary stepgrad::Tensor stepgrad::Row stepgrad::Saved "
    "stepgrad::Arg",
    "summary add -w stepgrad -F %s.shape_summary stepgrad::Shape",
    "summary add -w stepgrad -F %s.input_summary stepgrad::Input",
    "summary add -w stepgrad -F %s.node_summary -x '" + NODES + "'",
    "synthetic add -w stepgrad -l %s.TensorChildren stepgrad::Tensor stepgrad::Row",
    "category enable stepgrad",
]
SKIPS = [  # what `step` runs through
    r"regexp ^(std::|_Z(NK?)?St|(bool )?__gnu_cxx::|operator (new|delete)|malloc|calloc|free|_mm)|" + NAMES,
    "libraries libc.so.6 libm.so.6 libstdc++.so.6 libgomp.so.1"]


@command
def stepgrad(debugger, text):
    """stepgrad: what stepgrad adds to lldb."""
    return [summary(each.__doc__) for each in COMMANDS]


COMMANDS = [stepgrad, *LOOKING, print_, next_backward, prev_backward, break_op]
globals().update((each.__name__, each) for each in LOOKING)


def __lldb_init_module(debugger, unused):
    for line in FORMATS:
        debugger.HandleCommand("type " + line.replace("%s", __name__))
    for line in SKIPS:
        debugger.HandleCommand("settings set target.process.thread.step-avoid-" + line)
    interpreter, hooks = debugger.GetCommandInterpreter(), lldb.SBCommandReturnObject()
    interpreter.HandleCommand("target stop-hook list", hooks)
    if "stepgrad_lldb.Stop" not in (hooks.GetOutput() or ""):
        interpreter.HandleCommand("target stop-hook add -P stepgrad_lldb.Stop", hooks)
    aliases = interpreter.AliasExists
    for name in filter(aliases, ("print", "p")):  # replaces lldb's own
        debugger.HandleCommand("command unalias " + name)
    for function in COMMANDS:
        name = function.__name__
        debugger.HandleCommand("command script add -o -f %s.%s %s"
            % (__name__, name, name.strip("_").replace("_", "-")))
    for alias, name in (("p", "print"), ("nb", "next-backward"),
            ("pb", "prev-backward"), ("br", "breakpoint"),
            ("break", "breakpoint")):  # break-op would make these two ambiguous
        if not aliases(alias):
            debugger.HandleCommand("command alias %s %s" % (alias, name))
