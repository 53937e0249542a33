"""The commands of stepgrad_commands.py in gdb. `stepgrad` lists them; `help NAME` describes
one."""

import contextlib
import re

import gdb
import stepgrad_commands as commands
import stepgrad_names as names
from stepgrad_commands import name_of
from stepgrad_format import colour
from stepgrad_gdb_calls import answer
from stepgrad_gdb_values import check_version, of, running, the_tape
from stepgrad_memory import NOT_RUNNING, Problem, Unreadable

METHOD = re.compile(r"[^\W\d][\w.]*(?<!\.grad)(?<!\.value)\([-\d, ]*\)")  # see stepgrad_gdb_methods.py


class Gdb:
    """The debugger of stepgrad_commands.py."""

    tape = staticmethod(the_tape)

    def evaluate(self, text):
        try:
            return of(gdb.parse_and_eval(text))
        except gdb.error as error:
            raise Problem(str(error).rstrip(".")) from None

    def knows(self, name):
        symbol, of_this = gdb.lookup_symbol(name)
        if of_this:
            return True
        if symbol is None or symbol.addr_class == gdb.SYMBOL_LOC_BLOCK:
            return False
        here = gdb.selected_frame().find_sal().symtab  # a library's variable is known in the library only
        ours = [gdb.lookup_objfile(gdb.current_progspace().filename), here and here.objfile]
        return symbol.needs_frame or not symbol.symtab or symbol.symtab.objfile in ours

    def frames(self):
        if not gdb.selected_thread():
            raise Problem(NOT_RUNNING)
        frame = gdb.selected_frame()
        while frame:
            yield variables(frame)
            frame = frame.older()

    def variable(self, name):
        running()
        return of(gdb.lookup_global_symbol(name).value())

    def write(self, address, data):
        gdb.selected_inferior().write_memory(address, data)

    def functions(self):
        selected, frame = gdb.selected_thread(), gdb.selected_frame()
        try:
            for thread in gdb.selected_inferior().threads():
                thread.switch()
                each = gdb.newest_frame()
                for _ in range(30):
                    if each:
                        yield each.name() or ""
                        each = each.older()
        finally:
            selected.switch()
            frame.select()

    answer = staticmethod(answer)


def variables(frame):
    """(name, value, late) of a frame's variables, without those that were optimised out."""
    try:
        block = frame.block()
    except RuntimeError:  # no debug information
        return []
    here, found = frame.find_sal(), []
    while block and not block.is_global and not block.is_static:
        for symbol in block:
            if not symbol.is_variable and not symbol.is_argument:
                continue
            late = None
            if symbol.is_variable and here.symtab and symbol.line >= here.line \
                    and symbol.symtab.filename == here.symtab.filename:
                late = "line %d has not run yet" % symbol.line
            try:
                value = symbol.value(frame)
            except gdb.error:
                continue
            if not value.is_optimized_out:
                with contextlib.suppress(Unreadable):
                    found.append((symbol.name, of(value), late))
        block = block.superblock if not block.function else None
    return found


@contextlib.contextmanager
def answering(name, from_tty):
    """Problems become one sentence, and names are C++'s in a frame of C, too."""
    colour(from_tty and gdb.parameter("style enabled"))
    language = gdb.parameter("language")
    gdb.execute("set language c++", to_string=True)
    try:
        yield
    except (Problem, Unreadable) as problem:
        raise gdb.GdbError("%s: %s" % (name, problem)) from None
    except gdb.error as error:
        raise gdb.GdbError(str(error)) from None
    finally:
        gdb.execute("set language " + language, to_string=True)


class Command(gdb.Command):
    """A command: its docstring is the help; run(text) executes it."""

    def __init__(self, name, completes="", alias=None):
        super().__init__(name, gdb.COMMAND_DATA)
        self.name, self.completes = name, completes
        if alias:
            try:
                gdb.execute("alias %s = %s" % (alias, name))
            except gdb.error:  # it is there: the script was loaded before
                pass

    def invoke(self, text, from_tty):
        with answering(self.name, from_tty):
            check_version()
            self.run(text.strip())

    def run(self, text):
        raise NotImplementedError

    def complete(self, text, word):
        return names.completions(Gdb(), text, word, self.completes == "ops") if self.completes else []


def say(lines):
    gdb.write("".join(line + "\n" for line in lines))


def command(function):
    """A gdb command made from a function of stepgrad_commands.py."""

    class Looking(Command):
        __doc__ = function.__doc__

        def run(self, text):
            say(function(Gdb(), text))

    if function is commands.save_trace:  # replaces gdb's own trace, for tracepoints
        Looking("trace", "tensors")
    return Looking(name_of(function), "tensors")


class PrintCommand(gdb.Command):
    """print EXPRESSION: its value, as in any gdb. A name that is no variable here may be a
    tensor of a caller: print w1. print #3: an op."""

    def __init__(self):
        super().__init__("print", gdb.COMMAND_DATA)

    def invoke(self, text, from_tty):
        text = text.strip()
        with answering("print", from_tty):
            lines = shown(text)
            if lines:
                return say(lines)
            asked = text
            if gdb.selected_thread():
                form = re.match(r"(/\w+\s+)?", text)[0]
                asked = form + names.resolved(Gdb(), text[len(form):], "[")  # it has methods itself
            try:
                gdb.execute("call " + asked, from_tty)  # gdb's own print, except for a void result
            except gdb.error as error:
                names.refuse_op(Gdb(), text, str(error))
                raise

    def complete(self, text, word):
        return names.completions(Gdb(), text, word) or gdb.COMPLETE_EXPRESSION


def shown(text):
    """All of a tensor or an op, a row, or a command; None: gdb prints it itself."""
    if not gdb.selected_thread() and text[:1] != "#" or METHOD.fullmatch(text):
        return None
    if names.PATH.fullmatch(text) and gdb.lookup_global_symbol("stepgrad::the_tape"):
        check_version()
    with contextlib.suppress(names.Unknown, names.NoTensor, gdb.error):
        if re.fullmatch(r"\*([\w.:&*\[\]]|->|node\(\))+", text):  # gdb's own * warns of a node without an RTTI symbol
            text = text.lstrip("*&")
            return commands.printed(Gdb(), text) or names.shown(Gdb(), text)
        return commands.printed(Gdb(), text)
    return None


class StepgradCommand(Command):
    """stepgrad: what stepgrad adds to gdb."""

    def run(self, text):
        say(commands.summary(each.__doc__) for each in all_commands)
        say(["$at(x, i, j): an element. $grad(x): a gradient. $bad(x): 1 if there is a NaN or Inf."])


all_commands = []


def install():
    all_commands.append(StepgradCommand("stepgrad"))
    all_commands.extend(map(command, commands.LOOKING))
    PrintCommand()
