"""The tests' own test: bugs are put into a copy of the tree, one at a time, and a test must fail.

The copy lies in build/mutants, with a build in which one source is one compile. Of what a mutant
touches, the tests that can see it run, the nearest first, until one fails. A mutant that does not
compile does not count, and one that runs for too long counts as caught.
"""

import argparse
import collections
import functools
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import rooms
import rules

TREE = pathlib.Path(__file__).resolve().parents[2]
COPY = TREE / "build/mutants"
BUILD = COPY / "build/release"  # where the tests of debuggers look for it
LIMIT = 120  # seconds of the processor for one test program, and three times as many by the clock
SLOW = ("checkpoint.hpp", "core/tensor/tensor.hpp", "core/tape/node.hpp", "core/tape/record.hpp",
    "core/check.hpp", "core/debug/")  # what takes minutes of building, or of debugging


def quiet(command, limit=None, **options):
    """The exit code of a command, None if it took too long, and all that it said."""
    def limited():
        if limit:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", start_new_session=True, preexec_fn=limited,
            **options) as running:
        try:
            said, _ = running.communicate(timeout=limit and 3 * limit)
            return (None if running.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else
                running.returncode), said
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            return None, running.communicate()[0]


def prepare():
    """Updates the copy to the tree, without touching unchanged files, and configures it."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=TREE, stdout=subprocess.PIPE, check=True).stdout.decode()
    files = {name for name in listed.split("\0") if name and (TREE / name).is_file()}
    for name in files:
        source, copy = TREE / name, COPY / name
        if copy.exists() and copy.read_bytes() == source.read_bytes():
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)
    for folder in ("core", "ops", "nn", "tests", "demos"):
        for path in (COPY / folder).rglob("*"):
            if path.is_file() and path.relative_to(COPY).as_posix() not in files:
                path.unlink()
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -w",
        "-DSTEPGRAD_BATCHES=OFF",
        "-DCMAKE_PROJECT_INCLUDE=%s" % (COPY / "tests/mutants/build.cmake")]
    if shutil.which("ccache"):
        options.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    return quiet(["cmake", "-G", "Ninja", "-S", COPY, "-B", BUILD, *options])


def make(*targets):  # which also starts the programs, for their lists of tests
    return quiet(["prlimit", "--cpu=%d" % LIMIT, "ninja", "-C", str(BUILD), *targets])


class Caught(Exception):
    """By the test of this name."""


class Uncompiled(Exception):
    """The change is no C++."""


def build(*targets):
    code, said = make(*targets)
    if code and re.search(r"^FAILED: .*\.(o|gch)\b|CMake Error|ld returned|No space left", said, re.M):
        raise Uncompiled(said)
    if code:  # linked, it was asked for its tests
        raise Caught("%s, by its start" % targets[0])


def failed_case(said):
    """The name of the test case that Catch2 tells of."""
    title = re.search(r"^-{79}\n(.+?)\n-{79}$", said, re.M | re.S)
    return title[1].replace("\n", " ") if title else "a crash"


def run_catch(program, *selection):
    found, = BUILD.glob("tests/**/" + program)
    code, said = quiet([found, "--abort", *selection], LIMIT, cwd=COPY)
    if code is None:
        raise Caught("%s, by its time" % program)
    if code and not re.search("No test cases matched", said):
        raise Caught("%s: %s" % (program, failed_case(said)))


def looks(file):
    """The tests that can see a change of this file, the nearest first: functions that raise
    Caught."""
    stem = pathlib.Path(file).stem
    nearest = "[#%s_test],[#%s_kernels_test]" % (stem, stem.rstrip("s"))
    found = []

    def look_with(program):
        build(program)
        run_catch(program, "--filenames-as-tags", nearest)
        run_catch(program)

    def look_at(targets, test):
        build(*targets.split())
        code, said = quiet(["ctest", "--test-dir", str(BUILD), "-R", "^%s(:|$)" % re.escape(test),
            "--no-tests=error"], 5 * LIMIT)
        if "***Skipped" in said:
            sys.exit("skipped here, so it judges nothing: " + test)
        if code != 0:
            raise Caught(test)

    if not file.endswith((".py", ".js")):
        for program in rooms.of(rooms.PROGRAMS, file):
            found.append((program, functools.partial(look_with, program)))
    targets, tests = rooms.of(rooms.CTESTS, file) or ("", [])
    for test in tests:
        found.append((test, functools.partial(look_at, targets, test)))
    return found


proven = {}  # what passes without any mutant, and the seconds that this took, with what is built once


def prove(name, look):
    if name in proven:
        return
    start = time.time()
    try:
        look()
    except (Caught, Uncompiled) as error:
        sys.exit("without any mutant, this fails: %s" % error)
    proven[name] = time.time() - start


def is_code(file, text):
    """Whether a script is one, which C++ is told by the compiler."""
    if file.endswith(".py"):
        try:
            compile(text, file, "exec")
        except SyntaxError:
            return False
    if file.endswith(".js"):
        return subprocess.run(["node", "--check", "--input-type=module", "-"], input=text,
            text=True, stderr=subprocess.DEVNULL).returncode == 0
    return True


def judged(mutant):
    """'caught', 'survived' or 'not compiled', and by which test, or which ones."""
    path = COPY / mutant.file
    text = path.read_text()
    if not is_code(mutant.file, mutant.applied(text)):
        return "not compiled", ""
    tests = looks(mutant.file)
    for name, look in tests:
        prove(name, look)
        path.write_text(mutant.applied(text))
        try:
            look()
        except Caught as test:
            return "caught", str(test)
        except Uncompiled:
            return "not compiled", ""
        finally:
            path.write_text(text)
    return "survived", ", ".join(name for name, _ in tests)


def check():
    """What of the lists does not fit the tree."""
    changed = {mutant.file.rsplit(".")[0] for mutant in rules.mutants_of(TREE)}
    wrong = ["ops/%s.cpp has no line that a rule of tests/mutants changes" % op
        for op in sorted({path.stem for path in (TREE / "ops").glob("*.hpp")} - {"ops"}) if "ops/" + op not in changed]
    lists = "".join(path.read_text() for path in (TREE / "tests").rglob("CMakeLists.txt"))
    names = {name for _, names in rooms.CTESTS.values() for name in names}
    wrong += ["rooms.py: there is no test '%s'" % name for name in sorted(names)
        if f'"{name}"' not in lists and '"%s: $' % name.split(":")[0] not in lists]
    return wrong


def changed_files():
    """The files that differ from main, or nothing on main itself."""
    git = ["git", "-C", str(TREE), "diff", "--name-only", "main"]
    return set(subprocess.run(git, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True).stdout.split())


def sample(mutants, seed, count):
    """As many of each room, where there are as many, in turn; those of changed files five times as likely."""
    same, changed = random.Random(seed), changed_files()
    by_room = collections.defaultdict(list)
    for mutant in mutants:
        if not any(name in mutant.file for name in SLOW) or mutant.file.endswith("_format.py"):
            by_room[rooms.room(mutant.file)].append(mutant)
    chosen = []
    for room in sorted(by_room):
        drawn = {m: same.random() ** (1 / (5 if m.file in changed else 1)) for m in by_room[room]}
        chosen += enumerate(sorted(drawn, key=drawn.get, reverse=True)[:-(-count // len(by_room))])
    return [m for turn, m in sorted(chosen, key=lambda pair: pair[0])][:count]


def chosen(options):
    mutants = [m for m in rules.mutants_of(TREE) if
        (not options.filter or options.filter in "%s: %s" % (m.file, m.name)) and
        (not options.room or rooms.room(m.file) in options.room)]
    if options.quick:
        return sample(mutants, options.seed, options.quick)
    return sorted(mutants, key=lambda mutant: (rooms.room(mutant.file), mutant.file))


def run(mutants, limit):
    """Until `limit` seconds are over, besides those of what is built and run without any mutant."""
    COPY.mkdir(parents=True, exist_ok=True)
    began = time.time()
    code, said = prepare()
    if code:
        sys.exit(said)
    count, caught, made = (collections.Counter() for _ in range(3))
    for number, mutant in enumerate(mutants, 1):
        start = time.time()
        if start - began - sum(proven.values()) > limit:
            print("the time is over")
            break
        verdict, test = judged(mutant)
        count[verdict] += 1
        made[rooms.room(mutant.file)] += verdict != "not compiled"
        caught[rooms.room(mutant.file)] += verdict == "caught"
        print("%3d/%d %-12s %s: %s%s (%d s)" % (
            number, len(mutants), verdict, mutant.file, mutant.name, test and " <- " + test,
            time.time() - start), flush=True)
        if verdict == "survived":
            print(mutant, flush=True)
    print("caught: " + ", ".join("%s %d of %d" % (room, caught[room], made[room]) for room in sorted(made)))
    print("%d mutants, %d caught, %d survived; %d did not compile; %d s" % (
        made.total(), count["caught"], count["survived"], count["not compiled"], time.time() - began))
    return 1 if count["survived"] else 0


def main():
    parser = argparse.ArgumentParser(prog="tests/run mutants", description=__doc__.split("\n")[0])
    parser.add_argument("filter", nargs="?", help="only those with this in 'FILE: WHAT IS WRONG'")
    parser.add_argument("--quick", type=int, nargs="?", const=60, metavar="COUNT", help="so many of "
        "them (60), of all rooms in turn, and rather of what differs from main, until --minutes are "
        "over")
    parser.add_argument("--minutes", type=float, default=10, help="for --quick (10), besides what is built once")
    parser.add_argument("--room", action="append", choices=sorted({*rooms.ROOMS.values()}),
        help="only those of this room, or of each that is named so")
    parser.add_argument("--seed", type=int, default=0, help="which ones --quick takes")
    parser.add_argument("--list", action="store_true", help="prints them, and runs nothing")
    parser.add_argument("--check", action="store_true", help="says whether each op has some, and each test is there")
    options = parser.parse_args()
    if options.check:
        wrong = check()
        print("\n".join(wrong))
        return 1 if wrong else 0
    if options.list:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # for | head
        print(*chosen(options), sep="\n")
        return 0
    return run(chosen(options), 60 * options.minutes if options.quick else float("inf"))


if __name__ == "__main__":
    sys.exit(main())
