"""bt in a Python program: without the frames of the interpreter and of pybind11. `bt
-no-filters` shows all frames, and so does bt after `disable frame-filter global stepgrad`."""

import os

import gdb
from gdb.FrameDecorator import FrameDecorator

PLUMBING = ("Py", "_Py", "pybind11::", "__libc_start", "_start")
IN_BINDING = ("operator()", "computed<")


def is_python():
    return os.path.basename(gdb.current_progspace().filename or "").startswith("python")


def is_shown(frame):
    name, place = frame.name() or "", frame.find_sal().symtab
    if not name and gdb.solib_name(frame.pc()) is None or name.startswith(PLUMBING):
        return False  # the interpreter has no symbols
    return not (name.startswith(IN_BINDING) and place and "/binding/" in place.filename)


class Shown(FrameDecorator):
    def function(self):  # as in bt, without the parameters' types
        return self.inferior_frame().name() or super().function()


class PythonFrames:
    name, priority, wanted = "stepgrad", 100, True

    @property
    def enabled(self):
        return self.wanted and is_python()

    @enabled.setter
    def enabled(self, on):
        self.wanted = on

    def filter(self, frames):
        return (Shown(each) for each in frames if is_shown(each.inferior_frame()))


def install():
    gdb.frame_filters["stepgrad"] = PythonFrames()
