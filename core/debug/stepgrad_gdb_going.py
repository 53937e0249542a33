"""The commands that move the program: from gradient to gradient, and back."""

import re

import gdb
import stepgrad_gdb_layout
from stepgrad_commands import check_undoable, destination
from stepgrad_gdb_commands import Command, Gdb, all_commands
from stepgrad_gdb_values import running, the_tape
from stepgrad_read import Problem

HOOK = "stepgrad_backward_step"


def run_to(location):
    """Continues to a function's first line. False: it stopped elsewhere, and has said so."""
    stop = gdb.Breakpoint("-qualified -function " + location, internal=True, temporary=True)
    stop.silent = True
    if stop.pending:
        stop.delete()
        raise Problem("%s is not in this program" % location)
    said = gdb.execute("continue", to_string=True)
    if not stop.is_valid():
        return True
    stop.delete()
    gdb.write(said)
    return False


def to_gradient(times=1, wanted=lambda node: True):
    """To the hook that every gradient is called from, so many times and until its node is a wanted
    one; and into the gradient."""
    while times:
        if not run_to(HOOK):
            return
        times -= wanted(the_tape().visiting)
    if run_to(gradient_of(the_tape().visiting)):
        gdb.execute("frame")
        stepgrad_gdb_layout.redraw()


def gradient_of(node):
    """The name of a node's backward(): the third of its virtual functions, after two destructors.
    (The type that gdb finds by RTTI needs debug information of the op.)"""
    table = gdb.lookup_type("void").pointer().pointer()
    function = gdb.Value(node.address).cast(table.pointer()).dereference()[2]
    said = gdb.execute("info symbol %d" % int(function), to_string=True)
    return said.split(" in section")[0].split("(stepgrad::Tensor)")[0]


class NextBackwardCommand(Command):
    """next-backward [N | X]: runs to the first line of the next gradient, of the Nth from here, or of
    the next that adds to the gradient of tensor X. Alias: nb."""

    def run(self, text):
        running()
        to_gradient(*destination(Gdb(), text))


class BreakOpCommand(Command):
    """break-op NAME: stops where the op is computed, and in its gradient."""

    def run(self, text):
        if not re.fullmatch(r"\w+", text):
            raise Problem("which op? For instance: break-op matmul")
        gradient = "".join(part.capitalize() for part in text.split("_")) + "Backward"
        homes = namespaces_of(gradient + "::backward") | {"stepgrad::"}
        places = 0
        for home in sorted(homes):
            for place in (text, "Tensor::%s_" % text, gradient + "::backward"):
                try:
                    gdb.execute("with breakpoint pending off -- break -qualified -function "
                                + home + place)
                    places += 1
                except gdb.error:
                    continue
        if places == 0:
            raise Problem("this program has no op named %s" % text)


def namespaces_of(function):
    """In which namespaces, each with its ::, there is such a function."""
    try:
        places = gdb.decode_line(function)[1] or []
    except gdb.error:
        return set()
    found = set()
    for place in places:
        block = gdb.block_for_pc(place.pc) if place.pc else None
        if block and block.function:
            found.add(block.function.name.split("(stepgrad::Tensor)")[0].removesuffix(function))
    return found


class PrevBackwardCommand(Command):
    """prev-backward: back to the gradient before this one, with everything as it was. Alias: pb.

    The engine does it: it ends the running gradient, and undoes that and the one before. What hooks
    have done, or was printed, stays."""

    def run(self, text):
        running()
        check_undoable(the_tape())
        gdb.parse_and_eval("'stepgrad::gradients_to_undo' = 2")
        to_gradient()


# ---- Uncaught errors -----------------------------------------------------------------------------


def library():
    """The folder of the sources of stepgrad's own rooms, with a / at its end."""
    symbol = gdb.lookup_global_symbol("stepgrad_backward_step")
    return symbol.symtab.fullname().rsplit("core/", 1)[0] if symbol else None


def is_readers(frame, tree):
    place = frame.find_sal().symtab
    path = place.fullname() if place else "/usr/"
    ours = tree and path.startswith(tuple(tree + room for room in ("core/", "ops/", "nn/")))
    return not ours and not path.startswith("/usr/") and path.startswith("/") \
        and frame.function() is not None and "/sysdeps/" not in path


def at_the_readers_line(event):
    """After an exception that nobody caught, the frame shown is the reader's, not abort()'s."""
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


def install():
    all_commands.append(NextBackwardCommand("next-backward", alias="nb"))
    all_commands.append(PrevBackwardCommand("prev-backward", alias="pb"))
    all_commands.append(BreakOpCommand("break-op"))
    if hasattr(gdb, "stepgrad_stop"):  # of the script that was loaded before
        gdb.events.stop.disconnect(gdb.stepgrad_stop)
    gdb.stepgrad_stop = at_the_readers_line
    gdb.events.stop.connect(at_the_readers_line)
