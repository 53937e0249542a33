"""Functions for a notebook's cells: the tape, gradients, pages, gdb."""

import ctypes
import html
import os
import shlex
import sys
import warnings

import _stepgrad

_ENGINE = os.path.join(os.path.dirname(__file__), "engine.wasm.gz")  # installed beside this


class Text(str):
    def __repr__(self):
        return str(self)

    def _repr_html_(self):
        return f"<pre>{html.escape(self)}</pre>"


class Table(Text):
    """Text in a terminal, a table in a notebook."""

    def __new__(cls, rows):
        self = super().__new__(cls, _stepgrad._columns(rows))
        self.rows = rows
        return self

    def _repr_html_(self):
        used = [i for i in range(len(self.rows[0])) if any(row[i] for row in self.rows)]

        def line(row, tag):
            cells = ((tag if row[i] else "td", html.escape(row[i])) for i in used)  # a heading has words
            return "<tr>" + "".join(f"<{tag} style='text-align:left'>{text}</{tag}>" for tag, text in cells) + "</tr>"

        head, *body = self.rows
        return "<table>" + line(head, "th") + "".join(line(row, "td") for row in body) + "</table>"


def tape(x):
    """The ops that x was computed from, one per line, in the order of recording."""
    return Table(_stepgrad._tape(x))


def explain(x):
    """The contributions to x's gradient, if set_ledger(True) was called before the backward
    pass."""
    return Text(_stepgrad._explain(x))


class Page(str):
    """A web page, shown in a notebook's cell isolated from the rest."""

    def __repr__(self):
        return f"<a page of {len(self.encode())} bytes: trace(loss, FILE) writes it>"

    def _repr_html_(self):
        return ("<iframe sandbox='allow-scripts allow-modals' style='width: 100%; height: 780px; "
            f"border: 0' title='the tape' srcdoc='{html.escape(self)}'></iframe>")


def trace(loss, path=None, cell=("", ()), lesson="", live=None, rows=None):
    """The tape behind loss as a page to step through, forward and backward, with the numbers of every tensor if
    set_ledger(True) was called before the forward pass: shown in the cell, or written to `path`. A tensor without a
    name has that of the caller's variable there. `cell`: the number that is asked about, ("w1", (2, 3)). `lesson`: a
    text in Markdown beside it, or the name of one that is here, "feed_forward". `rows`, {"x": ["The", "cat"]}: words
    for the rows of the tensor "x", and so for the sides of an attention's weights. The page contains the engine, which
    computes what follows from a changed number, unless `live` is False; if it cannot, a warning says why, and what to
    add."""
    caller = sys._getframe(1)
    named = []
    for name, x in {**caller.f_globals, **caller.f_locals}.items():
        if isinstance(x, _stepgrad.Tensor) and not x.name and name[0] != "_":  # _ is Jupyter's last value
            x.set_name(name)
            named.append(x)
    engine = None if live is False else _ENGINE if os.path.exists(_ENGINE) else ""
    try:
        text, why_not = _stepgrad._to_html(loss, *cell, lesson, engine, rows or {})
    finally:
        for x in named:
            x.set_name("")
    text, why_not = (each.replace("set_ledger(true)", "stepgrad.set_ledger(True)") for each in (text, why_not))
    if why_not and (live or "there is no engine" not in why_not):
        warnings.warn("the page is not live: " + why_not, stacklevel=2)
    return _shown(text, path)


def trace_refusal(path=None):
    """A page like trace()'s, of a forward pass that has ended in an error: the ops until then, and the one that
    refused its inputs, with their shapes and the rule. Needs set_ledger(True) before the forward pass."""
    return _shown(_stepgrad._refusal_to_html(), path)


def _shown(text, path):
    page = Page(text)
    if path is None:
        return page
    _stepgrad._write_file(os.fspath(path), page)


def debugger(pid, commands=()):
    """The command that attaches gdb to a process with this module and its tape."""
    so = _stepgrad.__file__
    tree = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    script = os.path.join(tree, "..", "core", "debug", "stepgrad_gdb.py")
    if not os.path.exists(script):  # installed
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gdb", "stepgrad_gdb.py")
    parts = ["gdb", "-q", "-p", str(pid), "-iex", "set debuginfod enabled off"]
    parts += ["-iex", f"add-auto-load-safe-path {so}"]
    parts += ["-iex", f"source {os.path.normpath(script)}"]  # before there is a process
    for command in commands:
        parts += ["-ex", command]
    return shlex.join(parts)


def debug():
    """Prints the command that attaches gdb to this process, to stop at the next gradient."""
    if sys.platform == "emscripten":
        print("gdb cannot attach to a browser's tab; stepgrad.Stepper steps there, too.")
        return
    if sys.platform == "linux":  # PR_SET_PTRACER, PR_SET_PTRACER_ANY: let any process attach
        ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0)
    _stepgrad.set_ledger(True)  # explain and prev-backward need it
    print("In a terminal of this machine:\n")
    print(debugger(os.getpid(), ["break stepgrad_backward_step", "continue"]))
    print("\nThen run a cell with backward(): gdb stops at its first gradient.")
    if not _stepgrad.teaching:
        print("Its lines and dY show after `demos/run jupyter --step` in stepgrad's sources, which builds for stepping.")
    sys.stdout.flush()
