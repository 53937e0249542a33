"""The format of the golden files, and random numbers as stepgrad draws them."""

import torch


def write(path, tensors):
    """Two lines for each tensor, name and shape and then its numbers; tests/support/golden.hpp reads it."""
    with open(path, "w") as file:
        for name, tensor in tensors.items():
            numbers = tensor.detach().reshape(-1).tolist()
            print(name, list(tensor.shape), file=file)
            print(*(f"{number:.9g}" for number in numbers), file=file)  # exact for float32


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


def uniform(shape, seed, call):
    """What Tensor::rand draws as the `call`-th random tensor after manual_seed(seed)."""
    n = shape[-1]
    rows = torch.Size(shape).numel() // n

    def element(r, c):
        counter = (c // 4, r, call & 0xFFFFFFFF, call >> 32)
        return (philox(counter, (seed & 0xFFFFFFFF, seed >> 32))[c % 4] >> 8) * 2.0**-24

    return torch.tensor([[element(r, c) for c in range(n)] for r in range(rows)]).reshape(shape)
