"""Threads, forks and Ctrl-C beside the engine's own threads; guards, whose state is a thread's."""

import unittest

from session import said


class Threads(unittest.TestCase):
    def test_threads_run_while_a_product_is_computed_on_as_many_as_were_set(self):
        code = """
import _stepgrad, threading, time
torch.set_num_threads(3)
assert _stepgrad.get_num_threads() == 3
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
assert ticks > 20, ticks"""
        said(code)

    def test_ctrl_c_stops_a_long_backward(self):
        code = """
import os, signal
x = torch.randn(600, 600, requires_grad=True)
y = x
for _ in range(400): y = (y @ x).tanh()
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a shell's background
signal.signal(signal.SIGVTALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
signal.setitimer(signal.ITIMER_VIRTUAL, 0.1)  # of the processor's time, however busy it is
try: y.sum().backward(); print("too late")
except KeyboardInterrupt: print("stopped")
z = torch.ones(2, requires_grad=True); (z * z).sum().backward(); print(z.grad.tolist())"""
        self.assertEqual(said(code, timeout=120), "stopped\n[2.0, 2.0]\n")

    def test_children_that_are_forked_beside_busy_threads_compute_on_one_thread(self):
        code = """
import _stepgrad, os, signal, threading
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
        finally: os._exit(w.grad is None or w.grad.tolist() != [2, 2, 2] or _stepgrad.get_num_threads() != 1)
    bad += os.waitpid(child, 0)[1] != 0
done = True
for thread in threads: thread.join()
print(bad)"""
        self.assertEqual(said(code, timeout=300), "0\n")

    def test_guards_keep_values_and_check(self):
        code = """
import contextlib, threading
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
          "detect_anomaly": detect_anomaly,
          "set_detect_anomaly": lambda: set_detect_anomaly(True)}
def once(make):
    with make(): yield
    yield
for name, make in makers.items():
    held = []
    for how in 5 * ["closed", "ended", "dropped"]:  # a block that began in another thread ends in this one
        g = once(make)
        in_thread(lambda: next(g))
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
    with guard:                                   # the same one in itself, and in another thread
        inside = state()
        with guard: assert state() == inside
        def elsewhere():
            with guard: assert state() == inside
        in_thread(elsewhere)
        assert state() == inside, name
    assert state() == NORMAL and (name == "enable_grad" or inside != NORMAL), (name, state())
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
assert state() == NORMAL"""
        said(code)


unittest.main()
