"""What Python costs: a recorded op, and the notebook's training step at [4, 10, 512]/2048.

demos/run python demos/python/overhead.py     on this engine, beside its own C++
/usr/bin/python3 demos/python/overhead.py     PyTorch
"""

import statistics
import time

try:
    import stepgrad.torch  # noqa: F401, so `import torch` is stepgrad
except ImportError:
    pass

import torch

ops = 20_000


def median(run, times=9):
    """The median time of a run in seconds, after a first one."""
    run()
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def chain():
    """y = x + w + w + ..., there and back."""
    y = x
    for _ in range(ops):
        y = y + w
    y.backward()


def train_step():
    """The notebook's lines."""
    for tensor in w1, b1, w2, b2:
        tensor.grad = None
    h = (torch.matmul(inputs, w1) + b1).clamp(min=0)
    h = h * (torch.rand_like(h) < 0.9).float() / 0.9
    (torch.matmul(h, w2) + b2).sum().backward()


torch.manual_seed(0)
torch.set_num_threads(2)
x, w = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
inputs = torch.randn(4, 10, 512)
w1, b1 = torch.randn(512, 2048, requires_grad=True), torch.zeros(2048, requires_grad=True)
w2, b2 = torch.randn(2048, 512, requires_grad=True), torch.zeros(512, requires_grad=True)

print(f"a recorded add, there and back: {median(chain) / ops * 1e9:.0f} ns")
print(f"the notebook's step: {median(train_step, 201) * 1e3:.2f} ms")
