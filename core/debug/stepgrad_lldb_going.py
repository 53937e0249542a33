"""The commands that run the program to a gradient in lldb."""

import re
import sys

import lldb
from stepgrad_commands import check_undoable, destination, has_program_wait
from stepgrad_lldb_commands import command, said
from stepgrad_lldb_values import running, the_tape
from stepgrad_memory import Problem
from stepgrad_tensor import sources

HOOK = "stepgrad_backward_step"


def run_to(target, *stops):
    """Continues to one of the breakpoints and deletes them. False: it stopped elsewhere."""
    if stops[0].GetNumLocations() == 0:
        target.BreakpointDelete(stops[0].GetID())
        raise Problem("there is no backward pass in this program")
    debugger, process = target.GetDebugger(), target.GetProcess()
    asynchronous = debugger.GetAsync()
    debugger.SetAsync(False)
    process.Continue()
    debugger.SetAsync(asynchronous)
    thread = process.GetSelectedThread()
    there = process.GetState() == lldb.eStateStopped and \
        thread.GetStopReason() == lldb.eStopReasonBreakpoint and \
        any(thread.GetStopReasonDataAtIndex(i) == stop.GetID() for stop in stops
            for i in range(0, thread.GetStopReasonDataCount(), 2))
    for stop in stops:
        target.BreakpointDelete(stop.GetID())
    return there


def gradients_of(target, node):
    """The address of a node's backward(), the third virtual function after two destructors, and
    of its own backward_by_ops(), the fourth, if it has one. (lldb 14 may not name a virtual table:
    it takes it for thread-local variables.)"""
    size = target.GetAddressByteSize()

    def at(address):
        return int.from_bytes(node.value.read(address, size), sys.byteorder)

    for number in (2, 3):
        place = target.ResolveLoadAddress(at(at(node.address) + number * size))
        begins = place.GetFunction() if place.GetFunction().IsValid() else place.GetSymbol()
        if "stepgrad::Node::" not in (begins.GetName() or ""):
            place.OffsetAddress(begins.GetPrologueByteSize())
            yield place


def to_gradient(debugger, times=1, goal=0):
    context = debugger.context
    target, process = context.GetTarget(), context.GetProcess()
    arrived, place = True, HOOK
    there = context.GetThread().GetStopReason() == lldb.eStopReasonBreakpoint and \
        context.GetThread().GetFrameAtIndex(0).GetFunctionName() == HOOK  # at a breakpoint of the user's: its gradient is next
    if (times > 1 or goal) and has_program_wait(debugger, times, goal):
        times, goal, place, there = 1, 0, "stepgrad_awaited", False
    while times and arrived:
        arrived = there or run_to(target, target.BreakpointCreateByName(place))
        there = False
        times -= arrived and (not goal or goal in sources(the_tape(target).visiting.value))
    if process.GetState() == lldb.eStateStopped:
        debugger.write(debugger.variable("stepgrad::awaited").field("times").address(), bytes(8))
    if arrived:
        places = gradients_of(target, the_tape(target).visiting)
        run_to(target, *map(target.BreakpointCreateBySBAddress, places))
    if process.GetState() != lldb.eStateStopped:
        return ["the program has ended"]
    has_line = context.GetThread().GetFrameAtIndex(0).GetLineEntry().IsValid()
    return said(context, "frame select 0") + ([] if has_line else the_tape(target).here())


@command
def next_backward(debugger, text):
    """next-backward [N | X]: runs to the first line of the next gradient, of the Nth from here, or of
    the next that adds to the gradient of tensor X. Alias: nb."""
    running(debugger.context)
    return to_gradient(debugger, *destination(debugger, text))


@command
def prev_backward(debugger, text):
    """prev-backward: back to the previous gradient, with the state it had then. Alias: pb."""
    running(debugger.context)
    check_undoable(debugger.tape())
    target = debugger.context.GetTarget()
    wish = target.FindFirstGlobalVariable("stepgrad::gradients_to_undo")
    wish.SetValueFromCString("2")
    return to_gradient(debugger)


@command
def break_op(debugger, text):
    """break-op NAME: stops where the op is computed, and in its gradient."""
    if not re.fullmatch(r"\w+", text):
        raise Problem("which op? For instance: break-op matmul")
    target = debugger.context.GetTarget()
    struct = "".join(part.capitalize() for part in text.split("_")) + "Backward"
    found = [each for each in target.FindFunctions(struct + "::backward") if each.GetFunction().IsValid()]
    names = [each.GetFunction().GetName() for each in found]
    homes = {"stepgrad::"} | {name.split(struct)[0] for name in names
                              if ("::" + name).count("::" + struct + "::backward(")}
    module = (found[0].GetModule().GetFileSpec() if found else target.GetExecutable()).GetFilename()
    places = [re.escape(home) + place for home in homes for place in
              (text, "Tensor::%s_" % text, struct + "(<.*>)?::backward(_by_ops)?")]
    pattern = "^(.* )?(%s)(<.*>)?\\(" % "|".join(places)
    stop = target.BreakpointCreateByRegex(pattern, module)  # searching all modules takes seconds
    if stop.GetNumLocations() == 0:
        target.BreakpointDelete(stop.GetID())
        raise Problem("this program has no op named %s" % text)
    return ["Breakpoint %d: %d places, in the op and in its gradient"
            % (stop.GetID(), stop.GetNumLocations())]
