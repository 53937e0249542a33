"""Exercises: each refuses its gap with a sentence, says a hint, and shows a solution when asked."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TREE = pathlib.Path(sys.argv.pop())
SOLUTIONS, *COMPILE = sys.argv[1:]
del sys.argv[1:]


def run(*command, **options):
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False, **options)
    return done.returncode, done.stdout


def exercise(*options, cwd=TREE):
    return run(TREE / "demos/run", "exercise", *options, cwd=cwd)


class Exercises(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.names = re.findall(r"(?m)^(\w+)  +\S", exercise()[1].split("\n\n")[0])

    def test_there_are_many_and_a_product_comes_first(self):
        self.assertGreaterEqual(len(self.names), 8)
        self.assertEqual(self.names[0], "mul_backward")
        files = {path.stem for path in (TREE / "demos/exercise").glob("*.cpp")} - {"check"}
        self.assertEqual(set(self.names), files)

    def test_every_solution_is_right(self):
        code, said = run(SOLUTIONS)
        self.assertEqual(code, 0, said)
        self.assertEqual({line.split(":")[0] for line in said.splitlines()}, set(self.names))

    def test_every_gap_compiles_and_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            sources = []
            for name in self.names:
                code, text = exercise(name, "--gap")
                self.assertEqual(code, 0, text)
                self.assertIn("// YOUR TURN: ", text)
                self.assertNotIn("Hint", text)
                sources.append(text)
            source = pathlib.Path(folder) / "gaps.cpp"
            source.write_text("\n".join(sources))
            program = pathlib.Path(folder) / "gaps"
            at = COMPILE.index("@")
            code, said = run(*COMPILE[:at], "-w", source, "-o", program, *COMPILE[at + 1:])
            self.assertEqual(code, 0, said)
            code, said = run(program)
        self.assertEqual(code, 1)
        for name in self.names:
            self.assertRegex(said, r"(?m)^%s: not yet: .+\.$" % name)
        self.assertRegex(said, r"(?m)^decoder_mask: .*element \[0, 1\] is 0 and should be 1\.$")

    def test_hints_and_solutions_are_shown_when_asked(self):
        self.assertRegex(exercise("mul_backward", "--hint")[1], r"^dY has Y's shape\.")
        self.assertEqual(exercise("mul_backward", "--solution")[1],
                         "    a.add_grad(dY * B);\n    b.add_grad(dY * A);\n")

    def test_mistakes_are_one_sentence(self):
        for options in (["nothing"], ["dropout", "--nothing"], ["dropout", "--hint", "x"]):
            code, said = exercise(*options)
            self.assertEqual((code, said.count("\n")), (2, 1), said)


if __name__ == "__main__":
    unittest.main()
