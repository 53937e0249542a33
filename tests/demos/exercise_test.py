"""Exercises as a student and a teacher use them, by demos/run.

usage: exercise_test.py (Reader | Grading | Notebooks) TREE
"""

import collections
import contextlib
import csv
import io
import itertools
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import types
import unicodedata
import unittest
import unittest.mock
import zipfile

from exercise_attacks import CELLS, FILES, IN_THE_FUNCTION
from exercise_wrong import WRONG, WRONG_IN_CPP

TREE = pathlib.Path(sys.argv.pop()).resolve()
HERE = TREE / "demos/exercise"
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import exercise as demo


def exercise(*options, cwd=TREE):
    done = subprocess.run([TREE / "demos/run", "exercise", *map(str, options)], cwd=cwd, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def solved(name, old="", new=""):
    """An exercise with its solution, in which `new` replaces the first `old`."""
    head, text = demo.in_cpp(name).split("  //>", 1)
    assert old in "  //>" + text, (name, old)
    return head + ("  //>" + text).replace(old, new, 1)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.mine = self.folder / "stepgrad-exercises"

    def write(self, name, text, student="stepgrad-exercises", kind="cpp"):
        file = self.folder / student / f"{name}.{kind}"
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text(text)

    def write_notebook(self, name, cells, student):
        self.write(name, json.dumps(cells), student, "ipynb")


class Reader(Case):
    def test_each_has_a_title_a_gap_two_hints_a_solution_and_wrong_solutions(self):
        names = re.findall(r"(?m)^(\w+)  +\S", exercise()[1].split("\n\n")[0])
        files = {*demo.parts_of("exercises.cpp", "//")[1]}
        self.assertEqual(set(names), files)
        for name in names:
            gap, hint, where = demo.with_gap(name), demo.said(name, "Hint"), demo.said(name, "Where")
            self.assertIn("// YOUR TURN: ", gap)
            self.assertNotRegex(gap, "Hint:|Where:|//[<>]")
            parts = demo.solution(name).removeprefix("C++:\n").split("\n\nPython:\n")
            for part, code in zip(parts, (demo.in_cpp(name), demo.in_python(name)[2]), strict=True):
                for line in part.split("\n"):
                    self.assertIn(f"\n{line}\n", code)
                    if len(line) > 25:
                        self.assertNotIn(line.strip(), hint + where + gap)
            self.assertGreaterEqual(len(WRONG[name]), 2)
            self.assertGreaterEqual(len(WRONG_IN_CPP[name]), 1)

    def test_hints_come_one_by_one_and_the_solution_when_it_is_asked_for(self):
        for kind in ("Hint", "Where"):
            said = exercise("mul_backward", "--hint", cwd=self.folder)[1]
            self.assertEqual(said, demo.said("mul_backward", kind) + "\n")
        self.assertRegex(exercise("mul_backward", "--solution")[1], r"add_grad\(dY \* B\)")

    def test_translations_have_the_numbers_names_and_formulas_of_the_english_words(self):
        def marks(text):
            """What every language has: calls, shapes, numbers, names and operators."""
            text = re.sub(r"\{\d?\}", "", text)
            return re.findall(
                r"(?a)[\w.]+\([^()]*\)|\[[^]]*\]|-?\d*\.?\d+|[A-Za-z]\w*|[^\s\w가-힣一-龥.,:;?!'，。：；？、（）()]", text)

        def texts(name, language):
            """Its title, hints, and tasks in C++ and in Python."""
            with unittest.mock.patch.dict(os.environ, LC_ALL=language):
                words = demo.words_of(name)
            if language != "en":
                return [*words[:3], *(task.split(" | ")[at] for at in (0, -1) for task in words[3:])]
            for mark, code in ("//", demo.in_cpp(name)), ("#", demo.in_python(name)[2]):
                demo.gaps(mark, code, lambda *found: words.append(found[1]) or "")
            return words

        rows = []  # a task is shorter in a translation
        for name in demo.order():
            for i, row in enumerate(zip(*(texts(name, each) for each in demo.LANGUAGES), strict=True)):
                rows.append((i < 3, *row))
        for line in (HERE / "verdicts.txt").read_text().splitlines():
            rows.append((True, *line.split(" | ")))
            for other in rows[-1][2:]:
                first = [1, 0] if re.search("개 중|项中|결과가 .* 아니라", other) else [0, 1]
                self.assertEqual([*map(int, re.findall(r"\{(\d)\}", other))], [*first, 2][:line.split(" | ")[0].count("{}")], line)
        for whole, *texts in rows:
            english, *others = map(marks, texts)
            self.assertEqual(*others)  # in the same order
            more = collections.Counter(others[0]) - collections.Counter(english)
            self.assertLessEqual({*more}, {"0", "1", "MB", "step()"}, english)
            formulas = {each for each in english if re.search(r"(?a)[2-9(\[_]|d[A-Z]", each)}
            self.assertLessEqual(formulas, {*others[0]} if whole else formulas)

    def test_words_are_in_the_readers_language(self):
        for language, letter in (("ko", "[가-힣]"), ("zh", "[一-龥]")):
            variables = {"LC_ALL": f"{language}.UTF-8", "LANG": "en_US.UTF-8"}
            with unittest.mock.patch.dict(os.environ, variables):
                for name in demo.order():
                    for kind in ("Exercise", "Hint", "Where"):
                        self.assertRegex(demo.said(name, kind), letter, f"{name} {kind}")
                    for text in (demo.with_gap(name), str(demo.notebook(name))):
                        self.assertNotRegex(text, "YOUR TURN: (?!.*" + letter + ")")
                    self.assertNotRegex(text, "add_grad")  # C++'s way, in Python
                self.assertRegex(demo.notebook("dropout")["cells"][0]["source"], f"<summary>{letter}")
                self.assertIn("the gradient of a product", exercise("--lang", "en")[1])
                with unittest.mock.patch.dict(os.environ, PYTHONIOENCODING="ascii"):
                    self.assertEqual(exercise()[0], 0)

    def test_verdicts_are_in_the_readers_language(self):
        said = ("not yet (3 of 4, seed 7): FFN(x): the gradient of w1: element [0, 1] is 3 and should be 5 "
            "(by central differences 5.001); this is what you get without the ReLU.")
        self.assertEqual(demo.translated_verdict(said), said)
        with unittest.mock.patch.dict(os.environ, LC_ALL="ko_KR.UTF-8"):
            self.assertEqual(demo.translated_verdict(said), (
                "아직 아닙니다(4개 중 3개, 시드 7): FFN(x): w1의 그래디언트: [0, 1]번 원소가 3인데 5이어야 "
                "합니다 (중심 차분으로는 5.001); ReLU를 빼면 나오는 값입니다."))
        phrases = re.findall(r"this is what you get (.*?)\[[.]\]", str([WRONG, WRONG_IN_CPP]))
        self.assertGreater(len(phrases), 20)
        for language in ("ko", "zh"):
            with unittest.mock.patch.dict(os.environ, LC_ALL=language):
                for phrase in map("".join, phrases):
                    self.assertNotIn(phrase, demo.translated_verdict(f"this is what you get {phrase.replace('. ', '+ ')}"))

    def test_parts_of_checks_have_names_in_the_readers_language(self):
        demo.build()
        import checks
        for name in demo.order():
            first, again, other = ([part.request() for part in checks.Check(name, seed).parts] for seed in (1, 1, 2))
            self.assertEqual(first, again)
            self.assertTrue(first != other or name == "overfit", name)
        for language, name in itertools.product(("ko", "zh"), demo.order()):
            with unittest.mock.patch.dict(os.environ, LC_ALL=language):
                for part in checks.Check(name, 1).parts:
                    said = demo.translated_verdict(f"not yet (0 of 1, seed 1): {part.what}: it did not end in time")
                    self.assertNotRegex(said, r"\b(an?|the|of|with|in|at|after|step|it)\b")

    def test_answers_are_packed_to_be_handed_in(self):
        exercise("mul_backward", "--hint", cwd=self.folder)
        self.assertEqual(exercise("--pack", "Kim", cwd=self.folder)[0], 2)
        self.write("mul_backward", "// mine")
        self.write_notebook("dropout", {"cells": [{"cell_type": "code", "source": "mine"}]}, "stepgrad-exercises")
        self.assertEqual(exercise("--pack", "김하나", cwd=self.folder)[0], 0)
        from handed_in import handed_in
        self.assertEqual(handed_in(self.folder)["김하나"].answers, [("mul_backward", False, b"// mine"), ("dropout", True, b"mine")])

    def test_a_files_name_says_who_which_exercise_and_in_what(self):
        from handed_in import answered
        for name, who, copy, kind in itertools.product(demo.order(), ("", "Kim_", "a_b-"), ("", " (1)", "(12)"), (".cpp", ".IPYNB")):
            self.assertEqual(answered(who + name + copy + kind), (who[:-1] or None, name, kind.lower()))
            for no in who + name + copy, f"{name}s{kind}", f"{name} (a){kind}", name + kind + "x":
                self.assertIsNone(answered(no), no)

    def test_answers_that_differ_have_other_digests(self):
        import grade
        each = [*itertools.product((False, True), (b"", b"C++", b"python", b"0 0 "))]
        digests = []
        for language in demo.LANGUAGES:
            with unittest.mock.patch.dict(os.environ, LC_ALL=language):
                digests += [grade.digest(some) for n in (1, 2) for some in itertools.product(each, repeat=n)]
        self.assertEqual(len({*digests}), len(digests))

    def test_the_limits_are_those_of_the_readme(self):
        import grade
        limits = [int(each) for each in re.findall(r"-[tvfu] (\d+)", grade.COMPILE + grade.RUN)]
        self.assertEqual([grade.RUN_SECONDS, int(grade.SPACE) // 10**6, *limits], [15, 64, 20, 4000000, 50000, 5, 2000000, 1000, 16])
        self.assertIn("20 CPU seconds to compile and 5 to run, 15 s of time, 2 GB\nof memory, 16 processes, and files of at "
            "most 1 MB, 64 MB in all", (HERE / "README.md").read_text())

    def test_a_megabyte_a_thousand_files_eight_folders_and_five_answers_are_taken_and_no_more(self):
        from handed_in import LARGEST, MOST, Student, handed_in
        student = Student()
        for i in [*range(5), *range(5)]:
            student.add("dropout", i > 2, b"%d" % i, "")
        self.assertEqual((len(student.answers), student.notes), (5, []))
        student.add("dropout", False, b"6", "")
        student.add("attention", False, b"0", "")
        self.assertEqual((len(student.answers), len(student.notes)), (6, 1))
        (self.folder / "zips").mkdir()
        for n, note in (20 * LARGEST, "cannot be read"), (20 * LARGEST + 1, "is larger"):
            with open(self.folder / "zips/a.zip", "wb") as file:
                file.truncate(n)
            self.assertIn(note, handed_in(self.folder / "zips")["a"].notes[0])
        name = "decoder_mask.cpp"
        for last, files in ((LARGEST, lambda n: {name: " " * n}), (8, lambda n: {"a/" * n + name: ""}),
                (MOST, lambda n: dict.fromkeys([name, *map(str, range(n - 1))], ""))):
            for n in (last, last + 1):
                here = self.folder / str(n)
                (here / ("kim/" + "a/" * n * (last == 8))).mkdir(parents=True)
                with zipfile.ZipFile(here / "lee.zip", "w") as archive:
                    for file, text in files(n).items():
                        (here / "kim" / file).write_text(text)
                        archive.writestr(file, text)
                taken = [len(it.answers) for it in handed_in(here).values()]
                self.assertEqual(taken, [n == last, n == last or last == 8], n)  # a zip has no folders to walk

    def test_numbers_are_near_and_a_factor_is_said_of_several(self):
        demo.build()
        import checks
        import torch
        inf = float("inf")
        for found, wanted, right in ((1e-4, 0, 1), (-1.01e-4, 0, 0), (-3.00029, -3, 1), (3.00031, 3, 0), (inf, inf, 1), (1e300, inf, 0),
                (-inf, inf, 0), (inf, 1, 0), (inf - inf, 1, 0)):
            self.assertEqual(checks.near(found, wanted), right > 0, (found, wanted))
        for found, factor in ([0., 3., -6.], 3), ([-3., 6.], -3), ([3.], 0), ([0., 0.], 0), ([3., 5.], 0), (
                [inf, -inf], 0):
            self.assertEqual(checks.typical(([len(found)], found), torch.tensor([0., 1., -2.][-len(found):]), (), None),
                f"; each element is {factor} times what it should be" * (factor != 0))

        for shape in (3,), (2, 3), (3, 1, 2), (2, 2, 3):
            indices = [*itertools.product(*map(range, shape))]
            numbers = [float(i) for i in range(len(indices))]
            for i, index in enumerate(indices):  # the first of those that are wrong
                wrong = [n + 0.5 * (n in (i, numbers[-1])) for n in numbers]
                self.assertEqual(checks.is_not("x", (list(shape), wrong), torch.tensor(numbers).reshape(shape)),
                    (f"x: element {[*index]} is {i + 0.5:g} and should be {i}", index, i))
        it = checks.Check("overfit", 5)
        it.parts = [types.SimpleNamespace(what=f"part {i}", judge=lambda *_: None) for i in range(1, 4)]
        for answers in itertools.product(("is 0 ", "fails no", None), repeat=3):
            said = [f"part {i}: no" if answer else "ended" for i, answer in enumerate(answers, 1) if answer != "is 0 "]
            self.assertEqual(it.verdict({i: answer for i, answer in enumerate(answers, 1) if answer}, "ended"),
                f"not yet ({3 - len(said)} of 3, seed 5): {said[0]}" if said else "right")
        drawn = [checks.Draws(seed) for seed in range(200)]
        self.assertEqual({draw.number(2, 5) for draw in drawn}, {2, 3, 4, 5})
        for draw in drawn:
            self.assertLessEqual({*draw.sizes(4)}, {*range(2, 7)})
            self.assertEqual(len({*draw.sizes(4, 3, 6)}), 4)
            self.assertEqual({*draw.mask(2, 3).sum(-1).tolist()} - {1., 2.}, set())
            self.assertTrue(all(0.25 <= abs(n) <= 1.5 for n in draw.tensor((5, 5)).flatten().tolist()))

    def test_a_gap_is_found_and_the_solution_is_right(self):
        code, said = exercise("mul_backward", cwd=self.folder)
        self.assertEqual(code, 1, said)
        self.assertRegex(said, "(?m)^mul_backward: not yet .*gradient of A has not arrived[.]$")
        self.write("mul_backward", solved("mul_backward"))
        code, said = exercise("mul_backward", cwd=self.folder)
        self.assertEqual(code, 0, said)
        self.assertRegex(said, "(?m)^mul_backward: right$")
        self.write("mul_backward", solved("mul_backward", "dY * B", "dY * A"))
        self.assertRegex(exercise("mul_backward", cwd=self.folder)[1],
            r"element \[0, 0\] is .* and should be .* \(by central differences ")
        exercise("mul_backward", "--hint", cwd=self.folder)
        self.assertEqual(exercise("mul_backward", "--again", cwd=self.folder)[0], 1)
        self.assertEqual((self.mine / "mul_backward.cpp").read_text(), demo.with_gap("mul_backward"))
        self.assertEqual(exercise("mul_backward", "--hint", cwd=self.folder)[1], demo.said("mul_backward", "Hint") + "\n")

    def test_mistakes_are_one_sentence(self):
        (self.folder / "stepgrad-exercises").touch()  # where a folder should be
        for options in ("nothing", "dropout --nothing", "--grade", "--grade nowhere", "dropout --seed -1", "dropout --seed 4294967296", "dropout --lang fr",
                "--pack ../Kim", "--grade . --csv no/table.csv", "--grade . --csv .", "dropout --hint",
                "dropout --notebook", "dropout --again", "--grade ", "--pack ", "--grade . --pack Kim", "--csv table.csv",
                "--hint", "--seed 1", "--pack Kim --lang ko", "dropout --hint --seed 0", "dropout --trust"):
            code, said = exercise(*options.split(" "), cwd=self.folder)
            self.assertEqual((code, said.count("\n")), (2, 1), said)
        self.assertEqual(demo.options_of(["dropout", "--seed", "4294967295"]).seed, 2**32 - 1)


SAYS = {"right": ("yes", "all", ""), "not yet (0 of 3, seed 1): a": ("no", "0 of 3", "a"), "not yet: c": ("no", "", "c"),
    **{f"not yet (2 of 3, seed 1): {x}": ("no", "2 of 3", x.replace("\n", "\\n")) for x in ("b", "=b", "b\n", "b" * 300)},
    "not yet: " + "d" * 301: ("no", "", "d" * 300 + "…")}


class Grading(Case):
    def test_the_table_the_gradebook_the_screen_and_a_second_run_agree(self):
        import grade
        from handed_in import Student
        table, (end, asked) = self.folder / "table.csv", map(signal.getsignal, (signal.SIGTERM, signal.SIGINT))
        self.addCleanup(lambda: (signal.signal(signal.SIGTERM, end), signal.signal(signal.SIGINT, asked)))

        def run(students, seed):
            """What was asked anew, and what the screen said."""
            checked = []
            with unittest.mock.patch.multiple(
                    grade, verdict_of=lambda it, code, _: checked.append(code) or code.decode(),
                    Check=lambda name, seed, python: types.SimpleNamespace(parts=types.SimpleNamespace(seed=seed))), \
                    contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(io.StringIO()):
                grade.grade_all(students, table, seed, types.SimpleNamespace(end_all=int))
            return sorted(checked), said.getvalue()

        def read(name):
            with open(self.folder / name, encoding="utf-8-sig", newline="") as file:
                return [tuple(row) for row in csv.reader(file)]

        def cell(text):
            return "'" * (text[:1] in [*"=+-@＝＋－＠"]) + text.replace("\n", "\\n")

        def wide(text):
            return len(text) + sum(c in "김Ａ＝＋－＠" for c in text)

        for trial in range(40):
            r, students = random.Random(trial), {}
            for who in r.sample(("kim", "Kim", "Kim 2", "k", "", "a\nb", 'a,"b', "'=", "김" * 5, "Ａ" * 4, *"=+-@＝＋－＠"), 5):
                students[who] = Student()
                for name in r.choices(demo.order()[:4], k=r.randint(0, 7)):
                    students[who].add(name, r.random() < 0.5, r.choice([*SAYS]).encode(), "")
            checked, said = run(students, 1)
            (_, *rows), ((*_, names), *book) = read("table.csv"), [(*row[:3], row[3:]) for row in read("table-students.csv")]
            self.assertEqual(len(checked), sum(len(student.answers) for student in students.values()))
            lines, n, width = said.splitlines()[1:], len(rows), max(7, *(wide(who.replace("\n", "\\n")) for who in students))
            for who, student in students.items():
                plain, told = who.replace("\n", "\\n"), {name: "" for name in names}
                for name in names:
                    given = [SAYS[code.decode()] for of, _, code in student.answers if of == name]
                    parts = [each for each in given if each[1]]
                    best = [each for each in given if each[1] == max(parts, default=("", ""), key=lambda each: each[1])[1]]
                    if not given:
                        continue
                    shown, of, *row, _, _ = rows.pop(0)
                    self.assertEqual((shown, of), (cell(who), name))
                    self.assertIn(tuple(row), [(*each[:2], cell(each[2])) for each in best])
                    told[name] = "yes" if best[0][0] == "yes" else best[0][1] or "no"
                    self.assertEqual(lines.pop(0), f"{f'{n - len(rows)}/{n}':>{2 * len(str(n)) + 1}}  {plain}{' ' * (width - wide(plain))}  "
                                                   f"{name:19}  {row[0]:6}  {row[1]:7}  {row[2].removeprefix(chr(39))}")
                if not student.answers:
                    self.assertEqual((rows.pop(0)[4], lines.pop(0).split("  ")[-1].strip()), ("nothing was handed in",) * 2)
                right, count = sum(each == "yes" for each in told.values()), sum(map(bool, told.values()))
                self.assertEqual(book.pop(0), (cell(who), str(right), str(count), (*told.values(),)))
                self.assertIn(f"\n{plain}: {right} right of {count} handed in\n", said)
            self.assertEqual((rows, book), ([], []))
            before = table.read_text()
            self.assertEqual((run(students, None), table.read_text()), (([], said), before))
            for answers in (student.answers for student in students.values() if student.answers):
                at = r.randrange(len(answers))
                answers[at] = (*answers[at][:2], b"not yet: anew")
                again = [code for of, _, code in answers if of == answers[at][0]]
                self.assertEqual(run(students, None)[0], sorted(again))
            self.assertEqual(len(run(students, 2)[0]), len(checked))

    def setUp(self):
        super().setUp()
        self.hand_in = self.folder / "class"
        self.hand_in.mkdir()

    def grade(self, *options, trusted=False):
        """The rows by student and exercise, and the gradebook's by student."""
        call = ["--grade", self.hand_in, "--csv", self.folder / "table.csv", *(options or ["--seed", "1"])]
        code, self.said = exercise(*call)
        if "bubblewrap does not work here" in self.said:
            if not trusted:
                self.skipTest(self.said)
            code, self.said = exercise(*call, "--trust")
        self.assertEqual(code, 0, self.said)
        return self.tables()

    def tables(self):
        with open(self.folder / "table.csv", encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        with open(self.folder / "table-students.csv", encoding="utf-8-sig", newline="") as file:
            self.students = {row["student"]: row for row in csv.DictReader(file)}
        return {(row["student"], row["exercise"]): row for row in rows}

    def assert_row(self, row, says):
        """A row that has passed, if `says` is nothing; or has not, for that reason."""
        self.assertEqual(row["passed"], "no" if says else "yes", row)
        self.assertRegex(row["what was wrong"], f"(?s){says}" if says else "^$")

    def test_no_attack_passes_harms_or_delays_others(self):
        outside, name = self.folder / "outside", self.folder.name
        right = "#include <fstream>\n#include <iostream>\n#include <thread>\n#include <csignal>\n" \
            "#include <sys/socket.h>\n#include <unistd.h>\n" + solved("decoder_mask")
        wrong, says = right.replace("triu(", "tril("), {}
        token = """std::ifstream in("/proc/self/cmdline"); std::string a, t; while (std::getline(in, a, '\\0')) t = a;"""
        for attacks in (IN_THE_FUNCTION, FILES, CELLS):
            for code, reason in attacks.items():
                student = f"s{len(says):03}"
                says[student] = code, reason
                for mark, text in (("TREE", str(TREE)), ("CLASS", str(self.hand_in)), ("NAME", name),
                        ("OUTSIDE", str(outside)), ("SOLUTION", right), ("WRONG", wrong),
                        ("BOM", "\ufeff"), ("CRLF", right.replace("\n", "\r\n")), ("TOKEN", token)):
                    code = code.replace(f"@{mark}@", text)
                if attacks is IN_THE_FUNCTION:
                    code = right.replace("  //>", f"  {code}\n  //>", 1)
                if attacks is CELLS:
                    cells = demo.notebook("decoder_mask", solved=True)
                    cells["cells"][2]["source"] += "\n\n" + code
                    self.write_notebook("decoder_mask", cells, f"class/{student}")
                else:
                    self.write("decoder_mask", code, f"class/{student}")
        self.write("decoder_mask", right, "class/right")
        before = sorted(self.folder.rglob("*"))
        rows = self.grade()
        self.assert_row(rows["right", "decoder_mask"], "")
        for student, (code, reason) in says.items():
            with self.subTest(code):
                self.assert_row(rows[student, "decoder_mask"], reason)
        after = [path for path in self.folder.rglob("*") if "table" not in path.name]
        self.assertEqual(sorted(after), before)
        self.assertFalse(pathlib.Path(f"/tmp/{name}-outside").exists())

    def test_no_module_in_the_teachers_folder_judges(self):
        self.write_notebook("decoder_mask", demo.notebook("decoder_mask"), "class/gap")
        (self.hand_in / "checks.py").write_text("def main(): print('right')")
        _, said = exercise("--grade", ".", "--trust", cwd=self.hand_in)
        self.assertIn("gap: 0 right of 1 handed in", said)
        self.assertRegex(said, r"(?m)^1/1  gap +decoder_mask +no ")  # 1/1: how far it has come

    def test_a_class_of_forty_is_graded_right(self):
        def put(path, content):
            path = os.path.join(os.fsencode(self.hand_in), os.fsencode(path))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(content if isinstance(content, bytes) else content.encode())

        def zipped(members):
            data = io.BytesIO()
            with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
                for member, content in members.items():
                    archive.writestr(member, content)
            return data.getvalue()

        def of_each(python, table):
            """Each exercise's solution, gap, and wrong solutions, and what is said of these, again and again."""
            for name in itertools.cycle(table):
                old, new, reason = next(kinds[python, name])
                in_gap = old is None
                if python:
                    cells = demo.notebook(name, solved=not in_gap)["cells"][1:3]
                    text = "\n\n".join(cell["source"] for cell in cells).replace(old or "", new, 1)
                else:
                    text = demo.with_gap(name) if in_gap else solved(name, old, new)
                yield name, text, reason

        kinds = {(python, name): itertools.cycle([("", "", ""), (None, "", "^(?!does not compile)."), *wrong])
            for python, table in enumerate((WRONG_IN_CPP, WRONG)) for name, wrong in table.items()}
        answers_of = [of_each(python, table) for python, table in enumerate((WRONG_IN_CPP, WRONG))]
        says, notes = {}, {}
        people = ["".join(name) for name in itertools.product("김이박최정강조윤", ("민지", "서연", "도윤", "하준", "지우"))]
        for i, who in enumerate(people):
            form, answers = i % 5, {}
            for name, text, says[who, name] in itertools.islice(answers_of[form in (2, 3)], 5):
                answers[name] = text
            if form == 1:
                put(f"{who}.zip", zipped({f"a/{name}.cpp": text for name, text in answers.items()} |
                    {"__MACOSX/x": "", "a/.x.txt": ""}))
            elif form == 3:
                put(f"{who}.json", json.dumps({"answers": answers | {"nothing": ""}}))
                notes[who] = "there is no exercise 'nothing'"
            else:
                for name, text in answers.items():
                    cells = json.dumps({"cells": [{"cell_type": "code", "source": text}]})
                    put(*{0: (f"{who}/stepgrad-exercises/{name} (1).cpp", text), 2: (f"{who}/{name}.ipynb", cells),
                        4: (f"{who}_{name}.cpp", text)}[form])
        # some of them, beside that
        loops, forges, strays, *_ = people
        put(f"{loops}/stepgrad-exercises/relu_backward (1).cpp",
            solved("relu_backward").replace("//>", "for (volatile int i = 0;; ++i); //>"))
        says[loops, "relu_backward"] = "did not end in time"
        put(f"{forges}/overfit.cpp", "#include <cstdio>\nint main() { puts(\"right\"); }")
        says[forges, "overfit"] = "does not compile: multiple definition of .main"
        put(f"{strays}/._mul_backward.cpp", "stray")
        put(f"{strays}/scratch.cpp", "stray")
        notes[strays] = "^scratch.cpp: no exercise has this name"
        # and who hands in what cannot be read, or not be named
        text = solved("decoder_mask")
        put("both/decoder_mask.cpp", demo.with_gap("decoder_mask"))
        put("both/decoder_mask.ipynb", json.dumps(demo.notebook("decoder_mask", solved=True)))
        put("=1+1/decoder_mask.cpp", text)
        put(b"line\nright\x1b[2J/decoder_mask.cpp", text)
        put(b"\xff\xfe/decoder_mask.cpp", text)
        put(unicodedata.normalize("NFD", "성유나") + "_decoder_mask.cpp", text)
        says |= {(who, "decoder_mask"): "" for who in ("both", "'=1+1", r"line\nright\x1b[2J", r"\udcff\udcfe", "성유나", "half")}
        a_zip, two = zipped({"a": text}), zipped({"a": text, "b/decoder_mask.CPP": text})
        for file, content, note in (
                ("bomb.zip", zipped({"decoder_mask.cpp": "//" + " " * 200_000_000}), "larger than a megabyte"),
                ("broken.zip", b"PK\3\4 no zip", "cannot be read"),
                ("changed.zip", a_zip.replace(a_zip[31:39], b"\xff" * 8), "cannot be read"),
                ("half.ZIP", two[:31] + b"\xff" * 8 + two[39:], "half.ZIP: a: cannot be read"),
                ("textjson/answers.json", '{"answers": {"dropout": 5}}', "dropout is no text"),
                ("deepjson/decoder_mask.ipynb", "[" * 200_000, "cannot be read"),
                ("wrongjson/decoder_mask.ipynb", '{"cells": [1, {"cell_type": "code"}]}', "cannot be read"),
                ("empty/inside/.x", "", "nothing was handed in"),
                ("hard2/decoder_mask.cpp", text, "is a link"),
                *((f"many/decoder_mask ({n}).cpp", f"// {n}", "more than 5 answers") for n in range(8))):
            put(file, content)
            notes[re.split("[./]", file)[0]] = note
        for who in ("link", "hard", "folder", "pipe"):
            (self.hand_in / who).mkdir()
        (self.hand_in / "link/decoder_mask.cpp").symlink_to(self.hand_in / "both/decoder_mask.cpp")
        os.link(self.hand_in / "hard2/decoder_mask.cpp", self.hand_in / "hard/decoder_mask.cpp")
        (self.hand_in / "folder/decoder_mask.cpp").mkdir()
        os.mkfifo(self.hand_in / "pipe/decoder_mask.cpp")
        (self.hand_in / "linked").symlink_to(self.hand_in / "both")
        notes |= dict.fromkeys(("link", "hard", "linked"), "is a link")
        notes |= {"folder": "nothing was handed in", "pipe": "is no file"}
        began = time.monotonic()
        rows = self.grade()
        print(f"{len(rows)} rows in {time.monotonic() - began:.0f} s")
        for (who, name), reason in says.items():
            with self.subTest(who, name=name):
                self.assert_row(rows[who, name], reason)
        self.assertEqual({who for who, name in rows if not name}, {*notes})
        for who, note in notes.items():
            with self.subTest(who):
                self.assertRegex(rows[who, ""]["what was wrong"], note)
        self.assertNotIn("\x1b", self.said)
        self.assertIn(("the mask of 4 is undefined", "3 of 4"), [(row["what was wrong"], row["parts"]) for row in rows.values()])

    def test_ctrl_c_in_a_second_run_keeps_what_an_earlier_one_has_graded(self):
        for student in "abc":
            self.write("decoder_mask", solved("decoder_mask"), f"class/{student}")
        self.grade(trusted=True)
        self.write("decoder_mask", "#include <unistd.h>\n" + solved("decoder_mask", "return ", "sleep(1000); return "), "class/b")
        table = (self.folder / "table.csv").read_text("utf-8-sig")
        for number, when in (signal.SIGINT, "demos/run: seed"), (signal.SIGTERM, "1/3 "):
            self.assertIn("\na,decoder_mask,yes", table)
            with subprocess.Popen([TREE / "demos/run", "exercise", "--grade", self.hand_in, "--csv", self.folder / "table.csv",
                    "--trust"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as second:
                while not (line := second.stdout.readline()).lstrip().startswith(when):
                    self.assertTrue(line)
                second.send_signal(number)
                said = second.stdout.read()
            self.assertEqual(second.returncode, 130)
            table = (self.folder / "table.csv").read_text("utf-8-sig")
        self.assertIn("b: 0 right of 1 handed in, 1 not graded yet\nc: 1 right of 1 handed in\n", said)
        self.assertEqual([*self.tables()], [("a", "decoder_mask"), ("c", "decoder_mask")])
        self.assertEqual([row["decoder_mask"] for row in self.students.values()], ["yes", "not graded", "yes"])


RUN_CELLS = """import json, random, sys
if "stepgrad" in sys.argv:
    import stepgrad.torch
for file, old, new in json.loads(sys.argv[1]):
    there = {}
    random.seed(1)  # of the check's draws
    for cell in json.load(open(file))["cells"]:
        if cell["cell_type"] == "code":
            exec(cell["source"].replace(old, new, 1) if old else cell["source"], there)
"""


class Notebooks(Case):
    def verdicts(self, engine, jobs):
        modules = f"{TREE}/demos/python:{TREE}/build/release/python"
        python = ["/usr/bin/python3"]
        if engine == "stepgrad":
            python = os.environ.get("STEPGRAD_PYTHON", *python).split()  # also one in WebAssembly
        done = subprocess.run([*python, "-c", RUN_CELLS, json.dumps(jobs), engine],
            cwd=self.mine, text=True, capture_output=True,
            env={**os.environ, "PYTHONPATH": f"{self.mine}:{modules}"})
        if "No module named" in done.stderr:
            self.skipTest(done.stderr.strip().split("\n")[-1])
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    def test_gaps_and_wrong_solutions_are_refused_and_solutions_are_right_on_either_engine(self):
        jobs, says = [], []
        for name, mistakes in WRONG.items():
            self.assertEqual(exercise(name, "--notebook", cwd=self.folder)[0], 0)
            gap = self.mine / f"{name}.ipynb"
            solution = self.mine / f"{name}-solved.ipynb"
            solution.write_text(json.dumps(demo.notebook(name, solved=True)))
            both = (gap, "", "", "not yet "), (solution, "", "", "right$")
            for file, old, new, verdict in (*both, *((solution, *each) for each in mistakes)):
                if old:
                    self.assertIn(json.dumps(old)[1:-1], solution.read_text(), name)
                jobs.append((str(file), old, new))
                says.append(f"{name}: .*{verdict}" if old else f"{name}: {verdict}")
        for engine in ("torch", "stepgrad"):
            for job, pattern, verdict in zip(jobs, says, self.verdicts(engine, jobs), strict=True):
                with self.subTest(engine, job=job):
                    self.assertRegex(verdict, pattern)


unittest.main()
