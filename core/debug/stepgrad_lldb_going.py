"""The commands that run the program to a gradient in lldb."""

import contextlib
import re

import lldb
from stepgrad_commands import GRADIENT, check_undoable, destination, has_program_wait, struct_of
from stepgrad_lldb_commands import command, said
from stepgrad_lldb_values import running, the_tape
from stepgrad_memory import Problem, Unreadable
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
    there = next((thread for thread in process for i in range(0, thread.GetStopReasonDataCount(), 2)
        if thread.GetStopReason() == lldb.eStopReasonBreakpoint
        and thread.GetStopReasonDataAtIndex(i) in [stop.GetID() for stop in stops]), None)
    if there:
        process.SetSelectedThread(there)
    for stop in stops:
        target.BreakpointDelete(stop.GetID())
    return bool(there)


class Stop:
    """At each stop in a build without lines: the op, where it was called, and the formula."""

    def __init__(self, target, arguments, unused):
        pass

    def handle_stop(self, context, stream):
        frame = context.GetFrame()
        if GRADIENT(frame.GetFunctionName() or "") and not frame.GetLineEntry().IsValid():
            with contextlib.suppress(Problem, Unreadable):
                stream.Print("\n".join(the_tape(context.GetTarget()).here()) + "\n")
        return True


def in_thread(thread, name):
    """A breakpoint for this thread alone: others may wait in their own backward()."""
    stop = thread.GetProcess().GetTarget().BreakpointCreateByName(name)
    stop.SetThreadID(thread.GetThreadID())
    return stop


def to_gradient(debugger, times=1, goal=0, end="the program has ended"):
    context = debugger.context
    target, process = context.GetTarget(), context.GetProcess()
    arrived, place = True, HOOK
    there = context.GetThread().GetStopReason() == lldb.eStopReasonBreakpoint and \
        context.GetThread().GetFrameAtIndex(0).GetFunctionName() == HOOK  # its gradient is next
    if (times > 1 or goal) and has_program_wait(debugger, times, goal):
        times, goal, place, there = 1, 0, "stepgrad_awaited", False
    while times and arrived:
        arrived = there or run_to(target, target.BreakpointCreateByName(place))
        there = False
        times -= arrived and (not goal or goal in sources(the_tape(target).visiting.value))
    if process.GetState() == lldb.eStateStopped:
        debugger.write(debugger.variable("stepgrad::awaited").field("times").address(), bytes(8))
    thread = process.GetSelectedThread()
    arrived = arrived and run_to(target, *(in_thread(thread, name) for name in ("backward", "backward_by_ops")))
    if arrived and "stepgrad::Node::" in thread.GetFrameAtIndex(0).GetFunctionName():
        run_to(target, in_thread(thread, "backward"))  # which Node's backward_by_ops calls
    if process.GetState() != lldb.eStateStopped:
        raise Problem(end)
    return said(context, "frame select 0")


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
    target = debugger.context.GetTarget()
    struct = struct_of(text)
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
