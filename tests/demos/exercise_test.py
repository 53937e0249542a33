"""Exercises as a student and a teacher use them, by demos/run.

usage: exercise_test.py (Reader | Grading | Notebooks) TREE
"""

import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

from exercise_wrong import WRONG, WRONG_IN_PYTHON

TREE = pathlib.Path(sys.argv.pop()).resolve()
HERE = TREE / "demos/exercise"
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import exercise as demo  # noqa: E402


def exercise(*options, cwd=TREE):
    done = subprocess.run([TREE / "demos/run", "exercise", *options], cwd=cwd, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout


def solved(name, old="", new=""):
    """An exercise with its solution, in which `new` replaces the first `old`."""
    head, text = (HERE / f"{name}.cpp").read_text(encoding="utf-8").split("  //>", 1)
    assert old in "  //>" + text, (name, old)
    return head + ("  //>" + text).replace(old, new, 1)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.mine = self.folder / "stepgrad-exercises"

    def write(self, name, text, student="stepgrad-exercises"):
        file = self.folder / student / f"{name}.cpp"
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text(text, encoding="utf-8")


class Reader(Case):
    def test_each_has_a_title_a_gap_two_hints_a_solution_and_wrong_solutions(self):
        names = re.findall(r"(?m)^(\w+)  +\S", exercise()[1].split("\n\n")[0])
        files = {path.stem for path in HERE.glob("*.cpp") if "check" not in path.stem}
        self.assertEqual(set(names), files)
        for name in names:
            gap, hint, where = demo.with_gap(name), demo.said(name, "Hint"), demo.said(name, "Where")
            self.assertIn("// YOUR TURN: ", gap)
            self.assertNotRegex(gap, "Hint:|Where:|//[<>]")
            for line in demo.solution(name).split("\n"):
                if len(line) > 25:
                    self.assertNotIn(line.strip(), hint + where + gap)
            self.assertGreaterEqual(len(WRONG[name]), 2)

    def test_hints_come_one_by_one_and_the_solution_when_it_is_asked_for(self):
        for kind in ("Hint", "Where"):
            said = exercise("mul_backward", "--hint", cwd=self.folder)[1]
            self.assertEqual(said, demo.said("mul_backward", kind) + "\n")
        self.assertRegex(exercise("mul_backward", "--solution")[1], r"add_grad\(dY \* B\)")
        self.assertIn("YOUR TURN", exercise("mul_backward", "--gap")[1])

    def test_words_are_in_the_readers_language(self):
        for language, letter in (("ko", "[가-힣]"), ("zh", "[一-龥]")):
            with unittest.mock.patch.dict(os.environ, LANG=f"{language}.UTF-8"):
                for name in demo.ORDER:
                    for kind in ("Exercise", "Hint", "Where"):
                        self.assertRegex(demo.said(name, kind), letter, f"{name} {kind}")
                self.assertRegex(demo.notebook("dropout")["cells"][0]["source"], f"<summary>{letter}")

    def test_a_gap_is_found_and_the_solution_is_right(self):
        code, said = exercise("mul_backward", cwd=self.folder)
        self.assertEqual(code, 1, said)
        self.assertRegex(said, "(?m)^mul_backward: not yet: .*gradient of A has not arrived[.]$")
        self.write("mul_backward", solved("mul_backward"))
        code, said = exercise("mul_backward", cwd=self.folder)
        self.assertEqual(code, 0, said)
        self.assertRegex(said, "(?m)^mul_backward: right$")
        self.write("mul_backward", solved("mul_backward", "dY * B", "dY * A"))
        self.assertRegex(exercise("mul_backward", cwd=self.folder)[1],
                         r"element \[0, 0\] is .* and should be .* \(by central differences ")

    def test_a_program_that_never_reached_its_check_has_failed(self):
        self.write("decoder_mask", solved("decoder_mask", "  return", "  exit(0);\n  return"))
        code, said = exercise("decoder_mask", cwd=self.folder)
        self.assertEqual(code, 1)
        self.assertIn("it ended before its check was over, with exit code 0", said)

    def test_mistakes_are_one_sentence(self):
        for options in (["nothing"], ["dropout", "--nothing"], ["dropout", "--hint", "x"],
                        ["--grade"], ["--grade", ".", "--csv"], ["--grade", "nowhere"]):
            code, said = exercise(*options)
            self.assertEqual((code, said.count("\n")), (2, 1), said)


HOSTILE = {  # what stands in front of a right solution, and what the table says
    "std::exit(0);": "ended before its check was over, with exit code 0",
    'puts("right"), std::_Exit(0);': "ended before its check was over",
    "for (volatile int i = 0;; ++i);": "did not end in time",
    "*(volatile int*)nullptr = 0;": "crashed before its check was over: Segmentation fault",
    'std::ofstream("OUTSIDE") << 1;': "",
    'std::ofstream("/tmp/OUTSIDE") << 1;': "",
    "std::vector<char> large(size_t(1) << 33, 1);": "bad_alloc",
    "for (;;) puts(__FILE__);": "not yet|crashed|File size limit|did not end",
    "no C++": "does not compile: line ",
    "int main() {}": "does not compile: multiple definition of .main",
    "throw 1;": "throws something",
    "for (;;) fork();": "did not end in time",
    "sleep(1000);": "did not end in time",
}


class Grading(Case):
    def grade(self, trusted=False):
        table = self.folder / "table.csv"
        code, said = exercise("--grade", self.folder / "class", "--csv", table)
        if "bubblewrap does not work here" in said:
            if not trusted:
                self.skipTest(said)
            code, said = exercise("--grade", self.folder / "class", "--csv", table, "--trust")
        self.assertEqual(code, 0, said)
        with open(table, encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return {(row["student"], row["exercise"]): row for row in rows}, said

    def test_solutions_pass_and_gaps_and_wrong_solutions_are_refused_for_their_reason(self):
        for name, mistakes in WRONG.items():
            self.write(name, solved(name), "class/right")
            self.write(name, exercise(name, "--gap")[1], "class/gap")
            for number, (old, new, _) in enumerate(mistakes):
                self.write(name, solved(name, old, new), f"class/wrong{number}")
        rows, said = self.grade(trusted=True)
        for name, mistakes in WRONG.items():
            with self.subTest(name):
                self.assertEqual(rows["right", name]["passed"], "yes", rows["right", name])
                self.assertEqual(rows["gap", name]["passed"], "no")
                self.assertNotIn("compile", rows["gap", name]["what was wrong"])
            for number, (old, new, reason) in enumerate(mistakes):
                with self.subTest(name, old=old, new=new):
                    row = rows[f"wrong{number}", name]
                    self.assertEqual(row["passed"], "no")
                    self.assertRegex(row["what was wrong"], reason)
        self.assertIn(f"right: {len(WRONG)} of {len(WRONG)}", said)

    def test_programs_that_loop_crash_or_write_elsewhere_change_nothing(self):
        outside = self.folder / "outside"
        for number, code in enumerate(HOSTILE):
            code = code.replace("/tmp/OUTSIDE", f"/tmp/{self.folder.name}-outside")
            code = code.replace("OUTSIDE", str(outside))
            text = solved("decoder_mask", "  return", f"  {code}\n  return")
            text = "#include <fstream>\n#include <unistd.h>\n" + text
            if code.startswith("int main"):
                text = solved("decoder_mask") + code
            self.write("decoder_mask", text, f"class/s{number}")
        before = sorted(self.folder.rglob("*"))
        rows, _ = self.grade()
        for number, (code, says) in enumerate(HOSTILE.items()):
            with self.subTest(code):
                row = rows[f"s{number}", "decoder_mask"]
                self.assertEqual(row["passed"], "no" if says else "yes", row)
                self.assertRegex(row["what was wrong"], says or "^$")
        after = [path for path in self.folder.rglob("*") if path.name != "table.csv"]
        self.assertEqual(sorted(after), before)
        self.assertFalse(pathlib.Path(f"/tmp/{self.folder.name}-outside").exists())


RUN_CELLS = """import json, sys
if "stepgrad" in sys.argv:
    import stepgrad.torch
for file, old, new in json.loads(sys.argv[1]):
    there = {}
    for cell in json.load(open(file))["cells"]:
        if cell["cell_type"] == "code":
            exec(cell["source"].replace(old, new, 1) if old else cell["source"], there)
"""


class Notebooks(Case):
    def verdicts(self, engine, jobs):
        modules = f"{TREE}/demos/python:{TREE}/build/release/python"
        done = subprocess.run(["/usr/bin/python3", "-c", RUN_CELLS, json.dumps(jobs), engine],
                              cwd=self.mine, text=True, capture_output=True, check=False,
                              env={**os.environ, "PYTHONPATH": f"{self.mine}:{modules}"})
        if "No module named" in done.stderr:
            self.skipTest(done.stderr.strip().split("\n")[-1])
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    def test_gaps_and_wrong_solutions_are_refused_and_solutions_are_right_on_either_engine(self):
        jobs, says = [], []
        for name, mistakes in WRONG_IN_PYTHON.items():
            self.assertEqual(exercise(name, "--notebook", cwd=self.folder)[0], 0)
            gap = self.mine / f"{name}.ipynb"
            solution = self.mine / f"{name}-solved.ipynb"
            solution.write_text(json.dumps(demo.notebook(name, solved=True)))
            both = (gap, "", "", "not yet: "), (solution, "", "", "right$")
            for file, old, new, verdict in (*both, *((solution, *each) for each in mistakes)):
                if old:
                    self.assertIn(json.dumps(old)[1:-1], solution.read_text(), name)
                jobs.append((str(file), old, new))
                says.append(f"{name}: .*{verdict}" if old else f"{name}: {verdict}")
        for engine in ("torch", "stepgrad"):
            for job, pattern, verdict in zip(jobs, says, self.verdicts(engine, jobs), strict=True):
                with self.subTest(engine, job=job):
                    self.assertRegex(verdict, pattern)


if __name__ == "__main__":
    unittest.main()
