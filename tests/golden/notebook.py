"""The notebook's modules: values and every gradient, in training and in evaluation."""

import numpy
import torch

import golden


def dropout_mask(shape, p, seed, call):
    """As nn::Dropout draws it."""
    return golden.uniform(shape, seed, call) < numpy.float32(1 - p).item()


def leaf(tensor):
    return tensor.detach().clone().requires_grad_()


def relu():
    x = torch.tensor([[-2.0, -0.5, -0.0, 0.0], [1e-30, 0.5, 2.0, float("inf")]])
    dy = torch.randn(2, 4)
    w = leaf(x)
    y = w.clamp(min=0)
    y.backward(dy)
    return {"x": x, "dy": dy, "y": y, "x.grad": w.grad}


def dropout():
    shape = (3, 4, 7)
    tensors = {"x": torch.randn(shape), "dy": torch.randn(shape)}
    for p in (0.1, 0.5, 0.9):
        x = leaf(tensors["x"])
        y = (x * dropout_mask(shape, p, seed=7, call=0)) / (1 - p)
        y.backward(tensors["dy"])
        tensors |= {f"p={p}/y": y, f"p={p}/x.grad": x.grad}
    return tensors


def positionwise_feed_forward():
    d_model, d_ff = 6, 10
    data = {
        "x": torch.randn(2, 3, d_model),
        "w1": torch.randn(d_model, d_ff) / d_model**0.5,
        "b1": torch.randn(d_ff),
        "w2": torch.randn(d_ff, d_model) / d_ff**0.5,
        "b2": torch.randn(d_model),
        "dy": torch.randn(2, 3, d_model),
    }
    tensors = dict(data)
    for mode in ("train", "eval"):
        for bias in ("bias", "no_bias"):
            t = {name: leaf(value) for name, value in data.items()}
            h = torch.matmul(t["x"], t["w1"])
            if bias == "bias":
                h = h + t["b1"]
            h = h.clamp(min=0)
            if mode == "train":
                h = (h * dropout_mask(h.shape, 0.1, seed=7, call=0)) / (1 - 0.1)
            y = torch.matmul(h, t["w2"])
            if bias == "bias":
                y = y + t["b2"]
            y.backward(data["dy"])
            tensors[f"{mode}/{bias}/y"] = y
            for name in ("x", "w1", "b1", "w2", "b2"):
                if t[name].grad is not None:
                    tensors[f"{mode}/{bias}/{name}.grad"] = t[name].grad
    return tensors


def write(folder):
    torch.manual_seed(0)
    golden.write(folder / "relu.txt", relu())
    golden.write(folder / "dropout.txt", dropout())
    golden.write(folder / "positionwise_feed_forward.txt", positionwise_feed_forward())
