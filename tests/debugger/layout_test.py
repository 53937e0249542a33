"""`layout grad` in gdb, on a screen that tmux plays."""

import os
import re
import subprocess
import time
import unittest

import session
from session import BACKWARD, STEP


class Screen:
    """gdb on a terminal, standing at loss.backward()."""

    def __init__(self, columns, rows):
        self.server = "stepgrad-%d-%d" % (os.getpid(), columns)
        said = sum((["-ex", each] for each in ("set confirm off", session.NO_CALLS, "tbreak step.cpp:%d" % BACKWARD,
                                               "run", "layout grad")), [])
        self.tmux("new-session", "-d", "-x", str(columns), "-y", str(rows), "env", "TERM=screen",
                  "LC_ALL=C.UTF-8", "gdb", "-nx", "-q", "-iex",
                  "add-auto-load-safe-path %s" % STEP, *said, str(STEP))

    def tmux(self, *command):
        done = subprocess.run(["tmux", "-u", "-L", self.server, *command], check=True,
                              stdout=subprocess.PIPE, timeout=60)
        return done.stdout.decode()

    def type(self, line):
        self.tmux("send-keys", line, "Enter")

    def shows(self, *texts):
        """The screen, once it holds all the texts and is drawn no more, or else after a minute. Around
        the number of the current line each gdb has other spaces."""
        screen = ""
        for _ in range(600):
            before, screen = screen, re.sub(r"> +(\d+) +", r"> \1 ", self.tmux("capture-pane", "-p"))
            if screen == before and all(text in screen for text in texts):
                break
            time.sleep(0.1)
        return screen

    def close(self):
        self.tmux("kill-server")


class Layout(unittest.TestCase):
    def follow(self, screen, *steps):
        """Types each command and returns the last screen, which must show the texts behind it."""
        self.addCleanup(screen.close)
        for command, *texts in steps:
            screen.type(command)
            shown = screen.shows(*texts)
            for text in texts:
                self.assertIn(text, shown)
        return shown

    def titles(self, shown):
        return re.findall(r"┌─(\w+)─", shown)

    def test_on_120_columns_the_tape_has_its_lines(self):
        self.follow(Screen(120, 40), ("", "> %d loss.backward();" % BACKWARD, "called at",
                                      "positionwise_feed_forward.cpp:"))

    def test_the_current_line_is_in_sight_and_nothing_asks_for_a_key_and_the_end_spoils_nothing(self):
        shown = self.follow(
            Screen(80, 24), ("", "> %d loss.backward();" % BACKWARD), ("nb", "dY  f32[]"),
            ("tape", "'loss'  step.cpp:23\n(gdb)"), ("nb", "=>  #10  mul"),
            ("continue", "exited normally", "the program is not running"))
        self.assertNotIn("x.grad", shown)
        self.assertEqual(self.titles(shown), ["tape", "tensors"])

    def test_source_tape_and_tensors_stand_side_by_side_and_follow(self):
        self.follow(
            Screen(160, 45),
            ("", "loss.backward();", "#11  mean", "ffn.w1  f32[4, 8] 'w1' leaf, grad: none"),
            ("next-backward", "x.add_grad(", "=>  #11  mean", "dY  f32[]"),
            ("next-backward", "dB = dY∘A", "=>  #10  mul", "ok  #11  mean", "A   f32[3, 4]"),
            ("prev-backward", "=>  #11  mean", "dY  f32[]"))

    def test_on_80_columns_they_stand_below_each_other_with_the_whole_formula(self):
        shown = self.follow(
            Screen(80, 24),
            ("nb", "#11  mean", "dY  f32[]", "─tape─"), ("nb", "=>  #10  mul", "dA = dY∘B   dB = dY∘A"),
            ("nb 4", "=>  #7   matmul", "dA = dY·Bᵀ   dB = Aᵀ·dY", "b   edge to 'w2' [8, 4]",
             "A   f32[3, 8]", "dY  f32[3, 4]"),
            ("pb", "=> leaf 'b2' [4]"), ("pb", "=>  #8   add", "dA = dY"), ("nb 2", "=>  #7   matmul", "a   edge to #6 [3, 8]"))
        self.assertEqual(self.titles(shown), ["tape", "tensors"])
        windows = shown[:shown.rindex("└")].splitlines()
        self.assertEqual([line for line in windows if line[0] not in "┌│└├"], [])  # none garbled


if __name__ == "__main__":
    session.require("gdb", "tmux")
    unittest.main()
