"""The commands of stepgrad_commands.py in lldb, and print."""

import re

import lldb
import stepgrad_commands as commands
import stepgrad_names as names
from stepgrad_commands import name_of
from stepgrad_format import colour
from stepgrad_frames import tensor_lines
from stepgrad_lldb_values import check_version, of, running, the_tape
from stepgrad_memory import NOT_RUNNING, Problem, Unreadable


NO_VALUE = 0x1001  # kNoResult: the expression is void


class Lldb:
    """The debugger of stepgrad_commands.py."""

    def __init__(self, context):
        self.context = context

    def tape(self):
        return the_tape(self.context.GetTarget())

    def evaluate(self, text):
        frame = self.context.GetFrame()
        value = frame.GetValueForVariablePath(text) if frame else None
        if not value or not value.IsValid() or not value.GetError().Success():
            raise Problem("there is no '%s' here" % text)
        return of(value)

    def knows(self, name):
        frame, target = self.context.GetFrame(), self.context.GetTarget()
        if frame.FindVariable(name).IsValid():
            return True
        place = target.FindFirstGlobalVariable(name).GetAddress()
        return place.GetModule() in (frame.GetModule(), target.GetModuleAtIndex(0))

    def frames(self):
        frame = self.context.GetFrame()
        if not frame or not frame.IsValid():
            raise Problem(NOT_RUNNING)
        for index in range(frame.GetFrameID(), frame.GetThread().GetNumFrames()):
            yield variables(frame.GetThread().GetFrameAtIndex(index))

    def variable(self, name):
        running(self.context)
        return of(self.context.GetTarget().FindFirstGlobalVariable(name))

    def write(self, address, data):
        error = lldb.SBError()
        self.context.GetProcess().WriteMemory(address, data, error)
        if error.Fail():
            raise Unreadable(error.GetCString())

    def functions(self):
        for thread in self.context.GetProcess():
            for frame in list(thread)[:30]:
                yield frame.GetFunctionName() or ""

    def answer(self):
        options = lldb.SBExpressionOptions()
        options.SetIgnoreBreakpoints(True)  # the call runs gradients, which must not stop
        options.SetTrapExceptions(False)  # it catches its own exceptions
        options.SetTimeoutInMicroSeconds(0)  # no limit
        options.SetTryAllThreads(False)  # the others stay stopped
        call = "((void (*)())stepgrad_answer)()"
        outermost = self.context.GetThread().GetFrameAtIndex(self.context.GetThread().GetNumFrames() - 1)  # in no class
        said = outermost.EvaluateExpression(call, options).GetError()
        if said.Fail() and said.GetError() != NO_VALUE:
            raise Problem(said.GetCString().strip())


def variables(frame):
    """(name, value, late) of a frame's variables, without those that were optimised out. Of one name, lldb has the
    innermost last."""
    here, found = frame.GetLineEntry(), {}
    values = [*frame.GetVariables(True, True, False, True), frame.FindVariable("__closure")]
    for value in filter(lldb.SBValue.IsValid, values):
        place = value.GetDeclaration()
        late = value.GetValueType() == lldb.eValueTypeVariableLocal and \
            place.GetFileSpec() == here.GetFileSpec() and place.GetLine() >= here.GetLine()
        if "optimized out" not in (value.GetError().GetCString() or ""):
            found[value.GetName() or ""] = of(value), "line %d has not run yet" % place.GetLine() if late else None
    return [(name, *each) for name, each in found.items()]


def command(function):
    """An lldb command made from a function of (debugger, text); a Problem becomes its
    error."""

    def run(debugger, text, context, result, unused):
        colour(debugger.GetUseColor())
        try:
            if context.GetProcess().GetState() == lldb.eStateRunning:
                raise Problem("the program is running: process interrupt stops it")
            lines = function(Lldb(context), text.strip())
            if lines:
                result.AppendMessage("\n".join(lines))
        except (Problem, Unreadable) as problem:
            result.SetError("%s: %s" % (name_of(function), problem))

    run.__name__, run.__doc__ = function.__name__, function.__doc__
    return run


LOOKING = [command(each) for each in commands.LOOKING]


@command
def print_(debugger, text):
    """print X: all of a tensor or node, also a caller's, a row x[0], or op #3; any other expression as
    lldb prints it. Alias: p."""
    context = debugger.context
    check_version(context.GetTarget())
    if not text:  # lldb would take the next commands for lines of an expression
        raise Problem("of what? For instance: print w1")
    if not context.GetThread().IsValid():
        return names.shown(debugger, text)
    path = names.PATH.fullmatch(text)
    try:
        lines = commands.printed(debugger, text)
        return expression(debugger, text) if lines is None else lines
    except names.NoTensor:  # without an expression
        value = debugger.evaluate(text)
        if value.layout.name.startswith("std::unordered_map<"):  # and takes it for empty
            return tensor_lines([(text, value, None)])
        return said(context, "frame variable " + text)
    except names.Unknown:  # an index behind a std::vector's end would call, and end the program's checks
        known = path and debugger.knows(re.search(r"\w+", text)[0])
        return said(context, "frame variable " + text) if known else expression(debugger, text)


def expression(debugger, text):
    for name in {"this", *re.findall(r"[^\W\d]\w*", text)}:
        value = debugger.context.GetFrame().FindVariable(name)
        if " 14." in lldb.SBDebugger.GetVersionString() and value.IsValid() and of(value).holds("std::optional<"):
            raise Problem("lldb 14 ends at an expression in which there is a std::optional, here in %s" % name)
    try:
        return said(debugger.context, "expression -- " + names.resolved(debugger, text))
    except Problem as problem:  # without the compiler's warnings
        names.refuse_op(debugger, text, str(problem))
        errors = [line for line in str(problem).splitlines() if "error: " in line]
        raise Problem(errors[-1].split("error: ")[-1] if errors else problem) from None


def said(context, text):
    """lldb's answer to one of its own commands."""
    answer, here = lldb.SBCommandReturnObject(), context.GetProcess().GetSelectedThread().GetSelectedFrame()
    interpreter = context.GetTarget().GetDebugger().GetCommandInterpreter()
    interpreter.HandleCommand(text, lldb.SBExecutionContext(here), answer)
    if not answer.Succeeded():
        raise Problem(answer.GetError().strip())
    return [answer.GetOutput().rstrip()]
