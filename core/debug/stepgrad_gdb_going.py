"""The commands that move the program: from gradient to gradient, and back."""

import re

import gdb
from stepgrad_gdb_commands import Command
from stepgrad_gdb_values import the_tape
from stepgrad_read import Problem

HOOK = "stepgrad_backward_step"


def running():
    if gdb.selected_inferior().pid == 0 or not gdb.selected_thread():
        raise Problem("the program is not running: type run first")
    if gdb.selected_inferior().connection.type == "core":
        raise Problem("this is a core file: nothing runs in it")


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


def to_gradient():
    """To the hook that every gradient is called from, and into the gradient."""
    if run_to(HOOK) and run_to(gradient_of(the_tape().visiting)):
        gdb.execute("frame")


def gradient_of(node):
    """The name of a node's backward(): the third of its virtual functions, after two destructors.
    (The type that gdb finds by RTTI needs debug information of the op.)"""
    table = gdb.lookup_type("void").pointer().pointer()
    function = gdb.Value(node.address).cast(table.pointer()).dereference()[2]
    said = gdb.execute("info symbol %d" % int(function), to_string=True)
    return said.split(" in section")[0].split("(stepgrad::Tensor)")[0]


class NextBackwardCommand(Command):
    """next-backward: runs to the first line of the next gradient. Alias: nb."""

    def run(self, text):
        running()
        to_gradient()


class BreakOpCommand(Command):
    """break-op NAME: stops where the op is computed, and in its gradient."""

    def run(self, text):
        if not re.fullmatch(r"\w+", text):
            raise Problem("which op? For instance: break-op matmul")
        gradient = "".join(part.capitalize() for part in text.split("_")) + "Backward::backward"
        gdb.execute("set breakpoint pending off")
        places = 0
        for place in ("stepgrad::" + text, "stepgrad::Tensor::%s_" % text, "stepgrad::" + gradient):
            try:
                gdb.execute("break -qualified -function " + place)
                places += 1
            except gdb.error:
                continue
        if places == 0:
            raise Problem("this program has no op named %s" % text)


class PrevBackwardCommand(Command):
    """prev-backward: back to the gradient before this one, with everything as it was. Alias: pb.

    The engine does it: it ends the running gradient, and undoes that and the one before. What hooks
    have done, or was printed, stays."""

    def run(self, text):
        running()
        tape = the_tape()
        if not tape.visiting:
            raise Problem("no backward pass is running")
        ledger = tape.visiting.ledger()
        if not ledger or not ledger.contributions:
            raise Problem("no ledger was kept: call set_ledger(true) before backward()")
        if ledger.contributions[0].number == 0:
            raise Problem("this is the first gradient")
        gdb.parse_and_eval("'stepgrad::the_tape'.go_back = 2")
        to_gradient()


def install():
    NextBackwardCommand("next-backward", alias="nb")
    PrevBackwardCommand("prev-backward", alias="pb")
    BreakOpCommand("break-op")
