"""What a reader types: each demo of demos/run --list, and each command of the READMEs, as it stands
there. What would take long has small sizes behind it.

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
HELP = r"(?im)^usage: |^benchmark \[--"
SCRIPT = """import stepgrad.torch
import torch
print(torch.ones(2, requires_grad=True).sum())
"""

# For each room: the command, its arguments here, and a text in the output.
ROOMS = {
    "engine": [
        ("demos/run --list", "", r"notebook .*\(start here\)"),
        ("tests/run", "--help", "usage: tests/run"),
        ("demos/run exercise", "", "mul_backward"),
        ("demos/run exercise mul_backward", "--gap", "YOUR TURN"),  # more: exercise_test.py
        ("demos/run exercise mul_backward --hint", "", "grows"),
        ("demos/run exercise mul_backward --notebook", "", "ipynb is written"),
        ("demos/run exercise --grade FOLDER --csv grades.csv", "", None),
    ],
    "demos": [
        ("demos/run", "--steps 20", "characters"),
        ("demos/run notebook", "--steps 20 --context 2", "characters"),
        ("demos/run gradient_check", "", "agree"),
        ("demos/run curvature", "", "Newton"),
        ("demos/run residual", "", r"\[64, 256, 512\]"),
        ("demos/run residual --lang zh", "", r"\[64, 256, 512\]"),
        ("demos/run transformer", "", "softmax"),
        ("demos/run feed_forward_variants", "", "SwiGLU"),
        ("demos/run experiments", "--quick", "ablation"),
        ("demos/run op_benchmarks", "--benchmark_filter=^add/ --benchmark_min_time=0.01", "add/"),
        ("demos/run op_benchmarks --benchmark_filter=large", "--benchmark_min_time=0.01", "large"),
        ("demos/run benchmark", "--quick --shape 1,1,1,1", "d_ff 1"),
        ("demos/run benchmark --quick --shape 4,10,512,2048", "--threads 1", "d_ff 2048"),
    ],
    "page": [
        ("demos/run lessons", "", r"index\.html"),
        ("demos/run site", "", r"playground\.html(?s:.*)index\.html"),
        ("demos/run playground", "", r"playground\.html"),
        ("demos/run notebook --html ffn.html --live", "--steps 1", r"ffn\.html"),
        ("cmake --build build/release --target engine", "", "^"),
    ],
    "python": [
        ("demos/run exchange", "", r"(?s)numpy wrote .*stepgrad wrote .*at most .*e-0. apart"),
        ("demos/run python", "", HELP),
        ("demos/run python FILE", "", "tensor"),
        ("demos/run jupyter", "", None),  # which goes on until it is ended
        ("cmake --build build/release --target package", "", None),  # packages_test.py runs it
    ],
    "debugger": [
        ("cmake --preset teach", "", "written to"),
        ("cmake --build --preset teach --target stepgrad", "step", "^"),
        ("cmake --install build/teach --prefix ~/stepgrad-teach", "", "stepgrad_gdb.py"),
        ('gdb -ex "source core/debug/stepgrad_gdb.py" your_program', "-batch -ex run", "exited"),
        ("core/debug/lldb.sh your_program", "-o run -o quit", "exited"),
        ("demos/run step", "< /dev/null", "tape shows what was recorded"),
        ("demos/run step --lldb", "< /dev/null", "tape shows what was recorded"),
        ("demos/run step --block", "< /dev/null", "tape shows what was recorded"),
        ("demos/run python --gdb FILE", "< /dev/null", "tensor"),
        ("demos/run distributed --step 1",
         "--batch 2 --micro-batches 2 --steps 2 < /dev/null", "move"),
    ],
    "ranks": [
        ("demos/run distributed", "--steps 2", "weights"),
        ("demos/run distributed --ranks 4", "--steps 2", "weights"),
    ],
}


def typed():
    """The commands of the READMEs, without their comments."""
    for path in [TREE / "README.md", *sorted(TREE.glob("[cdnot]*/**/*.md"))]:
        text = path.read_text(encoding="utf-8")
        blocks = re.findall(r"(?ms)^```(?:sh|text)?\n(.*?)^```", text)
        prose = re.sub(r"(?ms)^```.*?^```", "", text)
        for line in blocks + re.findall(r"`([^`\n]+)`", prose):
            for command in re.findall(r"(?m)^(?:\$ )?(%s)$" % COMMAND, line):
                if "NAME" not in command:
                    yield path, re.sub(" +#.*", "", command)


def listed():
    lines = subprocess.check_output([TREE / "demos/run", "--list"], text=True).splitlines()
    return {line.split()[0] for line in lines}


class Commands(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.home = pathlib.Path(self.folder.name)
        (self.home / "mine.py").write_text(SCRIPT)
        os.environ.update(HOME=str(self.home), LANG="C.UTF-8")

    def run_it(self, command):
        command = re.sub(r"\bFILE\b", "mine.py", command)
        command = command.replace("your_program", "build/teach/bin/step")
        where = TREE  # but what a demo writes goes to a folder of its own
        if command.startswith("cmake"):  # one builds in a folder at a time, as with demos/run
            command = f"flock build/{'teach' if 'teach' in command else 'release'}.lock {command}"
        if command.startswith(("demos/", "tests/")):
            command, where = f"{TREE}/{command}", self.home
        return subprocess.run(["bash", "-c", command], cwd=where, text=True, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)

    def test_each_answers_as_described(self):
        for command, small, says in ROOMS[ROOM]:
            with self.subTest(command):
                if says is None:
                    continue
                done = self.run_it(f"{command} {small}")
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertRegex(done.stdout, says)

    def test_each_demo_has_a_help(self):
        for name in sorted({c.split()[1] for c, _, _ in ROOMS[ROOM] if c.startswith("demos/run ")}):
            with self.subTest(name):
                if re.fullmatch(r"[a-z]\w+", name) and (name, ROOM) != ("distributed", "debugger"):
                    done = self.run_it(f"demos/run {name} --help")
                    self.assertEqual(done.returncode, 0, done.stdout)
                    self.assertRegex(done.stdout, HELP)

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
    def test_every_listed_demo_and_readme_command_runs_in_some_room(self):
        known = {command for room in ROOMS.values() for command, _, _ in room}
        self.assertLessEqual({f"demos/run {name}" for name in listed()}, known)
        found = 0
        for path, command in typed():
            found += 1
            command = re.sub("^tests/run.*", "tests/run", command)
            self.assertIn(command, known, path)
        self.assertGreater(found, 20)


if __name__ == "__main__":
    unittest.main()
