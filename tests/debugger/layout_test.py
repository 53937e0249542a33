"""`layout grad` in gdb, on a screen that tmux plays."""

import os
import subprocess
import time
import unittest

import session
from session import BACKWARD, STEP


class Screen:
    """gdb on a terminal of 160 x 45 characters."""

    def __init__(self, *commands):
        self.server = "stepgrad-%d" % os.getpid()
        said = sum((["-ex", each] for each in commands), [])
        self.tmux("new-session", "-d", "-x", "160", "-y", "45", "env", "TERM=screen",
                  "LC_ALL=C.UTF-8", "gdb", "-nx", "-q", "-iex",
                  "add-auto-load-safe-path %s" % STEP, *said, str(STEP))

    def tmux(self, *command):
        done = subprocess.run(["tmux", "-u", "-L", self.server, *command], check=True,
                              stdout=subprocess.PIPE, timeout=60)
        return done.stdout.decode()

    def type(self, line):
        self.tmux("send-keys", line, "Enter")

    def shows(self, *texts):
        """The screen, once it holds all the texts, or else after a minute."""
        for _ in range(600):
            screen = self.tmux("capture-pane", "-p")
            if all(text in screen for text in texts):
                break
            time.sleep(0.1)
        return screen

    def close(self):
        self.tmux("kill-server")


class Layout(unittest.TestCase):
    def test_source_tape_and_tensors_stand_side_by_side_and_follow(self):
        screen = Screen("set confirm off", "tbreak step.cpp:%d" % BACKWARD, "run", "layout grad")
        self.addCleanup(screen.close)
        for command, *texts in (
                ("", "loss.backward();", "#10  mean", "ffn.w1  f32[4, 8] 'w1' leaf, grad: none"),
                ("next-backward", "x.add_grad(", "=>  #10  mean", "dY  f32[]"),
                ("next-backward", "dB = dY∘A", "=>  #9   mul", "ok  #10  mean", "A   f32[3, 4]"),
                ("prev-backward", "=>  #10  mean", "dY  f32[]")):
            screen.type(command)
            shown = screen.shows(*texts)
            for text in texts:
                self.assertIn(text, shown)


if __name__ == "__main__":
    session.require("gdb", "tmux")
    unittest.main()
