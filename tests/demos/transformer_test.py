"""The demo transformer: its document's shapes, exact zeros, picture, and refusals."""

import math
import os
import re
import unittest

from demo import TREE, Refusals, Shown, new_folder, run


class Walk(Shown, unittest.TestCase):
    def test_every_step_has_its_shape(self):
        shown = re.findall(r"  > (\S+?)\.shape\(\)\n    (.*)\n", self.done.stdout)
        self.assertEqual(shown, [
            ("inputs", "[2, 8]"),
            ("input_embs", "[2, 8, 128]"),
            ("pos_encoding", "[64, 128]"),
            ("pos_embs", "[2, 8, 128]"),
            ("attn_mask", "[2, 8, 8]"),
            *[("scores", "[2, 8, 8]")] * 3,
            ("attn_prob", "[2, 8, 8]"),
            ("context", "[2, 8, 128]"),
            ("q_s", "[2, 8, 128]"),
            ("q_s", "[2, 8, 2, 64]"),
            ("q_s", "[2, 2, 8, 64]"),
            ("k_s", "[2, 2, 8, 64]"),
            ("v_s", "[2, 2, 8, 64]"),
            ("attn_mask", "[2, 8, 8]"),
            ("attn_mask", "[2, 2, 8, 8]"),
            ("context", "[2, 2, 8, 64]"),
            ("attn_prob", "[2, 2, 8, 8]"),
            ("context", "[2, 8, 128]"),
            ("output", "[2, 8, 128]"),
            ("output", "[2, 8, 128]"),
            ("attn_prob", "[2, 2, 8, 8]"),
            ("ff_1", "[2, 512, 8]"),
            ("ff_3", "[2, 8, 128]"),
        ])

    def test_each_class_equals_its_steps(self):
        self.assert_equal_to_their_steps(4)

    def test_padding_has_position_0_and_masked_probabilities_are_exactly_0(self):
        self.assertIn("tensor([[1, 2, 3, 4, 5, 6, 0, 0],\n            [1, 2, 3, 4, 5, 6, 7, 8]])",
            self.done.stdout)
        self.assertEqual([int(n) for n in re.findall(r"Checked: the (\d+) ", self.done.stdout)],
            [16, 32, 118])

    def test_the_picture_of_the_position_table_has_its_values_as_colours(self):
        picture = (self.folder / "stepgrad-output/position_table.svg").read_text()
        cells = re.findall(r"<path d='M(\d+) (\d+)v-1' stroke='rgb\((\d+),\d+,(\d+)\)'/>", picture)
        self.assertEqual(len(cells), 64 * 128)
        labels = {text: (x, y) for x, y, text in (
            (int(re.search(r" x='(-?\d+)", at + " x='0")[1]), int(re.search(r" y='(\d+)", at)[1]), text)
            for at, text in re.findall(r"<text(.*?)>(\w+)</text>", picture))}
        self.assertEqual([*labels], ["Depth", "Position", "0", "128", "64"])
        self.assertTrue(labels["0"][1] > 64 < labels["128"][1] and labels["64"][1] < 5, labels)  # the last row is on top
        self.assertTrue(-1 < labels["0"][0] < labels["Depth"][0] < labels["128"][0] and labels["64"][0] < 0, labels)
        for i, (x, y, red, blue) in enumerate(cells):
            position, depth = divmod(i, 128)
            self.assertEqual((int(x), int(y)), (depth, 64 - position))
            value = (255 - int(red)) / 250 if int(red) < int(blue) else -(255 - int(blue)) / 224
            wave = math.cos if depth % 2 else math.sin
            self.assertAlmostEqual(value, wave(position / 10000 ** (depth // 2 / 64)), delta=0.02)


class Otherwise(Refusals):
    def setUp(self):
        self.folder = new_folder(self.addCleanup)

    def run_demo(self, *options, **environment):
        return run(*options, folder=self.folder, **environment)

    def assert_refused(self, *options, because):
        super().assert_refused(*options, because=because, folder=self.folder)
        self.assertEqual(os.listdir(self.folder), self.there)

    def test_bad_files_are_refused_in_a_sentence(self):
        (self.folder / "blank").write_text(" \n\n")
        (self.folder / "broken.model").write_text("this is no model")
        self.there = os.listdir(self.folder)
        self.assert_refused("--text", "blank", because="Vocabulary: the text to learn from is empty")
        self.assert_refused("--model", "none.model", because="none.model: cannot be read")
        self.assert_refused("--model", "broken.model",
            because="broken.model: is no SentencePiece model, or not all of one")
        self.assert_refused("--lang", "xx", because="--lang: xx not in {en,ko}")

    def test_captions_are_korean_by_LANG_or_by_an_option(self):
        for options, environment in ((["--lang", "ko"], "C.UTF-8"), ([], "ko_KR.UTF-8")):
            done = self.run_demo(*options, LANG=environment, OMP_NUM_THREADS="1")
            self.assertIn("\n2.        입력 임베딩: 조각마다 벡터 하나\n", done.stdout)
        self.assertIn("Input embedding", self.run_demo("--lang", "en", LANG="ko_KR.UTF-8").stdout)

    def test_every_caption_of_the_documents_demos_is_translated(self):
        for demo in ("notebook", "feed_forward_variants", "transformer", "residual"):
            for path in (TREE / "demos" / demo).glob("*.cpp"):
                for arguments in re.findall(r"(?s)\b(?:cell|caption)\((.*?)\);", path.read_text()):
                    self.assertRegex(arguments, "(?s)[가-힣].*[一-龥]" if demo == "notebook" else "[가-힣一-龥]")

    def test_another_text_and_a_model_can_be_given(self):
        (self.folder / "text").write_text("나는 물을 마신다.\n바다는 넓고 깊다.\n겨울은 추워요.\n"
            "감기 조심하세요.\n" * 30)
        first = self.run_demo("--text", "text", "--out", "first")
        self.assertEqual(first.returncode, 0, first.stderr)
        again = self.run_demo("--model", "first/vocabulary.model", "--out", "again")
        self.assertEqual(again.returncode, 0, again.stderr)
        pieces = re.compile(r"\['.*'\]")
        self.assertEqual(pieces.findall(first.stdout), pieces.findall(again.stdout))

    def test_a_model_that_has_no_padding_at_0_is_refused(self):
        self.assertEqual(self.run_demo("--out", ".").returncode, 0)
        pad = b"<pad>\x15" + bytes(4) + b"\x18"  # a piece, its score, its type
        control, normal = b"\x03", b"\x01"
        model = (self.folder / "vocabulary.model").read_bytes()
        self.assertIn(pad + control, model)
        (self.folder / "other.model").write_bytes(model.replace(pad + control, pad + normal))
        self.there = os.listdir(self.folder)
        self.assert_refused("--model", "other.model", because="other.model: its id 0 is no padding, and the demo "
            "pads with zeros.")

    def test_without_padding_nothing_is_said_of_its_probabilities(self):
        characters = "겨울은\n추워요.\n감기\n조심하세요.\n"
        (self.folder / "text").write_text(characters + "조\n" * 40)  # "▁조" becomes one piece
        done = self.run_demo("--text", "text")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        first, second = (line.count("', '") for line in re.findall(r"^    \['.*'\]$", done.stdout, re.M))
        self.assertEqual(first, second)
        self.assertEqual(re.findall(r"Checked: the (\d+) ", done.stdout), ["144"])  # later ones


unittest.main()
