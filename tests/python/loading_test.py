"""torch.save and torch.load: PyTorch's files, and those that somebody has made to do harm."""

import subprocess
import tempfile
import unittest

from session import PYTHON, on_stepgrad, on_torch, require, said

require("numpy")

# Pickles by hand, of their operations.
CRAFTED = r"""
import collections, io, pickle, pickletools, struct, zipfile

def refused(pickled):
    "The sentence, or what was built of it."
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        archive.writestr("a/data.pkl", pickled)
        archive.writestr("a/data/0", bytes(4))
    memory.seek(0)
    try: return f"BUILT {torch.load(memory)!r:.200}"
    except (RuntimeError, pickle.UnpicklingError) as error: return str(error)

def name(text): return b"c" + text.replace(" ", "\n").encode() + b"\n"
def text(s): return b"X" + struct.pack("<I", len(s)) + s.encode()
def number(n): return b"J" + struct.pack("<i", n)
def storage(n): return b"(" + text("storage") + name("torch FloatStorage") + text("0") + text("cpu") + number(n) + b"tQ"
def tensor(offset, size, stride):
    return (name("torch._utils _rebuild_tensor_v2") + b"(" + storage(1) + number(offset) + number(size) + b"\x85" +
            number(stride) + b"\x85\x89}tR")
"""


class Loading(unittest.TestCase):
    maxDiff = None

    def test_each_engine_reads_the_other_s_files(self):
        require("torch")
        with tempfile.TemporaryDirectory() as theirs, tempfile.TemporaryDirectory() as mine:
            lines = on_torch("file_programs.py", theirs, "write")
            self.assertEqual(lines, on_stepgrad("file_programs.py", mine, "write"))
            self.assertEqual(lines, on_torch("file_programs.py", mine, "read"))
            self.assertEqual(lines, on_stepgrad("file_programs.py", theirs, "read"))

    def test_a_training_resumes_from_a_checkpoint_that_torch_reads(self):
        require("torch")
        code = """
def training(seed, optimizer, *args, n=3):
    torch.manual_seed(seed)
    model = torch.nn.Sequential(torch.nn.Linear(2, n), torch.nn.Dropout(0.5), torch.nn.Linear(n, 8))
    return model, optimizer(model.parameters(), *args)
def run(model, optimizer, steps=2):
    for _ in range(steps):
        optimizer.zero_grad()
        (model(torch.ones(1, 2)) ** 2).sum().backward()
        optimizer.step()
    return model[2].weight.tolist()
path = %r
for settings in ((torch.optim.SGD, 0.1, 0.9), (torch.optim.AdamW, 0.1)):
    one, two = training(1, *settings), training(2, *settings)
    torch.manual_seed(1), run(*one)
    stepgrad.save_checkpoint(path, *one, 2**53 + 1)
    gone_on = run(*one)
    assert stepgrad.load_checkpoint(path, *two) == 2**53 + 1
    assert run(*two) == gone_on != run(*training(1, *settings))
other = training(3, torch.optim.AdamW, 0.1, n=4)
def state(): return str(other[0].state_dict()), str(other[1].state_dict()), torch.get_rng_state().tolist()
run(*other)
before = state()
torch.save(other[0].state_dict(), path + ".weights")
for wrong in path, path + ".weights":
    try: stepgrad.load_checkpoint(wrong, *other)
    except RuntimeError as error: print(str(error).split(" ")[0])
assert before == state()"""
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/training.pt"
            self.assertEqual(said(code % path), "Error(s)\nload_checkpoint:\n")
            theirs = "import torch; c = torch.load(%r); print(sorted(c), c['step'], len(c['optimizer']['state']))"
            self.assertEqual(subprocess.check_output([PYTHON, "-c", theirs % path], text=True),
                "['model', 'optimizer', 'random', 'step'] 9007199254740993 4\n")

    def test_load_builds_objects_on_request_and_otherwise_names_them(self):
        code = r"""
import argparse, io
class Net(torch.nn.Linear): pass
for made, named in ((argparse.Namespace(), "argparse.Namespace"), (Net(2, 1), "__main__.Net"),
                    (torch.nn.Linear(1, 1), "stepgrad.torch.nn.layers.Linear")):
    file = io.BytesIO()
    torch.save({"config": made}, file)
    for options in {}, {"weights_only": True}, {"weights_only": False}:
        file.seek(0)
        try: print(type(torch.load(file, **options)["config"]) is type(made), end=" ")
        except Exception as error:
            assert f"names {named}," in str(error) and "weights_only=False" in str(error), error
            print(type(error).__name__, end=" ")
file = io.BytesIO()
try: torch.save([torch.ones(1), open("/dev/null")], file)
except Exception: assert not file.getvalue()"""
        self.assertEqual(said(code), "UnpicklingError UnpicklingError True " * 3)

    def test_protocols_2_to_5_are_read_and_other_operations_and_names_are_refused(self):
        code = CRAFTED + r"""
OURS = {torch.unpickling.Unpickler.dispatch.names[code] for code in torch.unpickling.Unpickler.dispatch}
for op in pickletools.opcodes:
    if op.name not in OURS:
        assert f"operation {op.name}," in refused(b"}" + op.code.encode("latin1") + b"0\n0\n" * 9 + b"."), op.name
plain = {"a": [1, 2.5, None, True], "b": (b"x" * 300, "y" * 300, {3, "z"}, 2**70), (): collections.OrderedDict(n=())}
many = (torch.arange(70_000) % 97).half()         # more than are converted at once
for protocol in 2, 3, 4, 5:
    memory = io.BytesIO()
    torch.save({**plain, "w": torch.ones(2), "many": many, "bytes": bytearray(b"xy")}, memory, pickle_protocol=protocol)
    assert next(pickletools.genops(zipfile.ZipFile(memory).read("archive/data.pkl")))[1] == protocol
    memory.seek(0)
    loaded = torch.load(memory)
    assert torch.equal(loaded.pop("many"), many)
    assert (loaded.pop("w").tolist(), loaded.pop("bytes"), loaded) == ([1, 1], b"xy", plain)
for each in '''os system|builtins eval|builtins getattr|torch ones|torch load|torch.nn Linear|collections defaultdict
_stepgrad _zeros|copyreg _reconstructor|stepgrad.torch.serialization load|torch._utils numbers|pickle loads'''.replace("\n", "|").split("|"):
    assert "which is not built by default" in refused(name(each) + b")R."), each
values = [name("torch Size"), name("torch float32"), b"]", b"}", text("a"), tensor(0, 1, 1), storage(1), b"\x8f",
          name("collections Counter") + b")R"]
for value in values:                              # nothing of these is changed, called or added to
    assert "changes" in refused(value + b"}" + text("shape") + b"Nsb."), value
    if value != b"]":
        assert "appends" in refused(value + b"K\x01a."), value
    if value not in (b"}", values[-1]):
        assert "sets an item" in refused(value + text("a") + b"Ns."), value
    if value != values[0]:
        assert "calls" in refused(value + b")R."), value
od = name("collections OrderedDict") + b")R}"
assert refused(od + text("_metadata") + b"]sb.").startswith("BUILT")
assert "changes an OrderedDict" in refused(od + text("items") + b"]sb.")
assert "written as rot13" in refused(name("_codecs encode") + text("a") + text("rot13") + b"\x86R.")
for wrong in (0, 1, -1), (0, -1, 1), (-1, 1, 1), (1, 1, 1), (0, 2, 1):
    assert "more than its storage has" in refused(tensor(*wrong) + b"."), wrong
assert "is not a FloatStorage of 2147483647 elements" in refused(storage(2**31 - 1) + b".")
for kind in "bytes", "bytearray":                 # a short file takes little memory
    assert f"{kind} of no text" in refused(name(f"builtins {kind}") + number(2**31 - 1) + b"\x85R.")
for wrong in b"K\x01", text("storage"), b"(" + text("storage") + b"t":
    assert "no storage" in refused(wrong + b"Q.")"""
        said(code)

    def test_containers_too_deep_to_hash_are_refused_and_the_deepest_that_python_writes_are_not(self):
        code = CRAFTED + r"""
for inside in b")" + b"\x85" * 10**6, b"N(N" * 2000 + b"t" * 2000, b"]" * 2000 + b"a" * 1999:
    for whole in inside, b"}" + inside + b"Ns":   # as a dict's key, of which Python takes the hash
        assert refused(whole + b".") == "load: containers lie in each other more than 1000 deep"
pairs = name("collections OrderedDict") + b"(](](" + text("a")
assert "1000 deep" in refused(pairs * 500 + b"N" + b"eetR" * 500 + b".")
for around in lambda x: (x,), lambda x: (x, 1, 2, 3), lambda x: [x], lambda x: {"a": x}:
    nested = ()
    try:
        while True:
            torch.save(nested, deepest := io.BytesIO())
            for _ in range(20): nested, memory = around(nested), deepest
    except RecursionError: pass
    memory.seek(0)
    torch.load(memory)"""
        said(code)

    def test_a_key_that_shares_tuples_is_hashed_only_if_that_ends(self):
        code = CRAFTED + r"""
def doubled(n): return b")" + b"".join(b"q%ch%c\x86" % (i, i) for i in range(n))
for before, after in (b"}", b"Ns"), (b"\x8f(", b"\x90"), (name("builtins set") + b"](", b"e\x85R"), (
        name("collections OrderedDict") + b"](](", b"Nee\x85R"):
    assert refused(before + doubled(9) + after + b".").startswith("BUILT")
    assert "keys of more than 10000000 tuples" in refused(before + doubled(40) + after + b".")
assert refused(b"](" + doubled(9) + b"e.").startswith("BUILT")
assert "keys of more than 10000000 tuples" in refused(b"}" + doubled(20) + b"q\xffNs" + b"h\xffNs" * 1000 + b".")"""
        said(code, timeout=60)

    def test_no_object_whose_text_or_sizes_are_without_an_end_is_told_or_multiplied(self):
        code = CRAFTED + r"""
lists = b"]q%c" * 40 % (*range(40),) + b"".join(b"h%c(h%ch%ce" % (i, i - 1, i - 1) for i in range(39, 0, -1))
def id(key, n): return b"(" + text("storage") + name("torch FloatStorage") + key + text("cpu") + n + b"tQ"
for key, n in (b"h\x27", number(1)), (text("0"), b"h\x27"):
    assert "no name or no length" in refused(lists + id(key, n) + b".")
assert "in no encoding" in refused(lists + name("_codecs encode") + text("a") + b"h\x27\x86R.")
assert "device of no text" in refused(lists + name("torch device") + b"h\x27\x85R.")
number_of_255_bytes = b"\x8a\xff" + bytes(254) + b"\x01q\x00"
assert "more than its storage has" in refused(
    number_of_255_bytes + name("torch._utils _rebuild_tensor_v2") + b"(" + storage(1) + number(0) + b"(" + b"h\x00" * 10**6 +
    b"tq\x01h\x01\x89}tR.")"""
        said(code, timeout=60)

    def test_a_zip_is_unpacked_only_to_what_its_tensors_and_a_hundred_times_its_length_take(self):
        code = CRAFTED + r"""
import tracemalloc
def packed(members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(memory := io.BytesIO(), "w", method) as archive:
        for member in members.items(): archive.writestr(*member)
    return memory.getvalue()
torch.save({"w": torch.arange(5000), "zeros": torch.zeros(10**6)}, memory := io.BytesIO())
whole = zipfile.ZipFile(memory)
members = {member: whole.read(member) for member in whole.namelist()}
print(torch.load(io.BytesIO(packed(members)))["w"].sum().item())
one = packed({"a/data.pkl": storage(1) + b".", "a/data/0": bytes(2**27)})
files = (one, packed({"a/data.pkl": b"N" * 2**27}), one.replace(struct.pack("<I", 2**27), struct.pack("<I", 4)),
         packed(members, zipfile.ZIP_BZIP2))
tracemalloc.start()
for file in files:
    try: torch.load(io.BytesIO(file))
    except (RuntimeError, pickle.UnpicklingError) as error: print(error)
print(tracemalloc.get_traced_memory()[1] < 2**26)"""
        self.assertRegex(said(code), r"""12497500
load: storage '0' is not a FloatStorage of 1 elements
load: the file unpacks to more than \d{8} bytes
load: .*CRC.*
load: archive/data.pkl is not stored or deflated
True
""")

    def test_no_file_of_tensors_and_a_pipe(self):
        code = r"""
import io, os, pickle, tempfile
for data in b"", b"hello", b"PK\3\4", b"\x80\x02N.":
    try: print(torch.load(io.BytesIO(data)))
    except (RuntimeError, pickle.UnpicklingError): pass
with tempfile.TemporaryDirectory() as folder:
    os.mkfifo(folder + "/pipe")
    try: torch.load(folder + "/pipe")
    except RuntimeError as error: print("pipe" in str(error))"""
        self.assertEqual(said(code, timeout=60), "True\n")


unittest.main()
