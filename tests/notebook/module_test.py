"""The module by itself: names, numbers beyond a float, arrays, hooks, threads, leaks, debugging."""

import os
import pathlib
import re
import subprocess
import unittest

from session import BUILD, PYTHON, TREE, environment, ours, output, require

require("numpy")


def run(code, **options):
    return ours("-c", code, **options)


class Names(unittest.TestCase):
    def test_import_torch_is_stepgrad_with_all_its_rooms(self):
        names = ("torch.nn torch.nn.functional torch.nn.utils.rnn torch.nn.init "
                 "torch.utils.checkpoint torch.cuda.amp torch.optim").split()
        code = "import stepgrad.torch\n" + "".join(f"import {n}; print({n}.__name__)\n" for n in names)
        self.assertEqual(output(run(code)).split(), ["stepgrad." + n for n in names])

    def test_what_is_missing_is_named(self):
        code = "import stepgrad.torch, torch\ntorch.nn.LSTM"
        self.assertIn("has no attribute 'LSTM'", run(code).stderr)
        code = "import stepgrad.torch, torch\ntorch.ones(2).svd()"
        self.assertIn("has no attribute 'svd'", run(code).stderr)
        self.assertIn("torch.fft", run("import stepgrad.torch\nimport torch.fft").stderr)

    def test_a_demo_that_a_refusal_names_is_there(self):
        listed = output(subprocess.run([TREE / "demos/run", "--list"], text=True, capture_output=True))
        demos = {line.split()[0] for line in listed.splitlines()}
        texts = [file.read_text() for file in (TREE / "demos/notebook/stepgrad").rglob("*.py")]
        named = {name for text in texts for name in re.findall(r"demos/run ([a-z_]+)", text)}
        self.assertIn("distributed", named)
        self.assertEqual(named - demos, set())

    def test_with_torch_loaded_already_it_refuses(self):
        code = "import sys, types\nsys.modules['torch'] = types.ModuleType('torch')\nimport stepgrad.torch"
        self.assertIn("ImportError: import stepgrad.torch: the real torch is loaded", run(code).stderr)

    def test_the_engine_has_its_own_names(self):
        code = """
import stepgrad
x = stepgrad.Tensor([1.0, 2.0]).requires_grad_()
x.name = "x"
stepgrad.manual_seed(1)
stepgrad.set_ledger(True)
y = (x * x).sum()
y.backward()
print(stepgrad.tape(y)); print("because", stepgrad.explain(x)); print(x.grad)
print(sorted(stepgrad.memory_stats()))"""
        text = output(run(code))
        for part in ("mul", "because mul #", "'x' [2]", "tensor([2., 4.])", "live_nodes"):
            self.assertIn(part, text)


class Numbers(unittest.TestCase):
    def test_float64_becomes_float32_with_one_warning(self):
        made = ("torch.from_numpy(np.zeros(2))", "torch.tensor(np.zeros(2))", "torch.as_tensor(np.zeros(2))",
                "torch.tensor(np.float64(1))", "torch.tensor([np.float64(1), 2])",
                "next(iter(DataLoader([(1.0, 2)])))[0]", "next(iter(DataLoader([np.zeros(2)])))")
        for first in made:
            code = f"""
import warnings, numpy as np, stepgrad.torch, torch
from torch.utils.data import DataLoader
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    torch.tensor([1.0]), torch.tensor(np.zeros(2), dtype=torch.float32), torch.ones(1) * np.float64(2)
    print(len(told))
    print({first}.dtype, len(told), told[-1].message)
    print([x.dtype for x in ({", ".join(made)})] == [torch.float32] * {len(made)}, len(told))"""
            text = output(run(code)).splitlines()
            self.assertEqual([text[0], text[2]], ["0", "True 1"], first)
            self.assertIn("torch.float32 1 float64 becomes float32", text[1])

    def test_a_whole_number_beyond_2_to_24_is_refused(self):
        process = run("import stepgrad.torch, torch\ntorch.tensor([2**24]) + 1")
        self.assertIn("RuntimeError: a whole number beyond 2^24", process.stderr)
        output(run("import stepgrad.torch, torch\nassert torch.tensor(2**24).item() == 2**24"))

    def test_arrays_share_their_numbers_both_ways(self):
        code = """
import gc, numpy as np, stepgrad.torch, torch
a = np.arange(6, dtype=np.float32).reshape(2, 3)
x = torch.from_numpy(a)
a[0, 0] = 7
assert x[0, 0].item() == 7
b = x.numpy()
x.mul_(2)
assert b[0, 0] == 14 and a[0, 0] == 14
del a, x; gc.collect()
assert b.sum() == 2 * (7 + 1 + 2 + 3 + 4 + 5)
y = torch.ones(3).numpy(); gc.collect()   # the tensor is gone
junk = [torch.zeros(3) for _ in range(100)]
assert y.tolist() == [1, 1, 1]
for z in (torch.arange(3), torch.ones(3).half(), torch.ones(3).bool()):  # copies, which cannot be written
    assert not z.numpy().flags.writeable and np.array(z).flags.writeable
assert torch.arange(3).numpy().dtype == np.int64
d = np.from_dlpack(torch.ones(2)); assert d.tolist() == [1, 1]
assert np.asarray(torch.tensor([True, False])).dtype == bool
try: torch.ones(2, requires_grad=True).numpy()
except RuntimeError as error: assert "detach" in str(error)
print("well")"""
        self.assertEqual(output(run(code)), "well\n")


    def test_random_numbers_have_the_bounds_and_the_moments_that_were_asked_for(self):
        code = """
import stepgrad.torch, torch
torch.manual_seed(1)
x = torch.empty(20000)
for low, high in (2.0, 5.0), (-3.0, -1.0), (0.0, 1.0):
    x.uniform_(low, high)
    assert low <= x.min() and x.max() < high, (low, high)
    assert abs(x.mean() - (low + high) / 2) < 0.03 and abs(x.std() - (high - low) / 12 ** 0.5) < 0.03
x.normal_(4.0, 0.5)
assert abs(x.mean() - 4) < 0.02 and abs(x.std() - 0.5) < 0.02
x = torch.normal(-2.0, 3.0, (20000,))
assert abs(x.mean() + 2) < 0.1 and abs(x.std() - 3) < 0.1
k = torch.randint(3, 7, (20000,))
assert k.dtype == torch.int64 and sorted(set(k.tolist())) == [3, 4, 5, 6]
assert abs(k.float().mean() - 4.5) < 0.05
assert sorted(torch.randperm(50).tolist()) == list(range(50))
assert abs(torch.bernoulli(torch.full((20000,), 0.25)).mean() - 0.25) < 0.02
print("well")"""
        self.assertEqual(output(run(code)), "well\n")


class Scaler(unittest.TestCase):
    """GradScaler, whose numbers are by hand: PyTorch's own needs a GPU."""

    def test_it_unscales_once_skips_what_overflowed_and_grows_after_two_good_steps(self):
        code = """
import stepgrad.torch, torch
from torch.cuda.amp import GradScaler
w, v = (torch.nn.Parameter(torch.tensor([x])) for x in (1.0, 2.0))
one, two = (torch.optim.SGD([p], lr=1.0) for p in (w, v))
scaler = GradScaler(8.0, 2.0, 0.5, 2)

def refused(f):
    try: f()
    except (RuntimeError, AssertionError) as error: return type(error).__name__
    return "taken"

scaler.scale((w * 3).sum()).backward()
assert w.grad.item() == 24
scaler.step(one)                                   # 24 / 8 = 3
assert (w.grad.item(), w.item()) == (3, -2)
assert refused(lambda: scaler.step(one)) == "RuntimeError"
assert refused(lambda: scaler.unscale_(one)) == "RuntimeError"
scaler.update()
assert scaler.get_scale() == 8
for p in (w, v): p.grad = torch.tensor([8.0])
scaler.unscale_(one)
assert refused(lambda: scaler.unscale_(one)) == "RuntimeError"
scaler.step(one); scaler.step(two)                 # 8 / 8 = 1, of each once
assert (w.item(), v.item()) == (-3, 1)
scaler.update()
assert scaler.get_scale() == 16                    # two good ones
w.grad, v.grad = torch.tensor([16.0]), torch.tensor([float('inf')])
scaler.step(one); scaler.step(two)
assert (w.item(), v.item()) == (-4, 1)
scaler.update()
assert scaler.get_scale() == 8                     # for both, though one was good
assert refused(scaler.update) == "AssertionError"
state = scaler.state_dict()
assert state == {"scale": 8.0, "growth_factor": 2.0, "backoff_factor": 0.5, "growth_interval": 2,
                 "_growth_tracker": 0}, state
w.grad = torch.tensor([8.0])
scaler.step(one); scaler.update()
other = GradScaler(1.0)
other.load_state_dict(scaler.state_dict())
w.grad = torch.tensor([8.0])
other.step(one); other.update()
assert (w.item(), other.get_scale(), scaler.get_scale()) == (-6, 16, 8)
w.grad = None
assert refused(lambda: other.step(one)) == "AssertionError"
off, loss = GradScaler(enabled=False), w.sum()
assert off.scale(loss) is loss and off.get_scale() == 1 and off.state_dict() == {}
print("well")"""
        self.assertEqual(output(run(code)), "well\n")


class Care(unittest.TestCase):
    def test_a_hook_runs_in_a_backward_pass_and_its_exception_arrives(self):
        code = """
import stepgrad.torch, torch
class Mine(Exception): pass
w = torch.ones(3, requires_grad=True)
handle = w.register_hook(lambda g: g * 2)
(w * 3).sum().backward()
assert w.grad.tolist() == [6, 6, 6]
handle.remove()
def hook(g):
    with torch.enable_grad():
        (torch.ones(1, requires_grad=True) * 2).backward()   # a pass within the pass
    raise Mine("as it was raised")
y = w * 2
y.register_hook(hook)
try: y.sum().backward()
except Mine as error: print(error)"""
        self.assertEqual(output(run(code, timeout=60)), "as it was raised\n")

    def test_what_does_not_fit_what_was_gathered_is_refused(self):
        code = """
import stepgrad.torch, torch

def refusal(f):
    try: f()
    except RuntimeError as error: print(error)

w = torch.nn.Parameter(torch.ones(2))
(w * 3).sum().backward()
optimizer = torch.optim.AdamW([w])
optimizer.step()
moment = optimizer.state[w]["exp_avg"].tolist()
y = w + 0
y.retain_grad()
y.sum().backward(retain_graph=True)
w.data, y.data = torch.ones(50_000), torch.ones(50_000)
refusal(lambda: (w * 2).sum().backward())          # its gradient so far has two elements
refusal(lambda: (y * 2).sum().backward())
refusal(optimizer.step)
assert w.grad.tolist() == [4, 4]
w.grad = torch.ones(50_000)
refusal(optimizer.step)                            # and so have its moments
assert optimizer.state[w]["exp_avg"].tolist() == moment and w.sum() == 50_000"""
        self.assertEqual(output(run(code)), """\
backward: a gradient of [50000] is not added to one of [2]
backward: a gradient of [50000] is not added to one of [2]
adamw: a gradient or moment of [2] for [50000]
adamw: a gradient or moment of [2] for [50000]
""")

    def test_an_exception_in_a_checkpointed_function_arrives(self):
        code = """
import stepgrad.torch, torch
from torch.utils.checkpoint import checkpoint
calls = []
def f(x):
    calls.append(1)
    if len(calls) == 2: raise KeyError("again")
    return x * 2
y = checkpoint(f, torch.ones(2, requires_grad=True))
try: y.sum().backward()
except KeyError as error: print(error)"""
        self.assertEqual(output(run(code)), "'again'\n")

    def test_a_checkpoint_draws_once_more_and_leaves_every_generator_where_it_was(self):
        code = """
import stepgrad.torch, torch
from torch.utils.checkpoint import checkpoint
torch.manual_seed(1)
g = torch.Generator().manual_seed(7)
x = torch.ones(3, requires_grad=True)
y = checkpoint(lambda x: x * torch.rand(3, generator=g) * torch.rand(3), x)
before = g.get_state(), torch.get_rng_state()
y.sum().backward()
assert torch.equal(x.grad, y.detach())
assert torch.equal(g.get_state(), before[0]) and torch.equal(torch.get_rng_state(), before[1])
h = torch.Generator().manual_seed(7)
torch.rand(3, generator=h)
assert torch.equal(torch.rand(3, generator=g), torch.rand(3, generator=h))
print("well")"""
        self.assertEqual(output(run(code)), "well\n")

    def test_threads_run_while_a_product_is_computed(self):
        code = """
import threading, time, stepgrad.torch, torch
a = torch.randn(1500, 1500)
ticks, done = 0, False
def tick():
    global ticks
    while not done:
        ticks += 1; time.sleep(0.001)
thread = threading.Thread(target=tick); thread.start()
start = time.perf_counter()
while time.perf_counter() - start < 0.5: a @ a
done = True; thread.join()
assert ticks > 20, ticks
print("well")"""
        self.assertEqual(output(run(code)), "well\n")

    def test_the_number_of_threads_is_the_caller_s(self):
        code = """
import stepgrad.torch, torch
torch.set_num_threads(1); print(torch.get_num_threads())
a = torch.randn(200, 200); one = a @ a
torch.set_num_threads(3); print(torch.get_num_threads(), torch.equal(a @ a, one))
try: torch.set_num_threads(0)
except RuntimeError as error: print(error)"""
        self.assertEqual(output(run(code)),
                         "1\n3 True\nset_num_threads: 0 threads, expected at least one\n")

    def test_ctrl_c_stops_a_long_backward(self):
        code = """
import os, subprocess, stepgrad.torch, torch
x = torch.randn(600, 600, requires_grad=True)
y = x
for _ in range(400): y = (y @ x).tanh()
subprocess.Popen(["sh", "-c", f"sleep 0.1; kill -INT {os.getpid()}"])
try: y.sum().backward(); print("too late")
except KeyboardInterrupt: print("stopped")
z = torch.ones(2, requires_grad=True); (z * z).sum().backward(); print(z.grad.tolist())"""
        self.assertEqual(output(run(code, timeout=120)), "stopped\n[2.0, 2.0]\n")

    def test_a_forked_process_computes_the_same(self):
        code = """
import os, stepgrad.torch, torch
x = torch.randn(300, 300)
before = (x @ x).tanh().sum().item()
if os.fork() == 0:
    print((x @ x).tanh().sum().item() == before, torch.get_num_threads(), flush=True)
    os._exit(0)
os.wait()"""
        self.assertEqual(output(run(code, timeout=60)), "True 1\n")

    def test_the_command_for_gdb_is_quoted(self):
        code = """
import _stepgrad, shlex, stepgrad
_stepgrad.__file__ = "/it's mine/_stepgrad.so"
words = shlex.split(stepgrad.debugging.debugger(7, ["break f"]))
print(words[:4], "add-auto-load-safe-path /it's mine/_stepgrad.so" in words, words[-2:])"""
        self.assertEqual(output(run(code)), "['gdb', '-q', '-p', '7'] True ['-ex', 'break f']\n")

    def test_a_file_that_points_out_of_its_numbers_is_refused(self):
        code = """
import io, re, zipfile, stepgrad.torch, torch
saved = io.BytesIO()
torch.save(torch.arange(7.0), saved)
number = {n: b"J" + n.to_bytes(4, "little", signed=True) for n in (-7, -2, -1, 0, 1, 2, 7)}

def loaded(offset, size, stride):
    other = io.BytesIO()
    with zipfile.ZipFile(saved) as file, zipfile.ZipFile(other, "w") as crafted:
        for name in file.namelist():
            data = file.read(name)
            if name.endswith("data.pkl"):
                data, n = re.subn(rb"K\\x00K\\x07\\x85(q.)K\\x01\\x85", lambda found: number[offset]
                                  + number[size] + b"\\x85" + found[1] + number[stride] + b"\\x85", data)
                assert n == 1
            crafted.writestr(name, data)
    try: return torch.load(other).tolist()
    except RuntimeError as error: return str(error)

assert loaded(0, 7, 1) == list(range(7)) and loaded(1, 2, 2) == [1, 3]
for wrong in (0, 7, -1), (0, 7, -2), (-7, 7, 1), (-1, 1, 1), (0, -1, 1), (1, 7, 1), (0, 7, 2):
    assert "more than its storage has" in loaded(*wrong), wrong
print("well")"""
        self.assertEqual(output(run(code)), "well\n")

    def test_functions_and_modules_with_hooks_do_not_leak(self):
        code = """
import gc, stepgrad, stepgrad.torch, torch, torch.nn as nn
class Both(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(x, y)
        return y, x * 2
    @staticmethod
    def backward(ctx, dy, dz):
        return dy * ctx.saved_tensors[1] + dz * 2
def once():
    x = torch.randn(3, requires_grad=True)
    y, z = Both.apply(x)
    (y * z).sum().backward()
    Both.apply(x)                              # never walked
    net = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
    net.register_full_backward_hook(lambda module, dX, dY: None)
    net(x).sum().backward()
    net(x)
def live():
    stats = stepgrad.memory_stats()
    return stats["live_nodes"], stats["live_storages"]
gc.disable()                                   # references alone must be enough
once(); before = live()
for _ in range(20): once()
assert live() == before, (before, live())
print("well")"""
        self.assertEqual(output(run(code)), "well\n")

    def test_cycles_of_modules_and_tensors_do_not_leak(self):
        code = """
import gc, stepgrad, stepgrad.torch, torch, torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)
        self.me = [self]                       # a cycle
        self.inner.weight.owner = self         # another one
        self.buffer = torch.ones(3)
def once():
    net = Net()
    loss = net.inner(torch.randn(2, 4)).relu().sum()
    loss.backward()
    torch.optim.AdamW(net.parameters()).step()
    net.inner(torch.randn(2, 4))               # never walked
def live():
    gc.collect(); stats = stepgrad.memory_stats()
    return stats["live_nodes"], stats["live_storages"]
once(); before = live()
for _ in range(20): once()
assert live() == before, (before, live())
print("well")"""
        self.assertEqual(output(run(code)), "well\n")


class Elsewhere(unittest.TestCase):
    """What PyTorch has no like of, or only with a GPU."""

    def test_a_scaler_scales_all_that_it_is_given(self):
        code = """
import stepgrad.torch, torch
scaler = torch.cuda.amp.GradScaler(init_scale=4.0)
print(scaler.scale(torch.ones(1)), scaler.scale([torch.ones(1), (torch.ones(1),)]))"""
        self.assertEqual(output(run(code)), "tensor([4.]) [tensor([4.]), (tensor([4.]),)]\n")

    def test_objects_in_an_array_are_refused_before_a_file_is_touched(self):
        code = """
import io, numpy as np, stepgrad.torch, torch
for what in (np.array([{}], dtype=object), {"a": [np.array([None])]}, object()):
    file = io.BytesIO()
    try: torch.save(what, file)
    except TypeError as error: print(len(file.getvalue()), str(error).startswith("save: "))
torch.save(np.float32(1), io.BytesIO()), torch.save(np.dtype("int64"), io.BytesIO())"""
        self.assertEqual(output(run(code)), "0 True\n" * 3)

    def test_progress_counts_what_it_yields(self):
        code = """
import sys; sys.modules["tqdm.auto"] = sys.modules["tqdm"] = None  # is not installed
import stepgrad
print(list(stepgrad.progress(range(3), "rows")), list(stepgrad.progress(iter("ab"))))"""
        process = run(code)
        self.assertEqual(output(process), "[0, 1, 2] ['a', 'b']\n")
        self.assertRegex(process.stderr, r"^\nrows: 3/3 \(100%\)  0\.\d s\n\n2  0\.\d s\n$")


class Debugging(unittest.TestCase):
    def test_a_node_has_the_line_of_the_script(self):
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "mine.py"
            script.write_text("import stepgrad.torch\nimport torch\n"
                              "net = torch.nn.Linear(2, 3)\n"
                              "def f(x):\n    return net(x).exp()\n"
                              "y = f(torch.ones(2))\nprint(y.tape())\n")
            text = output(ours(script))
        self.assertRegex(text, r"linear .*mine.py:5, from mine.py:5")
        self.assertRegex(text, r"exp .*mine.py:5\n")

    def test_the_stepper_goes_and_comes_back(self):
        code = """
import stepgrad, stepgrad.torch, torch
w = torch.ones(2, 2, requires_grad=True)
loss = (torch.ones(3, 2) @ w).relu().sum()
steps = stepgrad.Stepper(loss)
print(steps.next()); print(steps.run_until("matmul")); print(w.grad)
print(steps.back()); print(steps.next()); print(steps.next()); print(steps.next()); print(w.grad)"""
        lines = output(run(code)).splitlines()
        self.assertIn("sum", lines[0])
        self.assertIn("matmul", lines[1])
        self.assertEqual(lines[2], "None")
        self.assertIn("matmul", lines[3])
        self.assertIn("leaf", lines[5])
        self.assertEqual(lines[6], "None")
        self.assertEqual("\n".join(lines[7:]), "tensor([[3., 3.],\n        [3., 3.]])")

    def test_a_tape_is_a_table_in_a_notebook(self):
        code = """
import stepgrad.torch, torch
print((torch.ones(2, requires_grad=True) * 2).tape()._repr_html_())"""
        text = output(run(code))
        self.assertIn("<table>", text)
        self.assertIn("<td style='text-align:left'>mul</td>", text)

    def test_a_trace_is_a_page_in_a_cell_and_a_file_elsewhere(self):
        code = """
import stepgrad.torch, torch, stepgrad, sys, os, tempfile
stepgrad.set_ledger(True)
w = torch.randn(3, 2, requires_grad=True); w.name = "<w>"
x = torch.ones(4, 3)
def f(): return ((x @ w)[1:, 0] ** 2).mean()
loss = f()
page = loss.trace()
assert page._repr_html_().startswith("<iframe sandbox='allow-scripts allow-modals'")
assert page._repr_html_().count("<") == 2 and "bytes" in repr(page)
path = os.path.join(tempfile.mkdtemp(), "loss.html")
assert stepgrad.trace(loss, path, recompute=f) is None
text = open(path).read()
assert '"differences":[' in text and '"places":[2,4,6]' in text and w.grad is None
assert "matmul" in stepgrad.to_dot(loss) and "matmul" in stepgrad.to_mermaid(loss)
for bad in (lambda: stepgrad.trace(loss, "/nowhere/a.html"), lambda: x.trace(),
            lambda: stepgrad.trace(loss, path, recompute=lambda: 1 / 0)):
    try: bad()
    except Exception as error: print(type(error).__name__, error)
loss.backward(); print(w.grad is not None)"""
        lines = output(run(code)).splitlines()
        self.assertIn("/nowhere/a.html: cannot be written", lines[0])
        self.assertIn("does not require a gradient, so nothing was recorded", lines[1])
        self.assertEqual(lines[2:], ["ZeroDivisionError division by zero", "True"])


    def test_a_live_trace_has_the_engine_in_it_or_a_warning_says_why_not(self):
        code = """
import stepgrad.torch, torch, stepgrad, warnings
stepgrad.set_ledger(True)
w = torch.ones(2, requires_grad=True)
def live_or_why(loss):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        page = loss.trace(live=True)
    print('id="engine"' in page, '"replay":' in page, *[str(one.message) for one in said])
live_or_why((w * 3).sum())
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x ** 3
    @staticmethod
    def backward(ctx, g): return g
live_or_why(Cube.apply(w).sum())"""
        may, cannot = output(run(code)).splitlines()
        self.assertRegex(may, "^(True True|False False the page is not live: there is no engine .*)$")
        self.assertRegex(cannot, "^False False the page is not live: #\\d+ Cube cannot be computed once more")

    def test_a_trace_has_the_numbers_around_a_cell_and_a_lesson_beside_it(self):
        code = """
import re, stepgrad.torch, torch, stepgrad
stepgrad.set_ledger(True)
w = torch.ones(300, 200).requires_grad_(); w.name = "w1"
loss = (torch.ones(4, 300) @ w).sum()
plain, around, own, named = loss.trace(), loss.trace(cell=("w1", (290, 150))), stepgrad.trace(
    loss, lesson="# Mine\\n\\n## [Here](loss)\\n\\nAll of it."), loss.trace(lesson="feed_forward")
asked = [re.search(r'"ask":.\\d+,(\\d+)', page)[1] == str(290 * 200 + 150) for page in (plain, around)]
print(*asked, around != plain)
print("## [Here](loss)" in own, "## [Here]" in plain, len(named) > len(plain))
for bad in ({"cell": ("w2", (0, 0))}, {"cell": ("w1", (300, 0))}, {"lesson": "no such lesson"}):
    try: loss.trace(**bad)
    except Exception as error: print(type(error).__name__, error)"""
        lines = output(run(code)).splitlines()
        self.assertEqual(lines[:2], ["False True True", "True False True"])
        for line, words in zip(lines[2:], ("w2", "w1.*300", "no such lesson"), strict=True):
            self.assertRegex(line, words)


class Attention(unittest.TestCase):
    def test_it_is_one_op_with_the_numbers_of_the_steps_dropout_too(self):
        code = """
import stepgrad.torch, torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0)
q, k, v = (torch.randn(2, 3, 70, 8, requires_grad=True) for _ in range(3))
ahead = torch.ones(70, 70).bool().triu(1)
def gradients(attend):
    torch.manual_seed(1)
    y = attend()
    return y, *torch.autograd.grad((y * torch.arange(70.).sin().unsqueeze(1)).sum(), (q, k, v))
def steps(): return F.dropout((q @ k.mT * 8**-0.5).masked_fill(ahead, -torch.inf).softmax(-1), 0.4) @ v
one = gradients(lambda: F.scaled_dot_product_attention(q, k, v, ~ahead, 0.4))
print([torch.allclose(a, b, 1e-4, 1e-6) for a, b in zip(one, gradients(steps), strict=True)])
ops = lambda y: str(y.sum().tape())
one = F.scaled_dot_product_attention(q, k, v, ~ahead)
print("softmax" in ops(one), "softmax" in ops(steps()))
mha, x = nn.MultiheadAttention(8, 2, dropout=0.3), torch.randn(5, 2, 8, requires_grad=True)
for need in (False, True):
    torch.manual_seed(2)
    y, weights = mha(x, x, x, need_weights=need)
    print("fused_attention" in ops(y), weights is None, round(y.sum().item(), 4))"""
        lines = output(run(code)).splitlines()
        self.assertEqual(lines[:2], [str([True] * 4), "False True"])
        first, second = (line.split() for line in lines[2:])
        self.assertEqual((first[:2], second[:2]), (["True"] * 2, ["False"] * 2))
        self.assertAlmostEqual(float(first[2]), float(second[2]), 3)


class Installed(unittest.TestCase):
    def test_it_works_where_it_was_installed(self):
        import tempfile

        with tempfile.TemporaryDirectory() as prefix:
            subprocess.run(["cmake", "--install", BUILD, "--component", "python", "--prefix", prefix],
                           check=True, capture_output=True)
            (packages,) = pathlib.Path(prefix).glob("lib/python3*/dist-packages")
            code = ("import stepgrad.torch, torch, _stepgrad\n"
                    "print(torch.ones(2, 2) @ torch.ones(2), torch.__file__, _stepgrad.__file__)")
            text = subprocess.check_output([PYTHON, "-c", code], text=True, cwd=prefix,
                                           env={**os.environ, "PYTHONPATH": packages})
            self.assertRegex(text, rf"tensor\(\[2., 2.\]\) {packages}/.* {packages}/")


if __name__ == "__main__":
    unittest.main()
