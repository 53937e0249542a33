"""The READMEs: their programs are compiled and run. (commands_test.py runs their commands.)"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

# Called as: readme_test.py COMPILER FLAG... @ LIBRARY... TREE, with the sources in place of the @.
TREE = pathlib.Path(sys.argv.pop())
COMPILE = sys.argv[1:]
RUN_BY = [os.environ["RUN_BY"]] if "RUN_BY" in os.environ else []  # for another system's programs
del sys.argv[1:]
READMES = [TREE / "README.md",
    *(path for room in "core ops nn demos tests .github".split()
    for path in sorted((TREE / room).rglob("*.md")))]
TEXTS = {path: path.read_text() for path in READMES}
FRONT, DOCUMENTS = TREE / "README.md", TREE / "nn/documents/README.md"

# Every fenced block as (language, text), in order.
BLOCKS = [block for text in TEXTS.values()
    for block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S)]

def run(command, **options):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        **options)


class Readme(unittest.TestCase):
    maxDiff = None

    def output(self, program):
        """A program's output."""
        with tempfile.TemporaryDirectory() as folder:
            source, binary = pathlib.Path(folder, "readme.cpp"), pathlib.Path(folder, "readme.exe")
            source.write_text(program)
            at = COMPILE.index("@")
            done = run([*COMPILE[:at], source, "-o", binary, *COMPILE[at + 1:]])
            self.assertEqual(done.returncode, 0, done.stdout)
            done = run([*RUN_BY, binary], cwd=folder)
            self.assertEqual(done.returncode, 0, done.stdout)
            for page in pathlib.Path(folder).glob("*.html"):
                self.assertTrue('id="replay"' in page.read_text() or "there is no engine" in done.stdout, done.stdout)
            return re.sub("there is no engine.*", "", done.stdout)

    def test_programs_print_what_it_shows(self):
        programs = 0
        for block, (language, text) in enumerate(BLOCKS):
            if language == "cpp" and "int main" in text:
                programs += 1
                after = (other for other in BLOCKS[block + 1:] if other[0] != "python")
                shown = next(after, ("", ""))
                printed = self.output(text)
                if shown[0] == "text":
                    self.assertEqual(printed, shown[1])
        self.assertGreater(programs, 0)

    def test_the_front_door_is_short_and_names_the_command_of_its_figures(self):
        self.assertLessEqual(TEXTS[FRONT].count("\n"), 120)
        self.assertRegex(TEXTS[FRONT], r"`demos/run benchmark`[^|]*\| x, d_ff \| fused \|")

    def test_demos_that_they_name_exist(self):
        demos = self.demos()
        for path, text in TEXTS.items():
            for name in re.findall(r"demos/run ([a-z]\w*)", text):
                self.assertIn(name, demos, path)
        table = re.findall(r"^\| \[(\w+)\]", TEXTS[TREE / "demos/README.md"], re.M)
        self.assertEqual(set(table), demos)

    def demos(self):
        listed = run(["demos/run", "--list"], cwd=TREE).stdout
        return {line.split()[0] for line in listed.splitlines()}

    def test_cmake_lines_are_those_of_the_consumer_that_is_tested(self):
        consumer = (TREE / "tests/install/consumer/CMakeLists.txt").read_text()
        for language, text in BLOCKS:
            for line in text.splitlines() if language == "cmake" else ():
                self.assertIn(line, consumer)

    def test_each_heading_of_the_documents_has_a_file_and_a_demo(self):
        demos, text = self.demos(), TEXTS[DOCUMENTS]
        parts = re.split(r"(?m)^## (00\d): `demos/run (\w+)`$", text)
        self.assertEqual(parts[1::3], ["000", "001", "002", "003"])
        self.assertLessEqual({*parts[2::3], *re.findall(r"\(`demos/run (\w+)`\) \|", text)}, demos)
        for table in parts[3::3]:
            headings = re.findall(r"(?m)^\| (.+) \| .*\]\(\.\./[\w./]+\.[ch]pp\).* \|$", table)
            self.assertEqual(len({*headings}), table.count("\n|") - 2)

    def test_files_and_headings_that_they_point_at_exist(self):
        for path, text in TEXTS.items():
            if path.name != "README.md" and path.parent.name == "lessons":
                continue  # whose links are cells of a page
            prose = re.sub(r"(?ms)^```.*?^```|`[^`\n]*`", "", text)
            for target, heading in re.findall(r"\]\(([^)#:]*)#?([^):]*)\)", prose):
                file = path.parent / target if target else path
                self.assertTrue(file.exists(), f"{path}: {target}")
                if heading:
                    heads = re.findall("(?m)^#+ (.*)$", file.read_text().lower())
                    self.assertIn(heading, [re.sub(r"[^\w -]", "", head).replace(" ", "-") for head in heads], path)


unittest.main()
