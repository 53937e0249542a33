"""Commands for lldb's tests: count_steps GOAL, and every_step through the rest of the program."""

import os

HANDLES = ("core/loc.hpp", "core/tensor/tensor.hpp", "core/tensor/row.hpp", "core/memory/ref.hpp",
           "core/tensor/shape.hpp", "core/memory/storage.hpp")


def step(debugger):
    """One `step`; the frame where it ends, and its file's path."""
    debugger.HandleCommand("step")
    thread = debugger.GetSelectedTarget().GetProcess().GetSelectedThread()
    frame = thread.GetFrameAtIndex(0)
    place = frame.GetLineEntry().GetFileSpec()
    return thread, frame, os.path.join(place.GetDirectory() or "", place.GetFilename() or "?")


def tree_of(debugger):
    frame = debugger.GetSelectedTarget().GetProcess().GetSelectedThread().GetFrameAtIndex(0)
    return frame.GetLineEntry().GetFileSpec().GetDirectory().split("/demos")[0].split("/tests")[0]


def count_steps(debugger, goal, result, unused):
    tree = tree_of(debugger)
    for count in range(1, 100):
        _, frame, path = step(debugger)
        if not path.startswith(tree):
            print("elsewhere: " + path)
            break
        if frame.GetFunctionName().startswith("stepgrad::%s(" % goal):
            print("%d steps to the goal" % count)
            break


def every_step(debugger, text, result, unused):
    tree = tree_of(debugger)
    elsewhere, visits = set(), {}
    for count in range(20000):
        thread, frame, path = step(debugger)
        names = [each.GetFunctionName() for each in thread]
        if "main" not in names:
            break
        line = frame.GetLineEntry().GetLine()
        if not path.startswith(tree) or path.endswith(HANDLES):
            elsewhere.add("%s at %s:%d" % (names[0], path, line))
        visits[line, path] = visits.get((line, path), 0) + 1
        if "/scalar/" in path and visits[line, path] > 10:
            debugger.HandleCommand("finish")
    print("%d steps on %d lines" % (count, len(visits)))
    print("\n".join(sorted(elsewhere)) or "ALL STEPS OURS")


def __lldb_init_module(debugger, unused):
    debugger.SetAsync(False)
    for name in ("count_steps", "every_step"):
        debugger.HandleCommand("command script add -f %s.%s %s" % (__name__, name, name))
