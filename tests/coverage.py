"""What the tests run of core/, ops/ and nn/: a table by room, every line that they never do, and every
condition that is always, or never, true."""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys

TREE = pathlib.Path(__file__).resolve().parents[1]
BUILD = TREE / "build/coverage"
PROGRAMS = ["float_tests", "double_tests", "kernel_tests", "fault_tests", "demos/vocabulary_tests"]


def ran(program):
    """The profile of a program's run."""
    profile = program.with_suffix(".profraw")
    environment = dict(os.environ, LLVM_PROFILE_FILE=str(profile))
    if subprocess.run([program], cwd=TREE, env=environment, check=False,
                      stdout=subprocess.DEVNULL).returncode:
        sys.exit("%s fails" % program.name)
    subprocess.run(["llvm-profdata", "merge", "-o", program.with_suffix(".profdata"), profile],
                   check=True)
    return program.with_suffix(".profdata")


def exported(program, profile, form):
    """llvm-cov's text in that format."""
    return subprocess.run(["llvm-cov", "export", "--format", form, "--instr-profile", profile, program],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode()


def named(path):
    """A file's name in the tree, if it is in one of the rooms that are looked at."""
    path = pathlib.Path(path).resolve()
    name = path.relative_to(TREE).as_posix() if path.is_relative_to(TREE) else ""
    return name if name.startswith(("core/", "ops/", "nn/")) else None


def counted():
    """{file: {line: how often it ran}} and {file: {place of a condition: [true, false]}}, of all
    programs and instances of templates together."""
    lines = collections.defaultdict(collections.Counter)
    conditions = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0]))
    for program in [BUILD / "tests" / name for name in PROGRAMS]:
        profile, name = ran(program), None
        for entry in exported(program, profile, "lcov").splitlines():
            kind, _, text = entry.partition(":")
            if kind == "SF":
                name = named(text)
            elif kind == "DA" and name:
                line, count = map(int, text.split(",")[:2])
                lines[name][line] += count
        for file in json.loads(exported(program, profile, "text"))["data"][0]["files"]:
            for *place, true, false, _, _, _ in file["branches"] if named(file["filename"]) else []:
                ways = conditions[named(file["filename"])][tuple(place)]
                ways[0] += true
                ways[1] += false
    return lines, conditions


def room(name):
    return re.match(r"core/(kernels|debug|trace|memory)|\w+", name)[0]


def main():
    lines, conditions = counted()
    table = collections.defaultdict(lambda: [0, 0, 0, 0])
    for name, counts in lines.items():
        taken = [count for ways in conditions[name].values() for count in ways]
        for row in (table[room(name)], table["all"]):
            for i, some in ((0, counts.values()), (2, taken)):
                row[i] += sum(count > 0 for count in some)
                row[i + 1] += len(some)
    print("%-14s %14s %18s" % ("", "lines", "conditions"))
    for name, (run, of, taken, both) in sorted(table.items(), key=lambda row: row[0] == "all"):
        print("%-14s %5d of %5d %3d %%  %5d of %5d %3d %%" % (
            name, run, of, 100 * run // of, taken, both, 100 * taken // max(both, 1)))
    for name in sorted(lines):
        text = (TREE / name).read_text().splitlines()
        said = [(line, "never run") for line, count in lines[name].items() if not count]
        for (line, first, end, last), ways in conditions[name].items():
            if 0 in ways and any(ways):
                part = text[line - 1][first - 1:last - 1 if end == line else None]
                said.append((line, "never %s: %s" % ("false" if ways[0] else "true", part)))
        for line, what in sorted(said):
            print("%s:%d: %s: %s" % (name, line, what, text[line - 1].strip()))


if __name__ == "__main__":
    main()
