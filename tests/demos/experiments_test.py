"""The demo experiments: its tables and findings, for any number of threads, and what it refuses."""

import math
import re
import unittest

from demo import TREE, Refusals, new_folder, run

VARIANTS = {
    "ratios": ["ReLU 1x", "ReLU 2x", "ReLU 4x", "ReLU 8x"],
    "ablation": ["no FFN", "ReLU 1x", "ReLU 2x", "ReLU 4x", "ReLU 8x"],
    "activations": ["ReLU 4x", "GELU 4x", "GELU tanh 4x", "SiLU 4x", "GEGLU 8/3x", "SwiGLU 8/3x"],
    "sequence": ["no FFN", "ReLU 4x", "sequence-wise 4x"],
    "experts": ["ReLU 4x", "MoE, all 4", "MoE, best 2 of 4", "MoE, best 1 of 4"],
}


def tables(done):
    """The numbers of a study's variants: parameters, loss ± deviation, perplexity ±, accuracy ±, training loss, ms."""
    found = {}
    for study in VARIANTS:
        section = done.stdout.split(f"\n{study} ")[1].split("\n\n")[0]
        found[study] = {name.rstrip(): [float(number) for number in re.findall(r"[\d.]+", numbers)]
            for name, numbers in re.findall(r"(?m)^    (\S.{15}) +(\d+ .*)$", section)}
    return found


class AllOfThem(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = new_folder(cls.addClassCleanup)
        # Real text, but little of it: much is held out and measured.
        text = (TREE / "demos/transformer/korean.txt").read_text() + (TREE / "README.md").read_text()
        (cls.folder / "text").write_text(text)
        cls.done = run("--quick", "--seeds", "2", "--text", "text", folder=cls.folder, OMP_NUM_THREADS="1")
        assert cls.done.returncode == 0 and not cls.done.stderr, cls.done.stderr

    def test_the_tables_show_means_and_spreads_over_the_seeds(self):
        first = tables(run("--text", "text", "--quick", "--seeds", "1", folder=self.folder, OMP_NUM_THREADS="3"))
        for study, variants in tables(self.done).items():
            self.assertEqual(list(variants), VARIANTS[study])
            for variant, (parameters, *shown) in variants.items():
                alone = first[study][variant]  # of seed 0
                self.assertEqual(parameters, alone[0])
                for column, of_one, unit in ((0, 1, 1e-3), (2, 2, 0.1), (4, 3, 0.1)):
                    mean, deviation = shown[column:column + 2]  # of two: (a + b) / 2, |a - b| / √2
                    self.assertAlmostEqual(deviation, 2 ** 0.5 * abs(alone[of_one] - mean), delta=2.1 * unit)
                self.assertAlmostEqual(alone[2], math.exp(alone[1]), delta=0.05 + 0.001 * alone[2])

    def test_it_fits_80_columns_and_explains_the_ablation(self):
        for line in self.done.stdout.splitlines():
            self.assertTrue(len(line) <= 80, line)
        self.assertIn("its norm2 goes, too", self.done.stdout)
        self.assertEqual(self.done.stdout.count("Expected: "), 12)

    def test_the_experts_share_all_of_the_work(self):
        said = " ".join(self.done.stdout.split())
        for variant in VARIANTS["experts"][1:]:
            least, most = map(float, re.search(
                rf"{variant}, layer 1: each expert gets (\S+) to (\S+) % of the work", said).groups())
            self.assertTrue(0 <= least <= 25 <= most <= 100, (least, most))


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
