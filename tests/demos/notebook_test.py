"""The main demo: its output in a pipe and on a terminal, and its refusals."""

import collections
import math
import os
import pathlib
import pty
import re
import shutil
import subprocess
import tempfile
import unittest

from demo import PROGRAM, TREE, Refusals, run, unshown

KOREAN = "".join("동해 물과 백두산이 마르고 닳도록\n"[i % 5:] for i in range(20))
SHORT = ["--steps", "2", "--context", "4"]


def written(folder, content):
    path = pathlib.Path(folder) / "text"
    path.write_text(content)
    return str(path)


def run_on_terminal(program, *options, **environment):
    try:
        ours, its = pty.openpty()
    except OSError as error:  # as in a chroot without /dev/pts
        raise unittest.SkipTest(f"no terminal to be had here: {error}")
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "", **environment}
    with subprocess.Popen([program, *options], stdout=its, env=environment) as process:
        os.close(its)
        output = b""
        try:
            while part := os.read(ours, 4096):
                output += part
        except OSError:  # how Linux says that the other side is closed
            pass
    os.close(ours)
    assert process.returncode == 0
    return output.decode()


def counted(text):
    """The held-out losses that the table's first rows say, and the least one that a table of pairs can have."""
    held_out = len(text) - len(text) // 10
    pairs = collections.Counter(zip(text[:held_out], text[1:held_out]))
    last, after, own = collections.Counter(text[:held_out - 1]), collections.Counter(text[1:held_out]), text[held_out - 1:]

    def unigram(b):
        return (after[b] + 1) / (held_out - 1 + len({*text}))

    def bigram(a, b):  # Witten and Bell
        kinds = sum(pair[0] == a for pair in pairs)
        return (pairs[a, b] + kinds * unigram(b)) / (last[a] + kinds)

    def loss(p):
        return sum(-math.log(p(a, b)) for a, b in zip(own, own[1:])) / (len(own) - 1)
    of_own = collections.Counter(zip(own, own[1:]))
    return [math.log(len({*text})), loss(lambda a, b: unigram(b)), loss(bigram),
        loss(lambda a, b: of_own[a, b] / own[:-1].count(a))]


class BadInput(Refusals):
    def test_texts(self):  # what else is refused: text_test.cpp
        self.assert_refused("--text", "no/such/file", because="no/such/file: cannot be read")

    def test_options(self):
        for options, words in (
            (["--txt", "x"], "The following arguments were not expected: x --txt"),
            (["--text"], "--text: 1 required TEXT missing"),
            (["--steps", "0"], "--steps: Value 0 not in range 1 to 10000000"),
            (["--seed", "-1"], "--seed: Value -1 not in range 0 to 2147483647"),
            (["--context", "3"], "--context: 3 not in {1,2,4,8,16,32,64}"),
        ):
            self.assert_refused(*options, because=words)


class GoodInput(unittest.TestCase):
    """On a short Korean text."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.program = shutil.copy(PROGRAM, self.folder.name)
        self.options = ["--text", written(self.folder.name, KOREAN), *SHORT]

    def tearDown(self):
        self.folder.cleanup()

    def test_a_pipe_gets_plain_text(self):
        done = run(*self.options, program=self.program)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotIn("\033", done.stdout)
        self.assertNotIn("\r", done.stdout)
        for line in (
            "tensor([0, 2, 5, 2, 3, 0])",
            "p must be in [0,1)",
            "d_model and d_ff must be positive.",
            "dropout_p must be in [0,1)",
            "Last dim must be d_model.",
        ):
            self.assertIn(f"\n    {line}", done.stdout)
        self.assertIn("340 characters, 16 different ones", done.stdout)
        self.assertIn("tests/run does so for every op", " ".join(done.stdout.split()))
        self.assertEqual(unshown(TREE / "demos/notebook", done.stdout), [])
        sample = done.stdout.split("\nSample")[1].split("\nNext")[0].split("\n", 1)[1]
        self.assertLessEqual(set(sample), set(KOREAN))
        rows = re.findall(r"(?m)^    (\S.*?) +(\d\.\d{3}) +(\d+\.\d\d)$", done.stdout)
        self.assertEqual([name.split(":")[0] for name, _, _ in rows], ["all characters equally likely", "unigram", "bigram",
            "the network, k = 1", "bigram", "the network, k = 1", "the network, k = 4"])
        self.assertEqual([row[1:] for row in rows[2:4]], [row[1:] for row in rows[4:6]])
        least = re.search(r"with a loss of (\S+) \(perplexity (\S+)\)", " ".join(done.stdout.split())).groups()
        for loss, (shown, perplexity) in zip(counted(KOREAN), [*(row[1:] for row in rows[:3]), least], strict=True):
            self.assertAlmostEqual(float(shown), loss, delta=6e-4)
        for shown, perplexity in [*(row[1:] for row in rows), least]:
            self.assertAlmostEqual(math.log(float(perplexity)), float(shown), delta=6e-3 / float(perplexity) + 6e-4)
        norms = [(name, float(norm)) for name, norm in re.findall(r"(?m)^    (\w\d)  gradient .* norm (\S+)$", done.stdout)]
        self.assertEqual([name for name, _ in norms], ["w1", "w2", "b1", "b2"] * 2)
        self.assertEqual([norm for _, norm in norms[4:]], [0] * 4)  # behind zero_grad()
        self.assertGreater(min(norms[:4], key=lambda each: each[1])[1], 0)
        self.assertAlmostEqual(norms[3][1], 512 ** -0.5, delta=6e-6)  # 512 times 1 / 512

    def test_a_terminal_gets_colour_and_a_bar(self):
        output = run_on_terminal(self.program, *self.options)
        self.assertIn("\033[1m", output)
        self.assertRegex(output, r"\r.*━.*50 %.*loss.*s left")

    def test_no_color_and_a_dumb_terminal_are_respected(self):
        output = run_on_terminal(self.program, *self.options, NO_COLOR="1")
        self.assertNotRegex(output, "\033\\[[0-9;]*m")
        self.assertIn("s left", output)
        self.assertNotRegex(run_on_terminal(self.program, *self.options, TERM="dumb"), "\033|s left")

    def test_what_is_said_of_the_page_is_in_the_language_asked_for(self):
        page = str(pathlib.Path(self.folder.name) / "ffn.html")
        said = run(*self.options, "--lang", "ko", "--html", page, program=self.program).stdout
        self.assertIn("한 단계씩 볼 페이지: " + page, said)

    def test_the_same_seed_writes_the_same(self):
        def sample(seed):
            return run(*self.options, "--seed", seed, program=self.program).stdout.split("\nSample")[1]
        self.assertEqual(sample("5"), sample("5"))
        self.assertNotEqual(sample("5"), sample("6"))


unittest.main()
