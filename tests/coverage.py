"""What the tests run of core/, ops/ and nn/: a table by room, and every line that they never run."""

import collections
import json
import pathlib
import re
import subprocess
import sys

TREE = pathlib.Path(__file__).resolve().parents[1]
BUILD = TREE / "build/coverage"
PROGRAMS = ["float_tests", "double_tests", "kernel_tests", "fault_tests", "vocabulary_tests"]


def counted():
    """(file, line): how often it was run, and of each branch of it the same, over all objects."""
    lines = collections.defaultdict(int)
    branches = collections.defaultdict(lambda: collections.defaultdict(int))
    for data in BUILD.rglob("*.gcda"):
        said = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", data],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=data.parent,
                              check=True).stdout
        for report in said.splitlines():
            for file in json.loads(report)["files"]:
                path = (BUILD / file["file"]).resolve()
                if not path.is_relative_to(TREE):
                    continue
                name = path.relative_to(TREE).as_posix()
                if not name.startswith(("core/", "ops/", "nn/")):
                    continue
                for line in file["lines"]:
                    place = name, line["line_number"]
                    lines[place] += line["count"]
                    for i, branch in enumerate(line["branches"]):
                        if not branch["throw"]:
                            branches[place][i] += branch["count"]
    return lines, branches


def room(name):
    return re.match(r"core/(kernels|debug|trace|memory)|\w+", name)[0]


def main():
    for program in PROGRAMS:
        path = next(BUILD.glob("tests/**/" + program), None)
        if path and subprocess.run([path], cwd=TREE, check=False,
                                            stdout=subprocess.DEVNULL).returncode:
            sys.exit("%s fails" % program)
    lines, branches = counted()
    table = collections.defaultdict(lambda: [0, 0, 0, 0])
    for (name, number), count in lines.items():
        for row in (table[room(name)], table["all"]):
            row[0] += count > 0
            row[1] += 1
            row[2] += sum(1 for one in branches[name, number].values() if one)
            row[3] += len(branches[name, number])
    print("%-14s %14s %18s" % ("", "lines", "branches"))
    for name, (run, of, taken, ways) in sorted(table.items(), key=lambda row: row[0] == "all"):
        print("%-14s %5d of %5d %3d %%  %5d of %5d %3d %%" % (
            name, run, of, 100 * run // of, taken, ways, 100 * taken // max(ways, 1)))
    never = sorted(place for place, count in lines.items() if not count)
    for name, number in never:
        text = (TREE / name).read_text().splitlines()
        print("%s:%d: never run: %s" % (name, number, text[number - 1].strip()
                                        if number <= len(text) else ""))


if __name__ == "__main__":
    main()
