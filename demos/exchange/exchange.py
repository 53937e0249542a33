"""The Python side of demos/run exchange: a feed-forward network with two Linear layers, its output
and its gradients, by NumPy or PyTorch; and safetensors without any package."""

import json
import struct
import sys

import numpy as np

D_MODEL, D_FF = 6, 20


def save_safetensors(path, tensors):
    """Of float32 arrays by name."""
    header, data = {}, b""
    for name, array in tensors.items():
        raw = np.ascontiguousarray(array, "<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(array.shape),
            "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def load_safetensors(path):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    header.pop("__metadata__", None)
    return {name: np.frombuffer(data[slice(*tensor["data_offsets"])], "<f4").reshape(tensor["shape"])
        for name, tensor in header.items()}


def by_numpy(weights, x):
    """y = relu(x·W₁ᵀ + b₁)·W₂ᵀ + b₂ and the gradients of Σ y²."""
    w1, b1, w2, b2 = weights.values()
    z = x @ w1.T + b1
    h = np.maximum(z, 0)
    y = h @ w2.T + b2
    dy = 2 * y
    dz = dy @ w2 * (z > 0)
    flat = lambda a: a.reshape(-1, a.shape[-1])
    gradients = [flat(dz).T @ flat(x), flat(dz).sum(0), flat(dy).T @ flat(h), flat(dy).sum(0)]
    return {"y": y, **dict(zip(weights, gradients))}


def by_torch(weights, x):
    """The same by PyTorch, whose state_dict has these names."""
    import torch

    class FeedForward(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.w_1 = torch.nn.Linear(D_MODEL, D_FF)
            self.w_2 = torch.nn.Linear(D_FF, D_MODEL)

        def forward(self, x):
            return self.w_2(torch.relu(self.w_1(x)))

    ffn = FeedForward()
    ffn.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
    y = ffn(torch.from_numpy(x))
    (y * y).sum().backward()
    return {"y": y.detach().numpy(), **{name: p.grad.numpy() for name, p in ffn.named_parameters()}}


def write(compute):
    random = np.random.default_rng(0)
    draw = lambda *shape: random.standard_normal(shape).astype("f4")
    weights = {"w_1.weight": draw(D_FF, D_MODEL), "w_1.bias": draw(D_FF),
        "w_2.weight": draw(D_MODEL, D_FF), "w_2.bias": draw(D_MODEL)}
    x = draw(4, 10, D_MODEL)
    save_safetensors("input.safetensors", {"x": x})
    save_safetensors("weights.safetensors", weights)
    save_safetensors("expected.safetensors", compute(weights, x))
    print(f"{compute.__name__[3:]} wrote weights, input and expected.safetensors")


def compare():
    expected = load_safetensors("expected.safetensors")
    found = load_safetensors("found.safetensors")
    assert list(found) == list(expected), list(found)
    worst = np.max([np.abs(found[name] - array).max() / np.abs(array).max() for name, array in expected.items()])
    print(f"numpy read found.safetensors: at most {worst:.1e} apart")
    sys.exit(0 if worst <= 1e-5 else 1)


if sys.argv[1] == "compare":
    compare()
else:
    write(by_torch if sys.argv[2:] == ["--torch"] else by_numpy)
