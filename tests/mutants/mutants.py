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

import mutation

TREE = pathlib.Path(__file__).resolve().parents[2]
COPY = TREE / "build/mutants"
BUILD = COPY / "build/release"  # where the tests of debuggers look for it
SAMPLE = 60
LIMIT = 120  # seconds of the processor for one test program, and three times as many by the clock
SLOW = ("ops/checkpoint.hpp", ".js", "core/debug/stepgrad_commands.py",
        "core/debug/stepgrad_gdb_values.py")  # what takes minutes of building or of browsing

# The programs of Catch2 that can see a change, by the beginning of the file's name.
PROGRAMS = {
    "core/kernels/simd": ["kernel_tests", "float_tests"],
    "core/kernels": ["kernel_tests", "double_tests", "float_tests"],
    "core/trace": ["float_tests", "double_tests"],
    "core/tensor/print": ["float_tests"],
    "core/files": ["float_tests", "fault_tests"],
    "core/memory": ["float_tests", "fault_tests", "double_tests"],
    "core/tape/tape.cpp": ["float_tests", "double_tests", "fault_tests", "slow_tests"],
    "core": ["float_tests", "double_tests"],
    "ops": ["double_tests", "float_tests"],
    "nn/vocabulary": ["vocabulary_tests"],
    "nn/sentencepiece": ["vocabulary_tests"],
    "nn/pad_sequence": ["vocabulary_tests", "float_tests"],
    "nn": ["float_tests", "double_tests"],
}
# Tests of CTest's that can, too, and the targets that these need.
DEBUGGER = ["Tensors are read and shown without a debugger",
            "gdb shows tensors, good and bad", "gdb has commands for the tape",
            "gdb steps to gradients and kernels",
            "gdb and lldb know what readers write outside of our namespace"]
TRAINING = "A training is the same for any threads and though it is killed"
CTESTS = {
    "core/debug": ("all", DEBUGGER),
    "core/trace": ("trace_pages", ["A browser steps through a tape's page"]),
    "core/watch/going_back.cpp": ("all", ["gdb has commands for the tape"]),
    "core/watch/paranoid.cpp": ("gradient_check", ["Paranoid mode is turned on from outside"]),
    "core/files": ("training", [TRAINING]),
    "core/kernels/simd/": ("training", [TRAINING]),
    "core/kernels/table.cpp": ("float_tests", ["A STEPGRAD_SIMD that names no kernels is refused"]),
}


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
    """Brings the copy up to the tree, without touching what is the same, and configures it."""
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


def of(table, file):
    """The entry of the longest beginning of the file's name."""
    found = [key for key in table if file.startswith(key)]
    return table[max(found, key=len)] if found else None


def looks(file):
    """What can see a change of this file, the nearest first: functions that raise Caught."""
    stem = pathlib.Path(file).stem
    nearest = "[#%s_test],[#%s_kernels_test]" % (stem, stem.rstrip("s"))
    found = []

    def look_with(program):
        build(program)
        run_catch(program, "--filenames-as-tags", nearest)
        run_catch(program)

    def look_at(target, test):
        build(target)
        code, _ = quiet(["ctest", "--test-dir", str(BUILD), "-R", "^%s$" % re.escape(test),
                         "--no-tests=error"], 5 * LIMIT)
        if code != 0:
            raise Caught(test)

    if not file.endswith((".py", ".js")):
        for program in of(PROGRAMS, file):
            found.append((program, functools.partial(look_with, program)))
    target, tests = of(CTESTS, file) or (None, [])
    for test in tests[:1] if file.endswith("_format.py") else tests:
        found.append((test, functools.partial(look_at, target, test)))
    return found


proven = set()  # what passes without any mutant


def prove(name, look):
    if name in proven:
        return
    try:
        look()
    except (Caught, Uncompiled) as error:
        sys.exit("without any mutant, this fails: %s" % error)
    proven.add(name)


def judged(mutant):
    """'caught', 'survived' or 'not compiled', and by what."""
    path = COPY / mutant.file
    text = path.read_text()
    for name, look in looks(mutant.file):
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
    return "survived", ""


def check():
    """That the lists still fit the tree: quick, so that whoever changes a line is told at once."""
    wrong = []
    for mutant in [*mutation.by_hand(), *mutation.changing_nothing()]:
        try:
            mutant.applied((TREE / mutant.file).read_text())
        except (ValueError, OSError) as error:
            wrong.append(str(error))
        if mutant.old == mutant.new:
            wrong.append("%s: %s: nothing is changed" % (mutant.file, mutant.name))
    changed = {mutant.file.rsplit(".")[0] for mutant in mutation.by_rule(TREE)}
    for op in re.findall(r'"ops/(\w+)\.hpp"', (TREE / "ops/ops.hpp").read_text()):
        if "ops/" + op not in changed:
            wrong.append("ops/%s.cpp has no line that a rule of tests/mutants changes" % op)
    return wrong


def chosen(options):
    hand, rule = mutation.by_hand(), mutation.by_rule(TREE)
    known = {mutant.change() for mutant in mutation.changing_nothing()}
    if options.filter:
        hand, rule = ([m for m in some if options.filter in "%s: %s" % (m.file, m.name)]
                      for some in (hand, rule))
    if options.by:
        hand, rule = (hand, []) if options.by == "hand" else ([], rule)
    hand, rule = ([m for m in some if m.change() not in known] for some in (hand, rule))
    if options.quick:
        same = random.Random(options.seed)
        hand = [m for m in hand if not m.file.endswith(SLOW)]
        hand, rule = (same.sample(some, min(SAMPLE // 2, len(some))) for some in (hand, rule))
    return sorted([*hand, *rule], key=lambda mutant: mutant.file)


def run(mutants):
    COPY.mkdir(parents=True, exist_ok=True)
    began = time.time()
    code, said = prepare()
    if code:
        sys.exit(said)
    count, survivors = collections.Counter(), []
    for number, mutant in enumerate(mutants, 1):
        start = time.time()
        verdict, test = judged(mutant)
        count[verdict] += 1
        print("%3d/%d %-12s %s: %s%s (%d s)" % (
            number, len(mutants), verdict, mutant.file, mutant.name, test and " <- " + test,
            time.time() - start), flush=True)
        if verdict == "survived":
            survivors.append(mutant)
            print(mutant, flush=True)
    made = count["caught"] + count["survived"]
    print("%d mutants, %d caught, %d survived; %d did not compile; %d s" % (
        made, count["caught"], count["survived"], count["not compiled"], time.time() - began))
    return 1 if survivors else 0


def main():
    parser = argparse.ArgumentParser(prog="tests/run mutants", description=__doc__.split("\n")[0])
    parser.add_argument("filter", nargs="?", help="only those with this in 'FILE: WHAT IS WRONG'")
    parser.add_argument("--quick", action="store_true", help="%d of them, the same ones each time: "
                        "ten minutes" % SAMPLE)
    parser.add_argument("--seed", type=int, default=0, help="which ones --quick takes")
    parser.add_argument("--by", choices=["hand", "rule"], help="only those written by hand, or made by "
                        "rule")
    parser.add_argument("--list", action="store_true", help="prints them, and runs nothing")
    parser.add_argument("--check", action="store_true", help="says whether the lists fit the tree")
    options = parser.parse_args()
    if options.check:
        wrong = check()
        print("\n".join(wrong) or "%d mutants by hand fit" % len(mutation.by_hand()))
        return 1 if wrong else 0
    if options.list:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # for | head
        print(*chosen(options), sep="\n")
        return 0
    return run(chosen(options))


if __name__ == "__main__":
    sys.exit(main())
