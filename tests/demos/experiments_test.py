"""The demo experiments: its tables, files and findings, for any number of threads, and what it
refuses."""

import math
import os
import re
import shutil
import unittest
from statistics import mean, stdev

from demo import TREE, Refusals, new_folder, rows, run

SEEDS = 2
VARIANTS = {
    "ratios": ["ReLU 1x", "ReLU 2x", "ReLU 4x", "ReLU 8x"],
    "ablation": ["no FFN", "ReLU 1x", "ReLU 2x", "ReLU 4x", "ReLU 8x"],
    "activations": ["ReLU 4x", "GELU 4x", "GELU tanh 4x", "SiLU 4x", "GEGLU 8/3x", "SwiGLU 8/3x"],
    "sequence": ["no FFN", "ReLU 4x", "sequence-wise 4x"],
    "experts": ["ReLU 4x", "MoE, all 4", "MoE, best 2 of 4", "MoE, best 1 of 4"],
}


def folder_with_text(add_cleanup):
    folder = new_folder(add_cleanup)
    # Real text, but little of it: much is held out and measured.
    text = (TREE / "demos/transformer/korean.txt").read_text() + (TREE / "README.md").read_text()
    (folder / "text").write_text(text)
    return folder


def run_demo(folder, *options, threads=1, **environment):
    return run(*options, folder=folder, OMP_NUM_THREADS=str(threads), **environment)


class Demo(Refusals):
    def rows(self, name, folder="stepgrad-output"):
        return rows(self.folder / folder / name)


class AllOfThem(Demo):
    @classmethod
    def setUpClass(cls):
        cls.folder = folder_with_text(cls.addClassCleanup)
        cls.done = run_demo(cls.folder, "--quick", "--text", "text")

    def test_it_runs(self):
        self.assertEqual((self.done.returncode, self.done.stderr), (0, ""))

    def test_each_seed_of_each_variant_is_a_row(self):
        for study, variants in VARIANTS.items():
            rows = self.rows(study + ".csv")
            self.assertEqual(list(rows[0]), ["variant", "seed", "parameters", "loss", "perplexity",
                                             "accuracy", "training loss"])
            self.assertEqual([(row["variant"], int(row["seed"])) for row in rows],
                             [(variant, seed) for variant in variants for seed in range(SEEDS)])
            for row in rows:
                self.assertAlmostEqual(float(row["perplexity"]), math.exp(float(row["loss"])), delta=1e-4)

    def test_the_tables_show_means_and_spreads_of_the_rows(self):
        for study, variants in VARIANTS.items():
            section = self.done.stdout.split(f"\n{study} ")[1].split("\n\n")[0]
            for variant in variants:
                rows = [row for row in self.rows(study + ".csv") if row["variant"] == variant]
                line = next(line for line in section.splitlines() if line[4:20].rstrip() == variant)
                shown = [float(number) for number in re.findall(r"[\d.]+", line[20:])]
                self.assertEqual(shown[0], float(rows[0]["parameters"]))
                for name, column, times, unit in (("loss", 1, 1, 1e-3), ("perplexity", 3, 1, 0.1),
                                                  ("accuracy", 5, 100, 0.1)):
                    numbers = [times * float(row[name]) for row in rows]
                    self.assertAlmostEqual(shown[column], mean(numbers), delta=0.51 * unit)
                    self.assertAlmostEqual(shown[column + 1], stdev(numbers), delta=0.51 * unit)
                training = mean(float(row["training loss"]) for row in rows)
                self.assertAlmostEqual(shown[7], training, delta=0.0051)
                last_tenth = [float(row[variant]) for row in self.rows(study + "_curves.csv")[-2:]]
                self.assertAlmostEqual(training, mean(last_tenth), places=6)

    def test_every_expectation_gets_its_finding(self):
        self.assertGreaterEqual(self.done.stdout.count("Expected: "), 10)
        self.assertEqual(self.done.stdout.count("Expected: "), self.done.stdout.count("Found: "))

    def test_models_that_have_hardly_learned_get_no_verdict(self):
        self.assertEqual(self.done.stdout.count("Found: "),
                         self.done.stdout.count("Found: no verdict: 20 steps of 2 seeds"))
        self.assertNotIn("Smallest mean loss", self.done.stdout)

    def test_it_fits_80_columns_and_explains_the_ablation(self):
        for line in self.done.stdout.splitlines():
            self.assertTrue(len(line) <= 80 or "drawn: " in line, line)
        self.assertIn("its norm2 goes, too", self.done.stdout)

    def test_curves_have_a_column_for_each_variant(self):
        for study, variants in VARIANTS.items():
            rows = self.rows(study + "_curves.csv")
            self.assertEqual(list(rows[0]), ["step", *variants])
            self.assertEqual([int(row["step"]) for row in rows], list(range(1, 21)))

    def test_the_experts_share_all_of_the_work(self):
        rows = self.rows("experts_usage.csv")
        self.assertEqual(len(rows), 3 * SEEDS)  # one layer
        for variant in VARIANTS["experts"][1:]:
            shares = [[float(row[f"expert {e}"]) for e in (1, 2, 3, 4)]
                      for row in rows if row["variant"] == variant]
            for each in shares:
                self.assertAlmostEqual(sum(each), 1, places=5)
            even = [math.exp(-sum(share * math.log(share) for share in each)) for each in shares]
            self.assertIn(
                f"{variant}, layer 1: each expert gets {100 * min(map(min, shares)):.1f} to "
                f"{100 * max(map(max, shares)):.1f} % of the work, as much as {mean(even):.2f} ± "
                f"{stdev(even):.2f} even ones", " ".join(self.done.stdout.split()))

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
    def test_gnuplot_draws_pictures(self):
        for name in [*VARIANTS, *(study + "_curves" for study in VARIANTS), "experts_usage"]:
            picture = (self.folder / "stepgrad-output" / (name + ".png")).read_bytes()
            self.assertTrue(picture.startswith(b"\x89PNG") and len(picture) > 5000, name)
        self.assertNotIn("could not draw", self.done.stdout)


class Otherwise(Demo):
    def setUp(self):
        self.folder = folder_with_text(self.addCleanup)

    def run_demo(self, *options, **settings):
        return run_demo(self.folder, *options, **settings)

    def test_the_number_of_threads_makes_no_difference(self):
        for threads in (1, 2, 3):
            done = self.run_demo("--text", "text", "--only", "experts", "--seeds", "1", "--steps",
                                 "3", "--out", f"by{threads}", threads=threads)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            for name in ("experts.csv", "experts_usage.csv"):
                self.assertEqual(self.rows(name, f"by{threads}"), self.rows(name, "by1"))

    def test_one_can_be_run_alone_and_without_gnuplot(self):
        done = self.run_demo("--quick", "--text", "text", "--only", "sequence", PATH="/nowhere")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(sorted(os.listdir(self.folder / "stepgrad-output")),
                         ["sequence.csv", "sequence_curves.csv"])
        self.assertEqual(done.stdout.count("install gnuplot, Debian's gnuplot-nox"), 2)

    def test_the_models_have_the_sizes_that_are_asked_for(self):
        sizes = "--d-model 12 --layers 1 --heads 2 --context 8 --batch 2".split()
        done = self.run_demo("--text", "text", "--only", "activations", "--seeds", "1", "--steps",
                             "2", *sizes)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("Blocks: 1, d_model 12, 2 heads, context 8; 2 steps of 2", done.stdout)

    def test_bad_input_is_refused_in_a_sentence(self):
        (self.folder / "short").write_text("a" * 500)
        for options, because in (
            (["--text", "none"], "cannot read 'none': No such file or directory."),
            (["--text", "short"], "the text has 500 characters, of 650 that are needed at least."),
            (["--only", "everything"],
             "--only: everything not in {ratios,ablation,activations,sequence,experts}"),
            (["--steps", "0"], "--steps: Value 0 not in range 1 to 10000000"),
            (["--quick", "--steps", "9"], "--steps excludes --quick"),
            (["--overfit", "--layers", "9"], "--layers excludes --overfit"),
            (["--out", ""], "--out needs the name of a folder, and this one is empty."),
        ):
            self.assert_refused(*options, because=because, folder=self.folder)
            self.assertFalse((self.folder / "stepgrad-output").exists())


if __name__ == "__main__":
    unittest.main()
