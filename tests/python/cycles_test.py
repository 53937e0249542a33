"""Cycles through a tensor's history are garbage that Python's collector finds; reachable objects
stay."""

import unittest

from session import said

# Each makes an object that owns itself, and drops it. Returns the rest after the collector.
SCRIPT = """
import gc, torch.nn as nn
from torch.utils.checkpoint import checkpoint

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.w, self.l = nn.Parameter(torch.ones(1000)), nn.Linear(2, 2)
    def on_gradient(self, g): self.seen = g
    def on_call(self, m, i, o): self.seen = o

class Keeps(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, box): ctx.box, ctx.y = box, x * 2; return ctx.y
    @staticmethod
    def backward(ctx, g): return g * 2, None
class KeepsInput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): ctx.mark_dirty(x); ctx.x = x.mul_(2); return x
    @staticmethod
    def backward(ctx, g): return g * 2
class KeepsTwo(Keeps):
    @staticmethod
    def forward(ctx, x, box): ctx.box = box; return x * 2, x * 3
    @staticmethod
    def backward(ctx, g, h): return g * 2, None

def leaf(): return torch.ones(3, requires_grad=True)
def keeping(*kept): return lambda g: (kept, None)[1]
def part(x):
    r, h = x[0], x * 1
    x.register_hook(keeping(r, x)); r.mul_(2)
    h.t().register_hook(keeping(h[:, 1], h))

def hook_of_a_module(): m = M(); m.w.register_hook(keeping(m))
def method(): m = M(); m.w.register_hook(m.on_gradient); m.w.register_hook(m.on_gradient)
def method_that_ran(): m = M(); m.w.register_hook(m.on_gradient); (m.w * 2).sum().backward()
def hook_of_all(): w = leaf(); h = w * 2; h.register_hook(keeping((h * h).sum(), h, w))
def output_kept(): m = M(); m.w.register_hook(m.on_gradient); m.out = (m.w * 2 + m.w).sum()
def views(): part(torch.ones(3, 3, requires_grad=True) * 1)
def two_models(): a, b = M(), M(); a.w.register_hook(keeping(b)); b.w.register_hook(keeping(a))
def context_s_argument(): box = []; box.append(Keeps.apply(leaf(), box))
def context_s_input(): KeepsInput.apply(leaf() * 1); KeepsInput.apply((leaf() * 1)[:2])
def two_outputs(): box = []; box += KeepsTwo.apply(leaf(), box)
def what_follows(): box = []; a, b = KeepsTwo.apply(leaf(), box); box.append((a * b).sum())
def hook_of_gradients(): m = M(); m.l.register_full_backward_hook(m.on_call); m.out = m.l(torch.ones(1, 2)).sum(); m.out.backward()
def checkpointed(): m = M(); m.out = checkpoint(m.l, torch.ones(2, requires_grad=True) * 1)
def attribute(): m = M(); m.w.module = m; m.t = torch.ones(2); m.t.module = m
def optimizer(): m = M(); m.o = torch.optim.Adam(m.parameters()); method_that_ran(); m.w.register_hook(m.on_gradient)

def left(way):
    gc.collect()
    before = [stepgrad.memory_stats()[name] for name in ("live_nodes", "live_storages")]
    for _ in range(3): way()
    gc.collect()
    return [stepgrad.memory_stats()[name] - n for name, n in zip(("live_nodes", "live_storages"), before)]

ways = [f for f in list(globals().values()) if isinstance(f, type(leaf)) and f.__module__ == "__main__"
        if f.__code__.co_argcount == 0 and f not in (leaf, keeping)]
for way in ways: way()
print(len(ways), [(way.__name__, found) for way in ways if (found := left(way)) != [0, 0]])

def alive(seen):
    w, h = leaf(), None
    h = w * 2
    h.register_hook(lambda g: seen.append(g.tolist()))
    w.register_hook(lambda g: seen.append((w.tolist(), g.tolist())))
    return (h * h).sum()
seen, losses = [], []
for young in range(3): losses.append(alive(seen)); gc.collect(young); gc.collect(0)
for loss in losses: loss.backward(); gc.collect()
print(seen)
"""


class Cycles(unittest.TestCase):
    def test_cycles_are_freed_and_reachable_objects_stay(self):
        made, kept = said(SCRIPT).splitlines()
        self.assertEqual(made, "15 []")
        self.assertEqual(kept, str([[4.0] * 3, ([1.0] * 3, [8.0] * 3)] * 3))

    def test_objects_outside_of_cycles_die_at_once(self):
        code = """
import gc, torch.nn as nn
class Both(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(x, y)
        return y, x * 2
    @staticmethod
    def backward(ctx, dy, dz): return dy * ctx.saved_tensors[1] + dz * 2
def once():
    x = torch.randn(3, requires_grad=True)
    y, z = Both.apply(x)
    (y * z).sum().backward()
    Both.apply(x)                              # never walked
    net = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
    net.register_full_backward_hook(lambda module, dX, dY: None)
    net(x).sum().backward()
    net(x)
def live(): return [stepgrad.memory_stats()[name] for name in ("live_nodes", "live_storages")]
gc.disable()                                   # references alone must be enough
once(); before = live()
for _ in range(20): once()
assert live() == before, (before, live())"""
        said(code)

    def test_a_long_history_does_not_slow_the_collector_of_young_objects(self):
        code = """
import gc, time
class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x * 2
    @staticmethod
    def backward(ctx, g): return g * 2
def seconds():
    start, y = time.process_time(), torch.ones(1, requires_grad=True)
    for _ in range(20_000): y = Double.apply(y)
    return time.process_time() - start
collected = seconds()
gc.disable()
print(collected / seconds())"""
        self.assertLess(float(said(code)), 3)


unittest.main()
