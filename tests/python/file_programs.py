# What is saved and loaded. argv has a folder of such files, and whether to write them there, or read those of
# another engine.
import argparse
import collections
import dataclasses
import io
import sys

import numpy as np
import torch
from torch import nn

from scripts.filled import filled


@dataclasses.dataclass
class Config:
    width: int = 3


class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(5, 4, padding_idx=0)
        self.attention = nn.MultiheadAttention(4, 2, batch_first=True)
        self.rest = nn.Sequential(nn.Linear(4, 4), nn.GELU(), nn.LayerNorm(4), nn.Dropout(0.1))
        self.register_buffer("mask", torch.ones(2), persistent=False)

    def forward(self, ids):
        x = self.embedding(ids)
        return self.rest(x + self.attention(x, x, x)[0])


def tensors():
    x = torch.arange(12.0).reshape(3, 4)
    return {"x": x, "row": x[1], "column": x[:, 1], "turned": x.t(), "corner": x[1:, 2:], "none": x[3:],
        "number": x[2, 3], "expanded": torch.ones(1).expand(4), "half": x.half(), "ids": torch.arange(5),
        "bfloat16": x.bfloat16(), "mask": x > 3, "int": x.int(), "short": x.to(torch.int16),
        "char": x.to(torch.int8), "byte": x.byte(), "parameter": nn.Parameter(x[0] * 1), "size": x.shape,
        "bytes": b"a\xff", "no bytes": b"",
        "set": {1}, "complex": 1 + 2j, "counter": collections.Counter("aab"), "device": x.device,
        "dtype": x.dtype, "bytearray": bytearray(b"xy"), ("a", 1): [None, True, 2**40, "ä"]}


def objects():
    return {"args": argparse.Namespace(n=3, w=torch.ones(2)), "net": filled(Net(Config(5)).eval()),
        "lists": collections.defaultdict(list, {"k": [1]}), "frozen": frozenset([1]),
        "array": np.arange(6).reshape(2, 3), "mean": np.mean([1.0, 2.0])}


def shown(x):
    if isinstance(x, torch.Tensor):
        return f"{x.dtype} {x.tolist()} {x.stride()} {x.requires_grad}"
    if isinstance(x, Net):
        y = x(torch.tensor([[1, 2, 3]]))
        y.sum().backward()
        return f"{x} {y.detach().mul(100).round().tolist()} {sorted(x.state_dict())} {x.config} {x.training}"
    return f"{type(x).__name__} {x!r}"


def lines(loaded):
    first = [f"{name} {shown(x)}" for name, x in loaded.items()]
    if "x" in loaded:
        loaded["x"].mul_(2)  # what shared its memory still does
        first += [shown(loaded[name]) for name in ("row", "column", "turned", "corner", "number")]
    return first


# Under stepgrad tensors are loaded by the default, which builds no objects.
stepgrad = torch.__name__ != "torch"
for kind, make in (("tensors", tensors), ("objects", objects)):
    options = {} if stepgrad and make is tensors else {"weights_only": False}
    memory = io.BytesIO()
    torch.save(make(), memory)
    memory.seek(0)
    expected = lines(torch.load(memory, **options))
    print(*expected, sep="\n")
    path = f"{sys.argv[1]}/{kind}"
    if sys.argv[2] == "write":
        with open(path, "wb") as file:
            file.write(memory.getvalue())
    elif stepgrad or make is tensors:  # PyTorch does not import stepgrad's classes
        assert lines(torch.load(path, **options)) == expected, path
