"""demos/run and tests/run on machines of every kind, played by a PATH of made-up commands; and the
container that VS Code makes, which is such a machine."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TREE, BUILD = pathlib.Path(sys.argv.pop()), sys.argv.pop()
PLAIN = "bash cat dirname env flock grep id mkdir nproc readlink rm sed tr".split()
known = unittest.skipUnless(re.search("^ID=(debian|ubuntu)", pathlib.Path("/etc/os-release").read_text(), re.M),
    "neither Debian nor Ubuntu")


class Machine:
    """A machine with the plain commands and those given as name: shell script. Each call of the
    latter is kept in `calls`."""

    def __init__(self, **commands):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.log = self.folder / "calls.log"
        self.log.touch()
        for name in PLAIN:
            (self.folder / name).symlink_to(shutil.which(name))
        for name, script in commands.items():
            path = self.folder / name.replace("_", "-")
            path.unlink(missing_ok=True)
            path.write_text(f'#!/bin/bash\necho "${{0##*/}} $*" >> {self.log}\n{script}\n')
            path.chmod(0o755)

    def run(self, script, *arguments, **environment):
        environment = dict(os.environ, PATH=str(self.folder), **environment)
        done = subprocess.run([TREE / script, *arguments], env=environment, text=True, capture_output=True)
        self.calls = self.log.read_text()
        shutil.rmtree(self.folder)
        return done


class SmallTree(tempfile.TemporaryDirectory):
    """A tree of one demo, which has been built."""

    def __enter__(self):
        self.path = pathlib.Path(super().__enter__())
        shutil.copytree(TREE / ".scripts", self.path / ".scripts")
        for file in ("demos/run", "demos/residual/residual.cpp"):
            (self.path / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(TREE / file, self.path / file)
        self.demo = self.path / "build/release/bin/residual"
        self.demo.parent.mkdir(parents=True)
        self.demo.write_text("#!/bin/bash\necho it runs\n")
        self.demo.chmod(0o755)
        return self


ALL_THERE = "echo installed"
NOTHING_THERE = "exit 1"
ROOT, SOMEBODY = "echo 0", "echo 1000"
DPKG = 'exec /usr/bin/dpkg "$@"'
REAL_HELP = f'[[ $1 != --help ]] || exec {shutil.which("ctest")} --help'
BUILT = {"dpkg_query": ALL_THERE, "cmake": "exit 0", "ctest": REAL_HELP}  # all is there, and builds
ROOMS = re.findall(r"(?m)^(\w+)\|", (TREE / "tests/run").read_text())


class RunScripts(unittest.TestCase):
    def assert_refused(self, done, *words):
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, "one sentence, on one line")
        for word in words:
            self.assertIn(word, done.stderr)

    def test_help_needs_nothing(self):
        for script in ("demos/run", "tests/run"):
            done = Machine().run(script, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("usage: " + script, done.stdout)

    def test_unknown_names_are_refused(self):
        self.assert_refused(Machine().run("demos/run", "notebok"), "'notebok'", "--list")
        self.assert_refused(Machine(dpkg_query=ALL_THERE).run("demos/run", "step", "--ldb"), "--lldb")
        for wish in (["asam"], ["page", "pages"]):
            self.assert_refused(Machine().run("tests/run", *wish), repr(wish[-1]), "--help")

    def test_an_option_that_ctest_would_pass_over_is_refused(self):
        machine = Machine(dpkg_query=ALL_THERE, ctest=REAL_HELP)
        self.assert_refused(machine.run("tests/run", "--rerun-faild"), "'--rerun-faild'")

    def test_a_room_is_built_and_run_and_those_left_out_are_named(self):
        for wish, run in ((["-R", "x"], ["engine"]), (["page", "slow"], ["page", "slow"]), (["all"], ROOMS)):
            machine = Machine(apt_get="exit 1", **BUILT)
            done = machine.run("tests/run", *wish)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("apt-get", machine.calls)
            self.assertIn(f"--label-regex ^({'|'.join(run)})$", machine.calls)
            self.assertIn("--target " + " ".join("room_" + room for room in run), machine.calls)
            left = " ".join(room for room in ROOMS if room not in run)
            self.assertEqual(re.findall("not run: (.*?);", done.stderr), [left] if left else [])

    @known
    def test_a_room_whose_package_cannot_be_had_is_skipped_and_the_others_run(self):
        all_but_one = '[[ "$*" == *" nodejs" ]] || echo installed'
        machine = Machine(apt_get="exit 100", dpkg=DPKG, dpkg_query=all_but_one, id=ROOT, cmake="exit 0",
            ctest=REAL_HELP)
        done = machine.run("tests/run", "page", "slow")
        self.assertEqual(done.returncode, 77, "skipped, and so not passed")
        self.assertRegex(done.stderr.splitlines()[-1], "^tests/run: skipped, .*: page$")
        self.assertIn("--label-regex ^(slow)$", machine.calls)

    def test_the_readme_names_the_rooms_and_each_folder(self):
        readme = (TREE / "tests/README.md").read_text()
        self.assertIn(": %s. `tests/run --help`" % ", ".join(ROOMS), " ".join(readme.split()))
        folders = {path.name for path in (TREE / "tests").iterdir() if path.is_dir() and path.name != "__pycache__"}
        self.assertEqual({*re.findall(r"\[(\w+)/\]", readme)}, folders)

    def test_each_test_is_in_one_room(self):
        shown = subprocess.run(["ctest", "--test-dir", BUILD, "--show-only=json-v1"], capture_output=True)
        for test in json.loads(shown.stdout)["tests"]:
            labels = {label for one in test["properties"] if one["name"] == "LABELS" for label in one["value"]}
            # Catch2's have a label of their program, and their room by the same line.
            if not any("_tests" in name for name in (test["name"], *labels)):
                self.assertEqual(len(labels & {*ROOMS}), 1, test["name"])

    def test_a_failure_is_not_skipped(self):
        machine = Machine(**{**BUILT, "ctest": REAL_HELP + "; exit 8"})
        self.assertEqual(machine.run("tests/run", "all").returncode, 8)

    def test_on_macos_and_in_msys2_it_names_their_packages(self):
        brew, pacman = ('[ "$3" != ninja ] && [ "$3" != cli11 ]', '[[ $2 != *-ninja && $2 != *-CLI11 ]]')
        for kind, command in (("darwin23", "brew install ninja cli11"), ("msys", "pacman -S "
                              "mingw-w64-clang-x86_64-ninja mingw-w64-clang-x86_64-CLI11")):
            machine = Machine(brew=brew, pacman=pacman)
            self.assert_refused(machine.run("demos/run", OSTYPE=kind), command)

    def test_on_macos_it_asks_for_no_flock_and_no_nproc(self):
        machine = Machine(brew="exit 0", getconf="echo 3", **BUILT)
        for name in ("flock", "nproc"):
            (machine.folder / name).unlink()
        done = machine.run("tests/run", "-N", OSTYPE="darwin23")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("--parallel 3 --target room_engine", machine.calls)

    def test_bash_3_2_which_macos_has_reads_them(self):
        newer = (r"=~ [^\s\"$]*[|(]|\b(mapfile|readarray|declare -A|local -n|wait -n|EPOCH\w+)\b|\$\{\w+(\^|,|@)|"
            r"&>>|\|&|\[-1\]|;;?&")
        for script in (TREE / "demos/run", TREE / "tests/run", TREE / ".scripts/build.sh", *TREE.glob("demos/*/*.sh")):
            self.assertIsNone(re.search(newer, script.read_text()), script)

    @known
    def test_without_root_and_sudo_the_missing_packages_are_named(self):
        only_cmake_there = '[ "${@: -1}" = cmake ] && echo installed'
        machine = Machine(apt_get="exit 1", dpkg=DPKG, dpkg_query=only_cmake_there, id=SOMEBODY)
        self.assert_refused(machine.run("tests/run"), "apt-get install g++ ninja-build")
        self.assertNotIn("apt-get", machine.calls)

    @known
    def test_only_missing_packages_are_installed_without_questions(self):
        all_but_ninja = '[ "${@: -1}" = ninja-build ] || echo installed'
        asked = ("echo '0 upgraded, 75 newly installed, 0 to remove and 3 not upgraded.'\n"
            "echo 'After this operation, 379 MB of additional disk space will be used.'")
        machine = Machine(apt_get=asked, dpkg=DPKG, dpkg_query=all_but_ninja, id=SOMEBODY,
            sudo='exec "$@"', cmake="exit 1", ctest="exit 0")
        self.assertIn("installing ninja-build by apt-get: 75 packages, 379 MB (this once)",
            machine.run("tests/run").stderr)
        calls = [call for call in machine.calls.splitlines() if "apt-get" in call]
        self.assertTrue(calls[0].startswith("sudo apt-get update"))
        self.assertRegex(calls[-1], "^apt-get install -y .* ninja-build$")
        self.assertIn("cmake --preset release", machine.calls)

    @known
    def test_a_failed_installation_ends_in_one_sentence(self):
        machine = Machine(apt_get="exit 100", dpkg=DPKG, dpkg_query=NOTHING_THERE, id=ROOT)
        done = machine.run("tests/run")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr.splitlines()[-1], "^tests/run: apt-get could not install")

    def test_what_was_built_elsewhere_is_built_anew(self):
        for there, anew in ((".", False), ("/", True)):
            with SmallTree() as tree:
                (tree.path / "build/release/CMakeCache.txt").write_text(
                    f"CMAKE_HOME_DIRECTORY:INTERNAL={tree.path / there}\n")
                done = Machine(dpkg_query=ALL_THERE, cmake="exit 0").run(tree.path / "demos/run", "residual")
                self.assertEqual((tree.demo.exists(), done.stdout), (False, "") if anew else (True, "it runs\n"))
                self.assertEqual("building anew here" in done.stderr, anew)

    def test_demos_begin_with_this_machine_s_kernels_and_tests_have_all(self):
        for script, option, cached, kernels in (
                ("demos/run", "residual", False, ["native"]), ("demos/run", "residual", True, []),
                ("tests/run", "-N", False, ["ON"]), ("tests/run", "-N", True, ["ON"])):
            with SmallTree() as tree:
                (tree.path / "tests").mkdir()
                shutil.copy(TREE / "tests/run", tree.path / "tests/run")
                if cached:
                    (tree.path / "build/release/CMakeCache.txt").touch()
                machine = Machine(**BUILT)
                done = machine.run(tree.path / script, option)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(re.findall(r"--preset release -D STEPGRAD_SIMD=(\w+)", machine.calls), kernels, script)


def jsonc(path):
    return json.loads(re.sub(r"(?m)^\s*//.*$", "", (TREE / path).read_text()))


class DevContainer(unittest.TestCase):
    def setUp(self):
        self.container = jsonc(".devcontainer/devcontainer.json")

    def test_it_has_the_extensions_that_the_folder_asks_for_and_a_notebook_s(self):
        extensions = self.container["customizations"]["vscode"]["extensions"]
        wanted = jsonc(".vscode/extensions.json")["recommendations"]
        self.assertLessEqual({*wanted, "ms-toolsai.jupyter"}, {*extensions})

    @known
    def test_its_commands_are_the_demos_own_and_install_the_same(self):
        tasks = jsonc(".vscode/tasks.json")["tasks"]
        builds = [command.split() for command in self.container["postCreateCommand"].split(" && ")]
        self.assertIn(tasks[0]["command"].split(), builds)
        installed = set()
        for command in builds:
            machine = Machine(apt_get="exit 0", dpkg=DPKG, dpkg_query=NOTHING_THERE, id=ROOT,
                cmake="exit 1")
            self.assertEqual(machine.run(*command).returncode, 1, "CMake's, which is not there")
            self.assertIn("cmake --preset", machine.calls)
            for call in re.findall("apt-get install -y (.*)", machine.calls):
                installed |= {*call.split()}
        self.assertLessEqual({"g++", "cmake", "gdb", "jupyter-notebook", "python3-ipykernel"}, installed)


unittest.main()
