"""demos/step/step.md and demos/README.ko.md show what gdb and lldb really print. In a fenced block,
`$ demos/run step` begins a session; the blocks after it hold its commands. --write puts the output in."""

import re
import sys
import textwrap
import unittest

import session
from session import TREE, run

PATHS = [TREE / "demos/step/step.md", TREE / "demos/README.ko.md"]
BLOCK = re.compile(r"(?m)^```\n((?:\$|\(gdb\)|\(lldb\)) .*?)^```$", re.S)
START = re.compile(r"\$ (demos/run step.*)")
VERSIONS = {"gdb": "13", "lldb": "14"}  # they differ in what they say


def commands(block):
    return [] if START.match(block) else re.findall(r"(?m)^\((?:gdb|lldb)\) (.*)$", block)


def wrapped(frame):
    return textwrap.fill(frame[0], 100, subsequent_indent="    ", break_on_hyphens=False)


def plain(text):
    """Without the parts that differ between machines, or runs."""
    text = text.replace(str(TREE) + "/", "").replace(" ../../", " ")
    text = re.sub(r"(?m)^(\[Thread debugging|Using host libthread_db|swig/|ninja: |demos/run: ).*\n", "", text)
    text = re.sub(r"(?m)^(\(gdb\) )?(?:Hardware w|W)atchpoint", r"\1Hardware watchpoint", text)
    text = re.sub(r"0x[0-9a-f]{4,}", "0x...", text)
    text = re.sub(r"`main \+ \d+", "`main + ...", text)
    text = re.sub(r"(P|p)rocess \d+", r"\1rocess 1", text)
    text = re.sub(r"(?m)^.{80,} at \S+/\S+:\d+$", wrapped, text)
    return re.sub(r"[ \t]+$", "", text, flags=re.M)


def sessions(text):
    """For each session: the command that starts it, and the blocks that belong to it."""
    found = []
    for match in BLOCK.finditer(text):
        start = START.match(match[1])
        if start:
            found.append((start[1], []))
        found[-1][1].append(match[1])
    return found


def blocks_said(start, blocks):
    """The blocks with the debugger's output."""
    debugger = "lldb" if "--lldb" in start else "gdb"
    typed = [command for block in blocks for command in commands(block)]
    if debugger == "gdb":  # not every machine has watchpoints in hardware
        typed[:0] = ["set can-use-hw-watchpoints 0"]
    script, *options = start.split()
    output = plain(run([TREE / script, *options], "\n".join([*typed, "quit"]).encode() + b"\n"))
    prompt = "(%s) " % debugger
    if debugger == "gdb":
        head, *answers = re.split(r"(?m)(?:^|(?<=\(gdb\) ))\(gdb\) ?", output)
        answers = answers[1:]  # nothing is said to the setting
    else:  # which repeats what is typed, and begins with commands of demos/run
        head, output = output.split("(lldb) script lldb.debugger.SetAsync(False)\n")
        answers = [each.split("\n", 1)[1]
            for each in re.split(r"(?m)^\(lldb\) ", output)[1:-1]]
    answers = iter(answers)
    said = []
    for block in blocks:
        if block == "$ %s\n" % start:  # what it says is shown further up
            said.append(block)
        elif START.match(block):
            said.append("$ %s\n%s" % (start, head.rstrip("\n") + "\n"))
        else:
            text = "".join(prompt + command + "\n" + next(answers) for command in commands(block))
            said.append(text.rstrip("\n") + "\n")
    return said


def renewed(text):
    said = iter([block for start, blocks in sessions(text) for block in blocks_said(start, blocks)])
    return BLOCK.sub(lambda match: "```\n" + next(said) + "```", text)


class WalkThrough(unittest.TestCase):
    maxDiff = None

    def test_it_shows_the_debuggers_output(self):
        for path in PATHS:
            text = path.read_text()
            self.assertEqual(text, renewed(text),
                "python3 tests/debugger/walk_through_test.py . build/teach --write")


session.require("gdb", "lldb")
for debugger, version in VERSIONS.items():
    if not re.search(r"(?:gdb|version)\D* %s\." % version, run([debugger, "--version"])):
        print("the walk-through is written with %s %s" % (debugger, version))
        sys.exit(77)
if sys.argv[1:] == ["--write"]:
    for path in PATHS:
        path.write_text(renewed(path.read_text()))
else:
    unittest.main()
