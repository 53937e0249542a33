"""Steps for the tests, in gdb's Python or lldb's: each must end in a file of the tree.

step() takes one `step`, and returns the names of the stack's functions, the innermost first, and
the file and line where it ends; no names if the program has ended."""

HANDLES = ("core/loc.hpp", "core/tensor/tensor.hpp", "core/tensor/row.hpp", "core/memory/ref.hpp",
    "core/tensor/shape.hpp", "core/memory/storage.hpp")


def count_steps(step, tree, goal):
    """To the first line of the function `goal`."""
    for count in range(1, 100):
        names, path, _ = step()
        if not path.startswith(tree):
            print("elsewhere: " + path)
            break
        if names[0].split("(")[0] == "stepgrad::" + goal:
            print("%d steps to the goal" % count)
            break


def every_step(step, tree, finish):
    """Through the rest of the program, leaving the inner loops early."""
    elsewhere, visits = set(), {}
    for count in range(20000):
        names, path, line = step()
        if "main" not in names:
            break
        if not path.startswith(tree) or path.endswith(HANDLES):
            elsewhere.add("%s at %s:%d" % (names[0], path, line))
        visits[line, path] = visits.get((line, path), 0) + 1
        if "/scalar/" in path and visits[line, path] > 10:
            finish()
    print("%d steps on %d lines" % (count, len(visits)))
    print("\n".join(sorted(elsewhere)) or "ALL STEPS OURS")


def step_in_gdb():
    import gdb
    gdb.execute("step", to_string=True)
    names = []
    frame = gdb.newest_frame() if gdb.selected_inferior().threads() else None
    place = frame.find_sal() if frame else None
    while frame:
        names.append(frame.name() or "?")
        frame = frame.older()
    path = place.symtab.fullname() if names and place.symtab else "?"
    return names, path, place.line if names else 0


def in_lldb(debugger, text, result, unused):
    """steps count TREE GOAL, or steps every TREE."""
    def step():
        debugger.HandleCommand("step")
        thread = debugger.GetSelectedTarget().GetProcess().GetSelectedThread()
        entry = thread.GetFrameAtIndex(0).GetLineEntry()
        names = [frame.GetFunctionName() or "?" for frame in thread]
        return names, entry.GetFileSpec().fullpath or "?", entry.GetLine()

    _, tree, *goal = text.split()
    if goal:
        count_steps(step, tree, *goal)
    else:
        every_step(step, tree, lambda: debugger.HandleCommand("finish"))


def __lldb_init_module(debugger, unused):
    debugger.SetAsync(False)
    debugger.HandleCommand("command script add -f %s.in_lldb steps" % __name__)
