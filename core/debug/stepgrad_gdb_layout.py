"""`layout grad`: the source, the tape, and the tensors of the frame side by side, always fresh."""

import gdb
import stepgrad_tape as tapes
from stepgrad_gdb_commands import tensor_lines
from stepgrad_gdb_values import the_tape
from stepgrad_read import Problem, Unreadable

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
        try:
            lines = self.lines()
        except (Problem, Unreadable, gdb.error) as problem:
            lines = [str(problem)]
        height, width = self.window.height, self.window.width
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


def tensors():
    return tensor_lines(gdb.selected_frame()) or ["no tensors in this frame"]


def refresh():
    for window in windows:
        if window.window.is_valid():
            window.render()


def install():
    if not hasattr(gdb, "register_window_type"):  # a gdb without TUI
        return
    gdb.register_window_type("tape", lambda window: Window(
        window, "tape", lambda: tapes.tape_lines(the_tape())))
    gdb.register_window_type("tensors", lambda window: Window(window, "tensors", tensors))
    try:
        gdb.execute("tui new-layout grad {-horizontal src 3 tape 2} 3 tensors 1 status 0 cmd 1")
    except gdb.error:  # it exists: the script was loaded twice
        return
    gdb.events.before_prompt.connect(refresh)
