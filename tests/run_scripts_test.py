"""demos/run and tests/run on machines of every kind, played by a PATH of made-up commands; and the
container that VS Code makes, which is such a machine."""

import json
import os
import pathlib
import re
import shlex
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
        self.folder.chmod(0o755), self.log.chmod(0o666)  # for somebody else, too
        for name in PLAIN:
            (self.folder / name).symlink_to(shutil.which(name))
        for name, script in commands.items():
            path = self.folder / name.replace("_", "-")
            path.unlink(missing_ok=True)
            path.write_text(f'#!/bin/bash\necho "${{0##*/}} $*" >> {self.log}\n{script}\n')
            path.chmod(0o755)

    def run(self, *command, then="", tree=TREE, **how):
        command = [tree / command[0], *command[1:]]
        environment = dict(os.environ, PATH=f"{self.folder}:{then}".rstrip(":"))
        done = subprocess.run(command, env=environment, text=True, capture_output=True, **how)
        self.calls = self.log.read_text()
        shutil.rmtree(self.folder)
        return done


class SmallTree:
    """A tree of one demo, which is built or not, below a folder with an apostrophe."""

    def __init__(self, built):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.folder.chmod(0o755)
        self.path = self.folder / "it's"
        for part in (".scripts", "demos/residual"):
            shutil.copytree(TREE / part, self.path / part)
        shutil.copy(TREE / "demos/run", self.path / "demos/run")
        self.build = self.path / "build/release"
        (self.build / "bin").mkdir(parents=True)
        if built:
            (self.build / "bin/residual").write_text("#!/bin/bash\necho it runs\n")
            (self.build / "bin/residual").chmod(0o755)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)


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

    def test_a_built_demo_runs_in_a_read_only_tree(self):
        how = {"user": 65534} if os.geteuid() == 0 else {}
        for built in (True, False):
            with SmallTree(built) as tree:
                tree.build.chmod(0o555)
                machine = Machine(dpkg_query=ALL_THERE, cmake="exit 1")
                done = machine.run("demos/run", "residual", tree=tree.path, **how)
                tree.build.chmod(0o755)
                if built:
                    self.assertEqual((done.returncode, done.stdout), (0, "it runs\n"), done.stderr)
                    self.assertRegex(done.stderr, "^demos/run: .* cannot be written: what was built")
                else:
                    self.assert_refused(done, "cannot be written, so nothing can be built")
                self.assertNotIn("cmake --preset", machine.calls)

    def test_a_disk_is_full_if_there_is_no_room_for_a_megabyte(self):
        with SmallTree(built=True) as tree:
            machine = Machine(dpkg_query=ALL_THERE, cmake="exit 1")
            limited = "ulimit -f 100; trap '' XFSZ; exec " + shlex.quote(str(tree.path / "demos/run"))
            path = dict(os.environ, PATH=str(machine.folder))
            done = subprocess.run(["bash", "-c", limited + " residual"], env=path, text=True,
                                  capture_output=True)
            self.assertEqual((done.returncode, done.stdout), (0, "it runs\n"), done.stderr)
            self.assertEqual(os.listdir(tree.build), ["bin"])
            shutil.rmtree(machine.folder)

    def test_below_a_folder_with_an_apostrophe_make_builds(self):
        with SmallTree(built=True) as tree:
            machine = Machine(dpkg_query=ALL_THERE, cmake="exit 0")
            done = machine.run("demos/run", "residual", tree=tree.path)
            self.assertEqual(done.stdout, "it runs\n", done.stderr)
            self.assertIn("--preset release -G Unix Makefiles", machine.calls)
            all_but_make = '[ "${@: -1}" = make ] || echo installed'
            done = Machine(dpkg_query=all_but_make).run("demos/run", "residual", tree=tree.path)
            self.assertIn("make", done.stderr)

    def test_jupyter_wants_a_number_behind_port(self):
        for wish in (["--port"], ["--port="], ["--port", "many"], ["--port", "--no-browser"]):
            done = Machine(dpkg_query=ALL_THERE).run("demos/run", "jupyter", *wish)
            self.assert_refused(done, "--port wants a number")

    def test_the_list_has_a_line_for_each_demo(self):
        lines = Machine().run("demos/run", "--list").stdout.splitlines()
        demos = [path.stem for kind in ("*/*.cpp", "*/*.sh")
                 for path in sorted((TREE / "demos").glob(kind))
                 if path.read_text().split("\n")[0].strip("/#").startswith(" Demo: ")]
        self.assertEqual([line.split()[0] for line in lines], demos)

    def test_help_needs_nothing(self):
        for script in ("demos/run", "tests/run"):
            done = Machine().run(script, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("usage: " + script, done.stdout)

    def test_unknown_names_are_refused(self):
        self.assert_refused(Machine().run("demos/run", "notebok"), "'notebok'", "--list")
        self.assert_refused(Machine().run("demos/run", "../demos/notebook"), "'../demos/notebook'")
        self.assert_refused(Machine(dpkg_query=ALL_THERE).run("demos/run", "step", "--ldb"), "--lldb")
        for wish in (["asam"], ["asan", "pages"], ["page", "pages"], ["*"]):
            self.assert_refused(Machine().run("tests/run", *wish), repr(wish[-1]), "--help")

    def test_the_distributed_demo_says_that_mpi_is_missing(self):
        done = Machine(dpkg_query=ALL_THERE).run("demos/run", "distributed")
        self.assert_refused(done, "MPI is missing", "openmpi-bin")

    def test_an_option_that_ctest_would_pass_over_is_refused(self):
        machine = Machine(dpkg_query=ALL_THERE, ctest=REAL_HELP)
        self.assert_refused(machine.run("tests/run", "--rerun-faild"), "'--rerun-faild'")

    def test_demos_without_options_refuse_them(self):
        for look in ("coverage", "analysis", "valgrind"):
            machine = Machine(dpkg_query=ALL_THERE)
            self.assert_refused(machine.run("tests/run", look, "core"), look + " takes no options")

    def test_a_room_is_built_and_run_and_those_left_out_are_named(self):
        for wish, runs, left in (
            ((), "engine", "demos python torch debugger page ranks install slow"),
            (("-R", "x"), "engine", "demos python torch debugger page ranks install slow"),
            (("page", "slow"), "page|slow", "engine demos python torch debugger ranks install"),
            (("torch", "-N"), "torch", "engine demos python debugger page ranks install slow"),
            (("all",), "|".join(ROOMS), ""),
        ):
            machine = Machine(apt_get="exit 1", **BUILT)
            done = machine.run("tests/run", *wish)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("apt-get", machine.calls)
            self.assertIn(f"--label-regex ^({runs})$", machine.calls)
            self.assertIn("--target " + " ".join("room_" + room for room in runs.split("|")), machine.calls)
            said = done.stderr.splitlines()[-1] if done.stderr else ""
            self.assertEqual(re.findall("not run: (.*?);", said), [left] if left else [])

    @known
    def test_a_room_whose_package_cannot_be_had_is_skipped_and_the_others_run(self):
        all_but_one = '[[ "$*" == *" nodejs" ]] || echo installed'
        for wish, runs in (("page", None), ("all", "|".join(room for room in ROOMS if room != "page"))):
            machine = Machine(apt_get="exit 100", dpkg=DPKG, dpkg_query=all_but_one, id=ROOT, cmake="exit 0",
                              ctest=REAL_HELP)
            done = machine.run("tests/run", wish)
            self.assertEqual(done.returncode, 77, "skipped, and so not passed")
            self.assertRegex(done.stderr.splitlines()[-1], "^tests/run: skipped, .*: page$")
            self.assertEqual(re.findall(r"--label-regex \^\((.*)\)\$", machine.calls), [runs] if runs else [])

    def test_without_a_room_only_demos_run_s_packages_are_requested(self):
        asked = []
        for command in (("demos/run", "notebook", "--help"), ("tests/run",), ("tests/run", "-R", "matmul")):
            machine = Machine(**BUILT)
            machine.run(*command)
            asked.append([call for call in machine.calls.splitlines() if "dpkg-query" in call])
        self.assertEqual(asked[0], asked[1])
        self.assertEqual(asked[1], asked[2])

    def test_the_readme_lists_the_rooms_as_the_script_does(self):
        table = re.findall(r"(?m)^\w+\|.*\|\d+$", (TREE / "tests/run").read_text())
        rows = ["| " + line.replace("|", " | ") + " |" for line in table]
        self.assertIn("\n".join(rows), (TREE / "tests/README.md").read_text())

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

    def test_on_another_system_it_names_the_packages(self):
        self.assert_refused(Machine().run("tests/run"), "g++ cmake ninja-build libxsimd-dev catch2")
        self.assert_refused(Machine().run("tests/run", "tsan"), "python3 clang libomp-dev")

    @known
    def test_without_root_and_sudo_the_missing_packages_are_named(self):
        only_cmake_there = '[ "${@: -1}" = cmake ] && echo installed'
        machine = Machine(apt_get="exit 1", dpkg=DPKG, dpkg_query=only_cmake_there, id=SOMEBODY)
        self.assert_refused(machine.run("tests/run"), "apt-get install g++ ninja-build")
        self.assertNotIn("apt-get", machine.calls)

    @known
    def test_only_missing_packages_are_installed_without_questions(self):
        all_but_ninja = '[ "${@: -1}" = ninja-build ] || echo installed'
        for user, sudo in ((ROOT, ""), (SOMEBODY, "sudo ")):
            asked = ("echo '0 upgraded, 75 newly installed, 0 to remove and 3 not upgraded.'\n"
                     "echo 'After this operation, 379 MB of additional disk space will be used.'")
            machine = Machine(apt_get=asked, dpkg=DPKG, dpkg_query=all_but_ninja, id=user,
                              sudo='exec "$@"', cmake="exit 1", ctest="exit 0")
            self.assertIn("installing ninja-build by apt-get: 75 packages, 379 MB (this once)",
                          machine.run("tests/run").stderr)
            calls = [call for call in machine.calls.splitlines() if "apt-get" in call]
            self.assertEqual(bool(sudo), calls[0].startswith("sudo apt-get update"))
            self.assertRegex(calls[-1], "^apt-get install -y .* ninja-build$")
            self.assertIn("cmake --preset release", machine.calls)

    @known
    def test_a_failed_installation_ends_in_one_sentence(self):
        machine = Machine(apt_get="exit 100", dpkg=DPKG, dpkg_query=NOTHING_THERE, id=ROOT)
        done = machine.run("tests/run")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr.splitlines()[-1], "^tests/run: apt-get could not install")

    def test_a_built_tree_that_was_copied_or_moved_is_built_again(self):
        with tempfile.TemporaryDirectory() as folder:
            first, copied, moved = (pathlib.Path(folder) / name for name in ("a", "b", "c d"))
            for file in (".scripts/build.sh", "demos/run", "CMakePresets.json"):
                (first / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(TREE / file, first / file)
            (first / "demos/any").mkdir()
            (first / "demos/any/where.cpp").write_text("// Demo: says where it was built\n")
            (first / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.25)\nproject(tree NONE)\n"
                "file(WRITE ${PROJECT_BINARY_DIR}/bin/where [=[#!/bin/sh\n]=] "
                "\"echo '${PROJECT_SOURCE_DIR}'\\n\")\n"
                "file(CHMOD ${PROJECT_BINARY_DIR}/bin/where PERMISSIONS OWNER_READ OWNER_EXECUTE)\n"
                "add_custom_target(where)\n")
            self.assert_it_was_built_in(first, anew=False)
            shutil.copytree(first, copied)
            self.assert_it_was_built_in(copied, anew=True)
            self.assert_it_was_built_in(copied, anew=False)
            self.assert_it_was_built_in(first, anew=False)
            copied.rename(moved)
            self.assert_it_was_built_in(moved, anew=True)

    def assert_it_was_built_in(self, tree, anew):
        # With the machine's own CMake and ninja, whose places CMake remembers.
        done = Machine(dpkg_query=ALL_THERE).run(tree / "demos/run", "where", then=os.environ["PATH"])
        self.assertEqual((done.returncode, done.stdout), (0, f"{tree}\n"), done.stderr)
        self.assertEqual("building anew here" in done.stderr, anew, done.stderr)


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


if __name__ == "__main__":
    unittest.main()
