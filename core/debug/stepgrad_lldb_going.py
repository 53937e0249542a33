"""The commands that move the program in lldb."""

import re
import sys

import lldb
from stepgrad_lldb_commands import command, said
from stepgrad_lldb_values import the_tape
from stepgrad_read import Problem

HOOK = "stepgrad_backward_step"


def run_to(target, stop):
    """Continues to a breakpoint, which it deletes. False: it stopped elsewhere."""
    if stop.GetNumLocations() == 0:
        target.BreakpointDelete(stop.GetID())
        raise Problem("there is no backward pass in this program")
    debugger, process = target.GetDebugger(), target.GetProcess()
    asynchronous = debugger.GetAsync()
    debugger.SetAsync(False)
    process.Continue()
    debugger.SetAsync(asynchronous)
    thread = process.GetSelectedThread()
    there = process.GetState() == lldb.eStateStopped and \
        thread.GetStopReason() == lldb.eStopReasonBreakpoint and \
        any(thread.GetStopReasonDataAtIndex(i) == stop.GetID()
            for i in range(0, thread.GetStopReasonDataCount(), 2))
    target.BreakpointDelete(stop.GetID())
    return there


def gradient_of(target, node):
    """The name of a node's backward(): the third of its virtual functions, after two destructors.
    (lldb 14 may not name a table of virtual functions: it takes thread-local variables to lie
    there.)"""
    size = target.GetAddressByteSize()

    def at(address):
        return int.from_bytes(node.value.read(address, size), sys.byteorder)

    function = at(at(node.address) + 2 * size)
    return target.ResolveLoadAddress(function).GetFunction().GetName()


def to_gradient(context):
    target, process = context.GetTarget(), context.GetProcess()
    if run_to(target, target.BreakpointCreateByName(HOOK)):
        name = re.escape(gradient_of(target, the_tape(target).visiting))
        run_to(target, target.BreakpointCreateByRegex("^%s$" % name))
    if process.GetState() != lldb.eStateStopped:
        return ["the program has ended"]
    return said(context, "frame select 0")


def running(context):
    process = context.GetProcess()
    if not process or not process.IsValid() or process.GetState() != lldb.eStateStopped:
        raise Problem("the program is not running: type run first")
    if process.GetPluginName().endswith("core"):
        raise Problem("this is a core file: nothing runs in it")


@command
def next_backward(context, text):
    """Runs to the first line of the next gradient. Alias: nb."""
    running(context)
    return to_gradient(context)


@command
def break_op(context, text):
    """break-op NAME: stops where the op is computed, and in its gradient."""
    if not re.fullmatch(r"\w+", text):
        raise Problem("which op? For instance: break-op matmul")
    target = context.GetTarget()
    gradient = "".join(part.capitalize() for part in text.split("_")) + "Backward::backward"
    places = ("stepgrad::" + text, "stepgrad::Tensor::%s_" % text, "stepgrad::" + gradient)
    pattern = "^(%s)\\(" % "|".join(map(re.escape, places))
    stop = target.BreakpointCreateByRegex(pattern)
    if stop.GetNumLocations() == 0:
        target.BreakpointDelete(stop.GetID())
        raise Problem("this program has no op named %s" % text)
    return ["Breakpoint %d: %d places, in the op and in its gradient"
            % (stop.GetID(), stop.GetNumLocations())]


@command
def bt(context, text):
    """Who called whom, up to main. bt N: N frames. bt all: of all threads."""
    names = [frame.GetFunctionName() for frame in context.GetThread()]
    if not text and "main" in names:
        text = str(names.index("main") + 1)
    return said(context, "thread backtrace " + ("-c " + text if text.isdigit() else text))
