"""The commands that run the program to a gradient, forward or back."""

import contextlib
import re
import types

import gdb
from stepgrad_commands import GRADIENT, check_undoable, destination, has_program_wait, struct_of
from stepgrad_gdb_commands import Command, Gdb, all_commands, say
from stepgrad_gdb_printers import IN_MI
from stepgrad_gdb_skips import library
from stepgrad_gdb_values import connect, running, the_tape
from stepgrad_memory import Problem, Unreadable
from stepgrad_tensor import sources

HOOK = "stepgrad_backward_step"
BY_OPS = "stepgrad::Node::backward_by_ops"


class Gradient(gdb.Breakpoint):
    """The first line of every gradient: backward(), if the hook calls it. In a recorded pass the
    hook calls backward_by_ops, whose default calls backward()."""

    def __init__(self, function, wish):
        super().__init__("-function " + function, internal=True)
        self.silent = not IN_MI  # an IDE needs a reason
        self.wish = wish

    def stop(self):
        frame = gdb.newest_frame()
        caller = frame.older()
        if caller and caller.name() == BY_OPS:
            caller = caller.older()
        if caller and caller.name() == HOOK and frame.name() != BY_OPS:
            goal = self.wish.goal
            self.wish.times -= not goal or goal in sources(the_tape().visiting.value)
        return self.wish.times == 0


class Awaited(gdb.Breakpoint):
    """The program has reached the gradient that it looked for: the next one called is it."""

    def __init__(self, gradients, wish):
        super().__init__("-function stepgrad_awaited", internal=True)
        self.gradients, self.wish = gradients, wish
        self.enable(False)

    def enable(self, on):
        for each in self.gradients:
            each.enabled = on

    def stop(self):
        self.wish.times, self.wish.goal = 1, 0
        self.enable(True)
        return False


def to_gradient(times=1, goal=0, end="the program has ended"):
    """Runs that many gradients on, counting consumers of node `goal` only, past breakpoints on
    the hook."""
    wish, stops, goals, awaited = types.SimpleNamespace(times=times, goal=goal), [], [], False
    hooks = [each for each in gdb.breakpoints() if each.enabled and each.location == HOOK]
    gdb.events.stop.connect(stops.append)
    try:
        goals += [Gradient(function, wish) for function in ("backward", "backward_by_ops")]
        if goals[0].pending:
            raise Problem("there is no backward pass in this program")
        awaited = (times > 1 or goal) and has_program_wait(Gdb(), times, goal)
        if awaited:
            goals.append(Awaited(goals[:], wish))
        for each in hooks:
            each.enabled = False
        said = gdb.execute("continue", to_string=True).replace("Continuing.\n", "")
    finally:
        gdb.events.stop.disconnect(stops.append)
        for each in hooks:
            each.enabled = True
        for each in goals:
            each.delete()
        if awaited and gdb.selected_inferior().pid:
            gdb.parse_and_eval("'stepgrad::awaited'.times = 0")
    if stops and getattr(stops[-1], "breakpoints", [None])[0] in goals and not IN_MI:
        gdb.execute("frame")  # otherwise gdb has shown it
    gdb.write(said)
    if not gdb.selected_inferior().pid:
        raise Problem(end)


def say_which_gradient(event=None):
    """In a build without lines: the op, where it was called, and the formula."""
    frame = gdb.newest_frame()
    if GRADIENT(frame.name() or "") and not frame.find_sal().symtab:
        with contextlib.suppress(Problem, Unreadable):
            say(the_tape().here())


class NextBackwardCommand(Command):
    """next-backward [N | X]: runs to the first line of the next gradient, of the Nth from here, or of
    the next that adds to X's gradient. Alias: nb."""

    def run(self, text):
        running()
        to_gradient(*destination(Gdb(), text))


class BreakOpCommand(Command):
    """break-op NAME: stops where the op is computed, and in its gradient."""

    def run(self, text):
        struct = struct_of(text)
        homes = {"stepgrad::"} | {name.split(struct)[0] for name in functions(struct + "::backward")}
        names, places = [text, "Tensor::%s_" % text, struct + "::backward"], 0
        if any(struct in name for name in functions(struct + "::backward_by_ops")):  # else Node's
            names.append(struct + "::backward_by_ops")
        for place in (home + name for home in sorted(homes) for name in names):
            try:  # -qualified finds no templates
                gdb.execute("with breakpoint pending off -- break -function " + place)
                places += 1
            except gdb.error:
                continue
        if places == 0:
            raise Problem("this program has no op named %s" % text)


def functions(name):
    """The functions with that name, with their namespaces."""
    try:
        places = gdb.decode_line(name)[1] or []
    except gdb.error:
        return set()
    blocks = [gdb.block_for_pc(place.pc) for place in places if place.pc]
    return {block.function.name for block in blocks if block and block.function}


class PrevBackwardCommand(Command):
    """prev-backward: back to the previous gradient, with the state it had then. Alias: pb.

    The engine does it: it ends the running gradient, then undoes that one and the previous one.
    Side effects of hooks, and what was printed, remain."""

    def run(self, text):
        running()
        check_undoable(the_tape())
        gdb.parse_and_eval("'stepgrad::gradients_to_undo' = 2")
        to_gradient()


# ---- Uncaught errors


def is_readers(frame, tree):
    place = frame.find_sal().symtab
    path = place.fullname() if place else "/usr/"
    ours = re.match("(%s|.*/include/stepgrad/)(core|ops|nn)/" % re.escape(tree or "/"), path)
    return not ours and not path.startswith("/usr/") and path.startswith("/") \
        and frame.function() is not None and "/sysdeps/" not in path


def at_the_readers_line(event):
    """After an uncaught exception, selects the user's frame instead of abort()'s."""
    if getattr(event, "stop_signal", "") != "SIGABRT":
        return
    try:
        frame, names = gdb.newest_frame(), []
        while frame:
            names.append(frame.name() or "")
            if "std::terminate" in "".join(names) and is_readers(frame, library()):
                frame.select()
                gdb.write("Nobody caught it. Your line, of all that bt shows:\n")
                gdb.execute("frame")
                return
            frame = frame.older()
    except gdb.error:
        pass


def at_the_end(event):
    """A machine may lack the registers for a watch, which then never stops."""
    if any(stop.type == gdb.BP_HARDWARE_WATCHPOINT and not stop.hit_count for stop in gdb.breakpoints() or ()):
        gdb.write("The watch never stopped. If it should have, this machine cannot watch in hardware:\n"
            "set can-use-hw-watchpoints 0, and watch again.\n")


def install():
    all_commands.append(NextBackwardCommand("next-backward", "tensors", "nb"))
    all_commands.append(PrevBackwardCommand("prev-backward", alias="pb"))
    all_commands.append(BreakOpCommand("break-op", "ops"))
    connect(gdb.events.stop, say_which_gradient)
    connect(gdb.events.stop, at_the_readers_line)
    connect(gdb.events.exited, at_the_end)
