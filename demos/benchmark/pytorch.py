"""PyTorch's training step, timed or checked as by benchmark.cpp.

usage: pytorch.py THREADS BATCH LENGTH D_MODEL D_FF SECONDS
"""

import resource
import sys
import time

import torch


def filled(shape, scale):
    """The same numbers as benchmark.cpp."""
    n = torch.Size(shape).numel()
    words = (torch.arange(1, n + 1) * 2654435761 % 2**32) >> 8
    return ((words.float() / 8388608 - 1) * scale).reshape(shape)


def checksum(x):
    n = x.numel()
    words = ((7 * torch.arange(n) + 3) * 2654435761 % 2**32) >> 8
    return (x.reshape(-1).double() * (words.double() / 8388608 - 1)).sum().item()


def make_step(batch, length, d_model, d_ff, p):
    x = filled((batch, length, d_model), 1.0)
    w1 = filled((d_model, d_ff), 0.1).requires_grad_()
    b1 = filled((d_ff,), 0.3).requires_grad_()
    w2 = filled((d_ff, d_model), 0.1).requires_grad_()
    b2 = filled((d_model,), 0.3).requires_grad_()
    wanted = [w1, b1, w2, b2]

    def step():  # the notebook's lines
        for tensor in wanted:
            tensor.grad = None
        h = (torch.matmul(x, w1) + b1).clamp(min=0)
        if p:
            h = h * ((torch.rand_like(h) < 1 - p).to(h.dtype) / (1 - p))
        loss = (torch.matmul(h, w2) + b2).sum()
        loss.backward()
        return loss

    return step, wanted


def timed(step, seconds):
    step()
    times, start = [], time.perf_counter()
    while len(times) < 3 or time.perf_counter() - start < seconds:
        begin = time.perf_counter()
        step()
        times.append(time.perf_counter() - begin)
    return min(times), sorted(times)[len(times) // 2]


def main():
    if len(sys.argv) != 7:
        sys.exit(__doc__)
    threads, *sizes = (int(size) for size in sys.argv[1:6])
    seconds = float(sys.argv[6])
    torch.set_num_threads(threads)
    step, wanted = make_step(*sizes, 0.1 if seconds else 0)
    if seconds:
        best, median = timed(step, seconds)
        print(best, median, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    else:
        print(step().item(), *(checksum(tensor.grad) for tensor in wanted))


if __name__ == "__main__":
    main()
