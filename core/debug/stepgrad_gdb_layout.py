"""`layout grad`: the source, the tape, and the frame's tensors, redrawn at each prompt. Side by
side on a wide terminal; below each other on one of 80 columns, with fewer columns of the
tape."""

import gdb
import stepgrad_tape as tapes
from stepgrad_commands import tensors
from stepgrad_gdb_commands import Gdb, windows
from stepgrad_gdb_values import connect, the_tape
from stepgrad_memory import Problem, Unreadable

WIDE = 160  # columns
stale = set()  # "screen": the program may have printed over it; "source": its size has changed


class Window:
    """A window of lines, which are fetched again at each prompt."""

    def __init__(self, window, title, lines):
        self.window, self.title, self.lines = window, title, lines
        self.first = self.right = 0
        self.size = None
        windows.append(self)

    def close(self):
        windows.remove(self)

    def render(self):
        height, width = self.window.height, self.window.width
        if self.size != (height, width):
            self.size = height, width
            stale.add("source")
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
    """With the running gradient's formula, since a narrow source window cuts it."""
    return tapes.tape_lines(the_tape(), narrow=width < WIDE)


def is_on():
    return any(window.window.is_valid() for window in windows)


def refresh():
    """Before each prompt."""
    if is_on():
        if "source" in stale and gdb.selected_thread():
            gdb.execute("frame", to_string=True)  # scrolls to its line
        if stale:
            gdb.execute("refresh")
            gdb.post_event(show_titles)  # gdb draws the source's frame over them
        for window in windows:
            if window.window.is_valid():
                window.render()
    stale.clear()


def show_titles():
    for window in windows:
        if window.window.is_valid():
            window.window.title = ""  # an unchanged title is not drawn
            window.window.title = window.title
            window.render()


def has_run(event):
    """The program may have printed."""
    stale.add("screen")


def install():
    if not hasattr(gdb, "register_window_type"):  # a gdb without TUI
        return
    gdb.register_window_type("tape", lambda window: Window(window, "tape", tape))
    gdb.register_window_type("tensors", lambda window: Window(
        window, "tensors", lambda width: tensors(Gdb(), "")))
    wide = (gdb.parameter("width") or WIDE) >= WIDE
    layout = "{-horizontal src 1 tape 1} 3 tensors 1 status 0 cmd 1" if wide else \
        "src 3 tape 3 tensors 4 status 0 cmd 2"
    try:
        gdb.execute("tui new-layout grad " + layout)
    except gdb.error:  # it is there: the script was loaded before
        pass
    connect(gdb.events.before_prompt, refresh)
    connect(gdb.events.stop, has_run)
    connect(gdb.events.exited, has_run)
