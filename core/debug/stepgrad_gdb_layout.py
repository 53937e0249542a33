"""`layout grad`: the source, the tape, and the tensors of the frame together, always fresh. Side by side
on a wide terminal; below each other, and the tape without what does not fit, on one of 80 columns."""

import gdb
import stepgrad_tape as tapes
from stepgrad_commands import tensors
from stepgrad_gdb_commands import Gdb
from stepgrad_gdb_values import the_tape
from stepgrad_read import Problem, Unreadable

WIDE = 120  # columns
windows = []


class Window:
    """A window that shows lines; each prompt fetches them again."""

    def __init__(self, window, title, lines):
        self.window, self.lines = window, lines
        self.first = self.right = 0
        window.title = title
        windows.append(self)

    def close(self):
        windows.remove(self)

    def render(self):
        height, width = self.window.height, self.window.width
        try:
            lines = self.lines(width)
        except (Problem, Unreadable, gdb.error) as problem:
            lines = [str(problem)]
        here = next((i for i, line in enumerate(lines) if line.startswith("=>")), 0)
        first = self.first or max(0, min(here - height // 2, len(lines) - height))
        shown = [line[self.right:self.right + width - 1] for line in lines[first:first + height]]
        self.window.erase()
        self.window.write("\n".join(shown))

    def vscroll(self, count):
        self.first = max(0, self.first + count)
        self.render()

    def hscroll(self, count):
        self.right = max(0, self.right + count)
        self.render()


def tape(width):
    """With the formula of the gradient that is running, for a narrow source window cuts it."""
    return tapes.tape_lines(the_tape(), narrow=width < WIDE)


def refresh():
    for window in windows:
        if window.window.is_valid():
            window.render()


def redraw():
    """What a command has printed may have gone over the windows."""
    if any(window.window.is_valid() for window in windows):
        gdb.execute("refresh")


def install():
    if not hasattr(gdb, "register_window_type"):  # a gdb without TUI
        return
    gdb.register_window_type("tape", lambda window: Window(window, "tape", tape))
    gdb.register_window_type("tensors", lambda window: Window(
        window, "tensors", lambda width: tensors(Gdb(), "")))
    wide = (gdb.parameter("width") or WIDE) >= WIDE
    layout = "{-horizontal src 3 tape 2} 3 tensors 1 status 0 cmd 1" if wide else \
        "src 3 tape 3 tensors 4 status 0 cmd 2"
    try:
        gdb.execute("tui new-layout grad " + layout)
    except gdb.error:  # it is there: the script was loaded before
        pass
    if hasattr(gdb, "stepgrad_prompt"):
        gdb.events.before_prompt.disconnect(gdb.stepgrad_prompt)
    gdb.stepgrad_prompt = refresh
    gdb.events.before_prompt.connect(refresh)
