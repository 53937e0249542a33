"""The demo experiments: its tables and findings, for any number of threads, and what it refuses."""

import re
import unittest

from demo import TREE, Refusals, new_folder, run


class AllOfThem(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = new_folder(cls.addClassCleanup)
        # Real text, but little of it: much is held out and measured.
        text = (TREE / "demos/transformer/korean.txt").read_text() + (TREE / "README.md").read_text()
        (cls.folder / "text").write_text(text)
        options = "--quick", "--seeds", "2", "--text", "text"
        cls.done, cls.other = (run(*options, folder=cls.folder, OMP_NUM_THREADS=n) for n in "13")
        assert cls.done.returncode == 0 and not cls.done.stderr, cls.done.stderr

    def test_the_tables_have_all_variants_and_the_same_numbers_by_any_number_of_threads(self):
        one, other = (re.sub(r"(?m) +[\d.]+$", "", done.stdout) for done in (self.done, self.other))
        self.assertEqual(one, other)  # but for the time of a step
        names, parameters, numbers = zip(*re.findall(r"(?m)^    (\S.{15}) +(\d+) (.*)$", one))
        self.assertEqual(len(names), 22)
        self.assertNotIn("± 0.000 ", str(numbers))  # the seeds differ
        of = {name.rstrip(): int(number) for name, number in zip(names, parameters)}
        for gated in "GEGLU 8/3x", "SwiGLU 8/3x":
            self.assertAlmostEqual(of[gated] / of["ReLU 4x"], 1, delta=0.01)

    def test_it_fits_80_columns_and_explains_the_ablation(self):
        for line in self.done.stdout.splitlines():
            self.assertTrue(len(line) <= 80, line)
        self.assertIn("its norm2 goes, too", self.done.stdout)
        self.assertEqual(self.done.stdout.count("Expected: "), 12)


class Otherwise(Refusals):
    def test_bad_input_is_refused_in_a_sentence(self):
        folder = new_folder(self.addCleanup)
        (folder / "short").write_text("a" * 500)
        for options, because in (
            (["--text", "none"], "none: cannot be read"),
            (["--text", "short"], "the text has only 500 of the 650 characters that are needed"),
            (["--only", "everything"],
             "--only: everything not in {ratios,ablation,activations,sequence,experts}"),
            (["--steps", "0"], "--steps: Value 0 not in range 1 to 10000000"),
            (["--quick", "--steps", "9"], "--steps excludes --quick"),
        ):
            self.assert_refused(*options, because=because, folder=folder)


unittest.main()
