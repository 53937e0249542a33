"""What a reader types: each demo has a help, which has each option that a README gives it; and what scripts and
targets do beyond that. What a demo's program prints, the demo's own test compares.

usage: commands_test.py ROOM TREE
"""

import contextlib
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
import urllib.request

TREE, ROOM = pathlib.Path(sys.argv.pop()).resolve(), sys.argv.pop()
COMMAND = (r"(?:demos|tests)/run\b.*|cmake --(?:preset|build|install) .*|"
    r"(?:gdb -ex|core/debug/lldb.sh) .*")
DEMOS = {
    "engine": "exercise",
    "demos": "notebook gradient_check curvature residual transformer feed_forward_variants experiments benchmark",
    "page": "lessons playground",
    "python": "exchange python jupyter",
    "debugger": "step",
    "ranks": "distributed",
    "tab": "tab site",
}
# A command, its arguments here, and what it says; None: another test runs it.
OTHERS = {
    "demos": [("demos/run", "--steps 2 --context 2", r"b2\[0\] .*: 1 / 512\n    0\.00195312\n")],
    "page": [("cmake --build build/release --target engine", "", "^")],
    "python": [
        ("demos/run exchange", "", r"numpy wrote(?s:.*)stepgrad wrote(?s:.*)at most .*e-0[789] apart\n\Z"),
        ("demos/run python mine.py", "", r"(?m)^tensor\(2\., grad_fn=<SumBackward0>\)$"),
        ("cmake --build build/release --target package", "", None),  # packages_test.py
    ],
    "debugger": [
        ("cmake --preset teach", "", "written to"),
        ("cmake --build --preset teach --target stepgrad", "step", "^"),
        ("cmake --install build/teach --prefix ~/stepgrad-teach", "", "stepgrad_gdb.py"),
        ('gdb -ex "source core/debug/stepgrad_gdb.py" your_program', "-batch -ex run", "exited normally"),
        ("core/debug/lldb.sh your_program", "-o run -o quit", r"exited with status = 0"),
    ],
}


def typed():
    """The commands of the READMEs, without their comments."""
    for path in [TREE / "README.md", *sorted(TREE.glob("[cdnot]*/**/*.md"))]:
        text = path.read_text()
        blocks = re.findall(r"(?ms)^```(?:sh|text)?\n(.*?)^```", text)
        prose = re.sub(r"(?ms)^```.*?^```", "", text)
        for line in blocks + re.findall(r"`([^`\n]+)`", prose):
            for command in re.findall(r"(?m)^(?:\$ )?(%s)$" % COMMAND, line):
                if "NAME" not in command:
                    yield path, re.sub(" +#.*", "", command)


class Commands(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.home = pathlib.Path(self.folder.name)
        os.environ.update(HOME=str(self.home), LANG="C.UTF-8")

    def run_it(self, command):
        command = command.replace("your_program", "build/teach/bin/step")
        where = TREE  # but what a demo writes goes to a folder of its own
        if command.startswith("cmake"):  # one builds in a folder at a time, as with demos/run
            command = f"flock build/{'teach' if 'teach' in command else 'release'}.lock {command}"
        if command.startswith("demos/"):
            command, where = f"{TREE}/{command}", self.home
        done = subprocess.run(["bash", "-c", command], cwd=where, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_each_demo_has_a_help_with_the_options_that_the_readmes_give_it(self):
        for demo in DEMOS[ROOM].split():
            with self.subTest(demo):
                said = self.run_it(f"demos/run {demo} --help")
                self.assertRegex(said, r"(?im)^usage: ")
                for path, command in typed():
                    if command.startswith(f"demos/run {demo} "):
                        self.assertLessEqual({*re.findall(r"--[a-z-]+", command)}, {*re.findall(r"--[a-z-]+", said)}, path)

    def test_scripts_and_targets_do_what_they_say(self):
        (self.home / "mine.py").write_text("import stepgrad.torch\nimport torch\n"
            "print(torch.ones(2, requires_grad=True).sum())\n")
        for command, small, says in OTHERS.get(ROOM, ()):
            with self.subTest(command):
                if says is not None:
                    self.assertRegex(self.run_it(f"{command} {small}"), says)

    @unittest.skipUnless(ROOM == "ranks", "in the room of ranks")
    def test_any_number_of_ranks_trains_the_same_weights(self):
        one, four = (re.findall(rf"2 steps on {n} ranks?; .*\n *weights: ([0-9a-f]{{16}})",
            self.run_it(f"demos/run distributed --steps 2 --ranks {n}")) for n in (1, 4))
        self.assertEqual((one, len(one)), (four, 1))
        self.assertRegex(self.run_it("demos/run distributed --steps 2 --checkpoint . || echo status $?"),
            r"with --resume, the same command goes on .*\nstatus 1\n\Z")

    @unittest.skipUnless(ROOM == "python", "in the room of Python")
    def test_jupyter_answers_and_has_the_kernel(self):
        with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as free:
            port = free.getsockname()[1]
        server = subprocess.Popen(
            [TREE / "demos/run", "jupyter", "--no-browser", "--port", str(port)], cwd=self.home,
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            for line in server.stdout:
                if found := re.search(r"http://127\.0\.0\.1:\d+/\S*\?token=(\w+)", line):
                    break
            at = f"http://127.0.0.1:{port}/api/kernelspecs?token={found[1]}"
            with urllib.request.urlopen(at) as answer:
                self.assertIn("stepgrad (C++)", answer.read().decode())
        finally:
            os.killpg(server.pid, signal.SIGKILL)
            server.stdout.close()
            server.wait()

    @unittest.skipUnless(ROOM == "engine", "of all rooms")
    def test_every_listed_demo_and_readme_command_is_in_some_room(self):
        demos = " ".join(DEMOS.values()).split()
        listed = subprocess.check_output([TREE / "demos/run", "--list"], text=True).splitlines()
        self.assertEqual(sorted(line.split()[0] for line in listed), sorted(demos))
        others = {command for room in OTHERS.values() for command, _, _ in room}
        commands = list(typed())
        self.assertGreater(len(commands), 50)
        for path, command in commands:
            if command.startswith("demos/run "):
                self.assertIn(command.split()[1], [*demos, "--list"], path)
            elif not command.startswith("tests/run"):  # run_scripts_test.py
                self.assertIn(command, others, path)


unittest.main()
