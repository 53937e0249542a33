"""golden.bin, and the numbers that the tests draw as well: tests/support/golden.hpp."""

import pathlib

import torch

FILE = pathlib.Path(__file__).with_name("golden.bin")  # a line NAME:COUNT for each entry, an empty one, all floats


def read():
    """The bytes of each entry's numbers."""
    names, _, data = FILE.read_bytes().partition(b"\n\n")
    entries = {}
    for line in names.decode().split("\n"):
        name, _, count = line.partition(":")
        entries[name], data = data[:4 * int(count)], data[4 * int(count):]
    return entries


def write(entries):
    names = "".join(f"{name}:{len(numbers) // 4}\n" for name, numbers in sorted(entries.items()))
    FILE.write_bytes(names.encode() + b"\n" + b"".join(numbers for _, numbers in sorted(entries.items())))


def philox(counter, key):
    """Philox4x32-10 of four and two 32-bit words, Salmon et al. 2011."""
    mask = 0xFFFFFFFF
    for _ in range(10):
        a, b = counter[0] * 0xD2511F53, counter[2] * 0xCD9E8D57
        counter = (
            (b >> 32) ^ counter[1] ^ key[0], b & mask,
            (a >> 32) ^ counter[3] ^ key[1], a & mask,
        )
        key = ((key[0] + 0x9E3779B9) & mask, (key[1] + 0xBB67AE85) & mask)
    return counter


calls = 0  # random tensors drawn since the entry began, as after manual_seed(0)


def rand(shape):
    """Tensor::rand."""
    global calls
    numel, n = torch.Size(shape).numel(), (shape or [1])[-1]
    numbers = [(philox((i % n // 4, i // n, calls, 0), (0, 0))[i % n % 4] >> 8) * 2.0**-24
        for i in range(numel)]
    calls += 1
    return torch.tensor(numbers).reshape(shape)


def drawn(*shape):
    return rand(shape) * 4 - 2


def dropped(x, p):
    """nn::Dropout(p)."""
    return x * (rand(x.shape) < 1 - p) / (1 - p)
