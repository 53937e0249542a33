"""What pip and Debian's packages install is found by Python, by Jupyter and by find_package, and goes
again without a trace. The files that were tried are kept in the folder STEPGRAD_KEEP."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TREE, BUILD = pathlib.Path(sys.argv.pop()), pathlib.Path(sys.argv.pop())
CELL = """import stepgrad.torch as _
import torch
w = torch.ones(2, requires_grad=True)
(w * 3).sum().backward()
print(torch.__name__, w.grad.tolist())"""
PRINTS = "stepgrad.torch [3.0, 3.0]\n"
# The command that stepgrad.debug() prints, as it is; backward() begins once gdb is there.
IN_GDB = """import stepgrad.torch
import contextlib, io, pathlib, stepgrad, subprocess, torch
with contextlib.redirect_stdout(io.StringIO()) as said: stepgrad.debug()
(command,) = [line for line in said.getvalue().splitlines() if line.startswith("gdb ")]
pipe = subprocess.PIPE
gdb = subprocess.Popen(command, shell=True, text=True, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT)
gdb.stdin.write("tape\\ndetach\\nquit\\n"), gdb.stdin.flush()
while "TracerPid:\\t0" in pathlib.Path("/proc/self/status").read_text() and gdb.poll() is None: pass
while gdb.poll() is None: (torch.ones(2, requires_grad=True) * 3).sum().backward()
print(gdb.stdout.read())"""


def run(*command, **variables):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run([*map(str, command)], env={**environment, **variables}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=BUILD.parent)


class Packages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def output(self, *command, **variables):
        done = run(*command, **variables)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    @staticmethod
    def keep(*files):
        for file in files if "STEPGRAD_KEEP" in os.environ else ():
            shutil.copy(file, os.environ["STEPGRAD_KEEP"])

    def check_gdb(self, python, **variables):
        if shutil.which("gdb"):
            said = self.output(python, "-c", IN_GDB, PYTHONDONTWRITEBYTECODE="1", **variables)
            self.assertRegex(said, r"stepgrad_backward_step .*\n(?s:.*)\n=> +#2 +sum ")

    def test_pip_installs_it_in_a_venv_and_for_a_user_and_takes_it_away(self):
        python = self.folder / "venv/bin/python"
        self.output("/usr/bin/python3", "-m", "venv", self.folder / "venv")
        pip = ("-m", "pip", "--no-cache-dir")
        self.output("flock", f"{BUILD}.lock", python, *pip, "wheel", "--no-index", "-w", self.folder,
            "--config-settings", f"build-dir={BUILD}",
            TREE / "demos/python")
        (wheel,) = self.folder.glob("stepgrad-*.whl")
        self.output(python, *pip, "install", "--no-index", wheel)
        self.assertEqual(self.output(python, "-c", CELL), PRINTS)
        self.check_gdb(python)
        self.assertIn("python3-ipykernel", run(python, "-m", "stepgrad.kernel", "install").stdout)
        self.output(python, *pip, "uninstall", "-y", "stepgrad")
        self.assertEqual([*self.folder.rglob("*stepgrad*")], [wheel])

        mine = {"PYTHONUSERBASE": str(self.folder / "mine"), "PIP_BREAK_SYSTEM_PACKAGES": "1"}
        self.output("/usr/bin/python3", *pip, "install", "--user", "--no-index", wheel, **mine)
        self.assertEqual(self.output("/usr/bin/python3", "-c", CELL, **mine), PRINTS)
        self.keep(wheel)

    def test_pip_names_the_tools_that_are_missing(self):
        for system, command in (("linux", "sudo apt install g++ cmake make"), ("darwin", "brew install llvm cmake make")):
            call = f"import sys, wheel_by_cmake; sys.platform = '{system}'; wheel_by_cmake.build_wheel('.')"
            said = run("/usr/bin/python3", "-c", call, PATH="/nowhere",
                PYTHONPATH=str(TREE / "demos/python"), PYTHONDONTWRITEBYTECODE="1")
            self.assertEqual((said.returncode, said.stdout),
                (1, f"stepgrad cannot be built without g++, CMake, make: {command}\n"))

    def test_debian_installs_and_removes_the_packages(self):
        self.output("flock", f"{BUILD}.lock", "cmake", "--build", BUILD, "--target", "package")
        (self.folder / "dpkg/updates").mkdir(parents=True)
        (self.folder / "dpkg/info").mkdir()
        (self.folder / "dpkg/status").touch()
        dpkg = ("dpkg", f"--root={self.folder}", f"--admindir={self.folder}/dpkg", "--force-depends",
            "--force-script-chrootless", "--force-not-root")
        files = [max(BUILD.glob(name), key=os.path.getmtime)
            for name in ("libstepgrad-dev_*.deb", "python3-stepgrad_*.deb")]
        self.assertRegex(self.output("dpkg-deb", "--field", files[1], "Depends"), r"python3 \(>=.*libc6")
        self.output(*dpkg, "--install", *files)

        (module,) = self.folder.glob("usr/lib/python3.*/dist-packages")
        self.assertEqual(self.output("/usr/bin/python3", "-c", CELL, PYTHONPATH=str(module)), PRINTS)
        self.check_gdb("/usr/bin/python3", PYTHONPATH=str(module))
        kernel = json.loads((self.folder / "usr/share/jupyter/kernels/stepgrad/kernel.json").read_text())
        self.assertEqual(kernel["argv"][0], "/usr/bin/python3")
        self.assertNotIn("env", kernel)
        program = self.folder / "program"
        self.output("cmake", "-S", TREE / "tests/install/consumer", "-B", program, "-DVOCABULARY=OFF",
            f"-Dstepgrad_ROOT={self.folder}/usr", "-DCMAKE_BUILD_TYPE=Debug")
        self.output("cmake", "--build", program)
        self.assertIn("w1 [8, 16]", self.output(program / "my_program"))
        if shutil.which("gdb"):  # step enters none of the headers that it was compiled with
            script = self.folder / "usr/share/stepgrad/stepgrad_gdb.py"
            stepped = self.output("gdb", "-q", "-batch", "-iex", f"source {script}", "-ex", "break main.cpp:18",
                "-ex", "run", "-ex", "step", program / "my_program")
            self.assertRegex(stepped, r"\n16\t")

        self.output(*dpkg, "--purge", "libstepgrad-dev", "python3-stepgrad")
        self.assertEqual([*(self.folder / "usr").rglob("*")], [])
        self.keep(*files)


unittest.main()
