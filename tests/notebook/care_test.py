"""The module takes care: of hooks, threads, forks, files and leaks."""

import unittest

from session import output, require, run

require("numpy")


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
import os, signal, stepgrad.torch, torch
x = torch.randn(600, 600, requires_grad=True)
y = x
for _ in range(400): y = (y @ x).tanh()
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a shell's background
signal.signal(signal.SIGVTALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
signal.setitimer(signal.ITIMER_VIRTUAL, 0.1)  # of the processor's time, however busy it is
try: y.sum().backward(); print("too late")
except KeyboardInterrupt: print("stopped")
z = torch.ones(2, requires_grad=True); (z * z).sum().backward(); print(z.grad.tolist())"""
        self.assertEqual(output(run(code, timeout=120)), "stopped\n[2.0, 2.0]\n")

    def test_gradcheck_finds_a_rule_that_is_wrong_in_one_element_of_one_input(self):
        code = """
import stepgrad.torch, torch
from torch.autograd import gradcheck
class Product(torch.autograd.Function):
    wrong = 0.0
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b, a.sin()
    @staticmethod
    def backward(ctx, dY, dZ):
        a, b = ctx.saved_tensors
        db = dY * a
        db[1, 0] += Product.wrong
        return dY * b + dZ * a.cos(), db
a = torch.tensor([[0.3, -1.2], [2.0, 0.7]], requires_grad=True)
b = torch.tensor([[1.5, 0.2], [-0.4, 3.0]], requires_grad=True)
print(gradcheck(Product.apply, (a, b)), gradcheck(lambda x: x.clamp(0), a), a.grad, b.grad)
Product.wrong = 0.01
print(gradcheck(Product.apply, (a, b), raise_exception=False), gradcheck(Product.apply, (a, b.detach())))
try: gradcheck(Product.apply, (a, b))
except RuntimeError as error: print(str(error).split(",")[0], "element 2" in str(error))
print(gradcheck(Product.apply, (a, b), atol=0.02))"""
        self.assertEqual(output(run(code)), "True True None None\nFalse True\n"
                         "Jacobian mismatch for output 0 with respect to input 1 True\nTrue\n")

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

    def test_children_that_are_forked_beside_busy_threads_compute(self):
        code = """
import os, signal, threading, stepgrad.torch, torch
w, done = torch.ones(3, requires_grad=True), False
def work():
    x = torch.randn(50, 3)
    y = (x * w).exp()
    y.register_hook(lambda g: g * 2)               # which waits for Python's lock
    y.sum().backward()
def busy():
    while not done: work()
threads = [threading.Thread(target=busy) for _ in range(3)]
for thread in threads: thread.start()
bad = 0
for _ in range(60):
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            for _ in range(5): work()
            w.grad = None
            (w * w).sum().backward()
        finally: os._exit(0 if w.grad is not None and w.grad.tolist() == [2, 2, 2] else 1)
    bad += os.waitpid(child, 0)[1] != 0
done = True
for thread in threads: thread.join()
print(bad)"""
        self.assertEqual(output(run(code, timeout=300)), "0\n")

    def test_what_is_too_deep_too_many_or_not_begun_is_refused(self):
        code = """
import _stepgrad, stepgrad, stepgrad.torch, torch
deep, itself = [1.0], []
for _ in range(100_000): deep = [deep]
itself += [itself, itself]
for make in torch.tensor, torch.as_tensor, torch.Tensor, torch.LongTensor, torch.ones(1).new_tensor:
    for data in deep, itself:
        try: make(data)
        except ValueError as error: assert "too many dimensions" in str(error)
for cls in torch.Tensor, torch.nn.Parameter, torch.dtype, stepgrad.Stepper, type(_stepgrad._Grad(True)), type(_stepgrad._Autocast(torch.float16)):
    x, found = cls.__new__(cls), 0
    for use in repr, lambda x: x.next(), lambda x: x.__enter__(), lambda x: torch.ones(1) + x, lambda x: torch.zeros(2, dtype=x):
        try: use(x)
        except (TypeError, AttributeError) as error: found += "__init__() has not been called" in str(error)
    assert found, cls
torch.set_num_threads(10**6)
print((torch.ones(300, 300) @ torch.ones(300, 300)).sum().item())"""
        self.assertEqual(output(run(code)), "27000000.0\n")

    def test_guards_keep_values_and_check(self):
        code = """
import contextlib, threading, stepgrad, stepgrad.torch, torch
from torch.autograd import detect_anomaly, set_detect_anomaly
A = torch.ones(2, 2) * 1.0003
def state():
    try: (A.detach() * float("nan")); anomaly = False
    except (RuntimeError, ValueError): anomaly = True
    return torch.is_grad_enabled(), (A @ A)[0, 0].item() < 2.001, anomaly
def in_thread(f):
    thread = threading.Thread(target=f); thread.start(); thread.join()
NORMAL = state()
makers = {"no_grad": torch.no_grad, "enable_grad": torch.enable_grad, "inference_mode": torch.inference_mode,
          "set_grad_enabled": lambda: torch.set_grad_enabled(False), "autocast": lambda: torch.autocast("cpu"),
          "cuda.amp.autocast": torch.cuda.amp.autocast, "detect_anomaly": detect_anomaly,
          "set_detect_anomaly": lambda: set_detect_anomaly(True)}
def once(make):                                   # a block in another thread, which ends first
    with make(): yield
    yield
for name, make in makers.items():
    held = []
    for how in 10 * ["closed", "ended", "dropped"]:
        g = once(make)
        in_thread(lambda: next(g))
        in_thread(lambda: [torch.ones(1) + 1 for _ in range(50)])
        with contextlib.nullcontext() if "anomaly" in name else torch.no_grad():
            outside = state()
            if how == "closed": g.close()
            elif how == "ended": next(g)
            g = None
            assert state() == outside or "anomaly" in name, (name, how, state())
        assert state() == NORMAL, (name, how, state())
    guard = make()
    if "set_" in name: guard.__exit__(None, None, None)  # its constructor was the beginning
    for _ in range(2):                            # there was no beginning
        try: guard.__exit__(None, None, None); print(name, "exits")
        except RuntimeError as error: assert "no __enter__" in str(error)
    assert state() == NORMAL, name
    with guard:                                   # the same one in itself, and again
        inside = state()
        with guard: assert state() == inside
        assert state() == inside, name
        def elsewhere():
            with guard: assert state() == inside
            return state()
        in_thread(elsewhere)
        assert state() == inside, name
    assert state() == NORMAL, (name, state())
    assert name == "enable_grad" or inside != NORMAL, name
    @make()
    def values():
        yield state()
        yield state()
    for value in values(): assert value == inside and state() == NORMAL, name
    assert make()(state)() == inside and state() == NORMAL
    entered, leave = threading.Event(), threading.Event()
    def hold():                                   # in two threads that overlap, each has its own back
        with torch.enable_grad():
            with guard: entered.set(); leave.wait()
            held.append(torch.is_grad_enabled())
    with torch.no_grad():
        thread = threading.Thread(target=hold); thread.start(); entered.wait()
        with guard: leave.set(); thread.join()
        assert held == [True] and not torch.is_grad_enabled(), name
with contextlib.ExitStack() as stack:             # the stack of blocks ends in its order
    for make in makers.values(): stack.enter_context(make())
assert state() == NORMAL
before = torch.get_rng_state()
with torch.random.fork_rng(): torch.rand(3)
assert torch.equal(before, torch.get_rng_state())
print("well")"""
        self.assertEqual(output(run(code)), "well\n")

    def test_the_command_for_gdb_is_quoted(self):
        code = """
import _stepgrad, shlex, stepgrad
_stepgrad.__file__ = "/it's mine/_stepgrad.so"
words = shlex.split(stepgrad.debugging.debugger(7, ["break f"]))
print(words[:4], "add-auto-load-safe-path /it's mine/_stepgrad.so" in words, words[-2:])"""
        self.assertEqual(output(run(code)), "['gdb', '-q', '-p', '7'] True ['-ex', 'break f']\n")

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

    def test_progress_counts_what_it_yields(self):
        code = """
import sys; sys.modules["tqdm.auto"] = sys.modules["tqdm"] = None  # is not installed
import stepgrad
print(list(stepgrad.progress(range(3), "rows")), list(stepgrad.progress(iter("ab"))))"""
        process = run(code)
        self.assertEqual(output(process), "[0, 1, 2] ['a', 'b']\n")
        self.assertRegex(process.stderr, r"^\nrows: 3/3 \(100%\)  0\.\d s\n\n2  0\.\d s\n$")


if __name__ == "__main__":
    unittest.main()
