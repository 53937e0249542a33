"""Files of safetensors, made by a writer that knows the format only from its description: what is
read is what it wrote, what is written it reads back, and what is no such file is refused."""

import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import unittest

TREE, PROGRAM = pathlib.Path(sys.argv.pop()), sys.argv.pop()
try:
    import numpy as np
except ImportError:
    print("skipped: Python has no NumPy")
    sys.exit(77)

KINDS = "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1".split()
SAFE = {"f8": "F64", "f4": "F32", "f2": "F16", "i8": "I64", "i4": "I32", "i2": "I16", "i1": "I8",
    "u8": "U64", "u4": "U32", "u2": "U16", "u1": "U8", "b1": "BOOL"}
CHARACTERS = "aZ .\"\\/\x7f\x80\u07ff\u0800\uffff\U00010000\U0010ffff\n\té한😀"


def numbers(r, kind, shape):
    """Numbers of a kind that a float holds."""
    n = int(np.prod(shape))
    if kind == "b1":
        values = [r.random() < 0.5 for _ in range(n)]
    elif kind[0] == "f":
        values = [r.choice((r.gauss(0, 1), 0.0, -0.0, 1e-7, -65504.0, 6e-8, float("inf"), -float("inf"),
            float("nan"))) for _ in range(n)]
    else:
        bits = 8 * int(kind[1])
        most = min(2**24, 2**(bits - (kind[0] == "i")) - 1)
        values = [r.choice((r.randint(-most if kind[0] == "i" else 0, most), 0, most)) for _ in range(n)]
    return np.array(values, dtype=kind).reshape(shape)


def some_shape(r):
    return [r.choice((0, 1, 1, 2, 3, 5)) for _ in range(r.randint(0, 6))]


def some_name(r):
    return "".join(r.choice(CHARACTERS) for _ in range(r.randint(0, 5)))


def safetensors(r, tensors):
    """The bytes of a file: `tensors` are (name, dtype, shape, bytes), whose data stand in that order."""
    entries, at = {}, 0
    for name, dtype, shape, data in tensors:
        parts = [("dtype", dtype), ("shape", shape), ("data_offsets", [at, at + len(data)])]
        r.shuffle(parts)
        entries[name] = dict(parts)
        at += len(data)
    header = list(entries.items())
    if r.random() < 0.5:
        header.append(("__metadata__", {"format": "np", some_name(r): some_name(r)}))
    r.shuffle(header)
    text = json.dumps(dict(header), ensure_ascii=r.random() < 0.5,
        separators=r.choice(((",", ":"), (", ", ": ")))).encode()
    text += b" " * r.choice((0, -len(text) % 8))
    return struct.pack("<Q", len(text)) + text + b"".join(data for *_, data in tensors)


def of_safetensors(bytes):
    """A file's content by its specification."""
    length, = struct.unpack("<Q", bytes[:8])
    header, data, at = json.loads(bytes[8:8 + length].decode()), bytes[8 + length:], 0
    assert length % 8 == 0 and bytes[8:9] == b"{", "the data do not begin on a multiple of 8"
    assert header.pop("__metadata__") == {"format": "pt"}, "transformers takes no other"
    found = []
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = entry["data_offsets"]
        assert begin == at and entry["dtype"] == "F32", entry
        found.append((name, np.frombuffer(data[begin:end], "<f4").reshape(entry["shape"])))
        at = end
    assert at == len(data), "data that belong to no tensor"
    return found


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.file, cls.copy = (pathlib.Path(cls.folder.name, name) for name in ("file", "copy"))
        cls.program = subprocess.Popen([PROGRAM], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    @classmethod
    def tearDownClass(cls):
        cls.program.communicate()
        cls.folder.cleanup()

    def ask(self, content):
        self.file.write_bytes(content)
        self.program.stdin.write("%s %s\n" % (self.file, self.copy))
        self.program.stdin.flush()
        return self.program.stdout.readline().rstrip("\n")

    def read(self, content):
        """The names and arrays that are found in these bytes."""
        answer = self.ask(content)
        self.assertFalse(answer.startswith("refused"), answer)
        words, found = answer.split(" ")[:-1], []
        for name, shape, data in zip(words[::3], words[1::3], words[2::3]):
            shape = [int(size) for size in shape.split(",")[:-1]]
            found.append((bytes.fromhex(name[1:]).decode(),
                np.frombuffer(bytes.fromhex(data[1:]), "<f4").reshape(shape)))
        return found

    def same(self, found, expected):
        self.assertEqual(found.shape, expected.shape)
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(np.signbit(found[found == 0]), np.signbit(expected[expected == 0]))

    def refuses(self, content, why):
        answer = self.ask(content)
        self.assertRegex(answer, "^refused: .*%s" % why, content[:200])

    def test_safetensors_of_any_kind_and_order_are_read_and_written(self):
        for seed in range(400):
            r = random.Random(seed)
            tensors, expected = [], {}
            for _ in range(r.randint(0, 6)):
                name, kind = some_name(r), r.choice(KINDS)
                if name in expected or name == "__metadata__":
                    continue
                x = numbers(r, kind, some_shape(r))
                dtype, data = SAFE[kind], x.astype("<" + kind).tobytes()
                with np.errstate(over="ignore"):
                    x = x.astype("<f4")
                expected[name] = x
                tensors.append((name, dtype, list(x.shape), data))
            with self.subTest(seed=seed):
                found = self.read(safetensors(r, tensors))
                self.assertEqual(sorted(name for name, _ in found), sorted(expected))
                for name, x in found:
                    self.same(x, expected[name])
                full = [name for name, *_, data in tensors if data]
                self.assertEqual([name for name, x in found if x.size], full, "in the order of their data")
                for (name, x), (of, y) in zip(sorted(of_safetensors(self.copy.read_bytes())), sorted(found), strict=True):
                    self.assertEqual(name, of)
                    self.same(x, y)

    def test_every_half_and_every_bfloat16_has_its_value(self):
        bits = np.arange(2**16, dtype="<u2")
        halves, upper = bits.view("<f2").astype("<f4"), (bits.astype("<u4") << 16).view("<f4")
        tensors = [("half", "F16", [2**16], bits.tobytes()), ("upper", "BF16", [2**16], bits.tobytes())]
        for (_, found), expected in zip(self.read(safetensors(random.Random(1), tensors)), (halves, upper), strict=True):
            self.same(found, expected)

    def test_names_are_the_utf8_that_python_takes(self):
        r, taken = random.Random(1), 0
        for _ in range(400):
            first = r.choice(b"~\x7f\x80\xbf\xc1\xc2\xdf\xe0\xe1\xed\xee\xef\xf0\xf1\xf4\xf5\xff")
            rest = (first >= 0xC0) + (first >= 0xE0) + (first >= 0xF0) - (r.random() < 0.1)
            name = bytes([first, *(r.choice(b"\x80\x8f\x90\x9f\xa0\xbf\xbf\xc0~") for _ in range(rest))]) + r.choice((b"", b"a"))
            text = b'{"' + name + b'":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}'
            content = struct.pack("<Q", len(text)) + text
            try:
                expected = name.decode()
            except UnicodeDecodeError:
                self.refuses(content, "not UTF-8")
            else:
                taken += 1
                self.assertEqual([found for found, _ in self.read(content)], [expected])
        self.assertGreater(taken, 100)


unittest.main()
