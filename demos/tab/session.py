"""What the page asks of Python: a cell run, a name completed or explained, an exercise checked."""

import ast
import builtins
import inspect
import json
import linecache
import os
import re
import rlcompleter
import sys
import traceback
import types

import stepgrad.torch  # noqa: F401
import tab  # the worker's: shown(kind, text)
from stepgrad.debugging import Page

import checks

# A module's call, or a gradient of one's own, goes from Python through C to Python, on the browser's stack: at Python's
# usual 1,000 levels that ends before RecursionError comes.
sys.setrecursionlimit(150 if sys.version_info < (3, 13) else 200)

sys.stdout.reconfigure(line_buffering=True)
main = sys.modules["__main__"] = types.ModuleType("__main__")
complete_name = rlcompleter.Completer(main.__dict__)


def display(*values):
    """Shows values beneath the cell, as it shows its last line's."""
    for value in values:
        sys.stdout.flush()
        page = getattr(value, "_repr_html_", None)
        kind = "page" if isinstance(value, Page) else "html" if page else "text"
        tab.shown(kind, str(value) if kind == "page" else page() if page else repr(value) + "\n")


def ask(prompt=""):
    raise RuntimeError("input(): a cell of this tab cannot wait for an answer: write a text in its place")


builtins.display, builtins.input = display, ask


def run(code, number):
    """The cell In[number]. Returns {} or {error: text, lines: [[number of a cell, line], ...]}, as JSON."""
    name = f"In[{number}]"
    linecache.cache[name] = len(code), None, code.splitlines(True), name
    try:
        tree = ast.parse(code, name)
        shown = tree.body and isinstance(tree.body[-1], ast.Expr) and not code.rstrip().endswith(";")
        last = ast.Expression(tree.body.pop().value) if shown else None
        exec(compile(tree, name, "exec"), main.__dict__)
        value = eval(compile(last, name, "eval"), main.__dict__) if last else None
        if value is not None:
            display(value)
    except BaseException as error:  # SystemExit and KeyboardInterrupt, too: the tab goes on
        return json.dumps(told(error))
    finally:
        sys.stdout.flush()
    return "{}"


def told(error):
    trace = error.__traceback__.tb_next  # without run()
    lines = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(trace)]
    if isinstance(error, SyntaxError):
        trace = None
        lines.append((error.filename, error.lineno))
    missing = isinstance(error, ModuleNotFoundError)
    magic = isinstance(error, SyntaxError) and re.match(r"\s*[%!]", error.text or "")
    lacks = (f"This tab has torch and most of Python's own modules, not {error.name}." if missing else
        "% and ! at the start of a line are Jupyter's: this tab runs Python alone." if magic else "")
    cells = [(re.fullmatch(r"In\[(\d+)\]", file or ""), line) for file, line in lines]
    return {"error": "".join(traceback.format_exception(type(error), error, trace)) + lacks,
        "lines": [(int(cell[1]), line) for cell, line in cells if cell and line]}


def complete(name):
    """The names that a name's beginning may become, as JSON; of an object's attributes behind its dot."""
    try:
        found = complete_name.attr_matches(name) if "." in name else complete_name.global_matches(name)
    except Exception:  # of the object's own
        found = []
    return json.dumps(sorted({each.rstrip("() :").rpartition(".")[2] for each in found}, key=str.casefold))


def explain(name):
    """A name's signature and the first lines of its documentation; of a value, what it is."""
    try:
        value = eval(name, main.__dict__)
        if not callable(value) and not isinstance(value, types.ModuleType):
            return f"{type(value).__name__}: {repr(value)[:300]}"
        documented = (inspect.getdoc(value) or "").splitlines()[:6]
    except Exception:
        return ""
    try:
        documented.insert(0, name.rpartition(".")[2] + str(inspect.signature(value)))
    except (TypeError, ValueError):
        pass  # a function of C++: its documentation begins with it
    return "\n".join(documented).strip()


def check(name, functions, language):
    """[whether an exercise, whose functions the cells have defined, is right, the verdict in words], as JSON."""
    import exercise  # only here, for it takes a while

    given = [main.__dict__.get(each) for each in functions.split(", ")]
    try:
        verdict = checks.check(name, *given)
    except BaseException as error:  # of the student's, such as SystemExit
        verdict = f"{name}: not yet: {type(error).__name__}: {error}"
    if None in given:
        verdict = f"{name}: not yet: the cells do not define {functions}."
    os.environ["LANGUAGE"] = language
    words = verdict.removeprefix(f"{name}: ")
    return json.dumps([words == "right", f"{name}: {exercise.translated_verdict(words)}"])
