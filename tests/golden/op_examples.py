"""Each OpExample of tests/ops as PyTorch computes it: a new op is one line here."""

import torch
import torch.nn.functional as F

import golden
from notebook import leaf


def rounded(dtype):
    def f(x):
        y = x.to(dtype).float()
        return x + (y - y)
    return f


def dropped(x, p):
    return x * (golden.uniform(x.shape, 0, 0) < 1 - p) / (1 - p)


def index_add(x, ids, rows):
    return x.index_add(0, ids.long(), rows)


def feed_forward(x, w1, b1, w2, b2):
    return dropped(F.relu(x @ w1 + b1), 0.25) @ w2 + b2


def attention(q, k, v):
    s = (q @ k.transpose(-1, -2) * 0.5).masked_fill(MASK != 0, -1e9)
    return dropped(F.softmax(s, -1), 0.25) @ v


IDS, MASK = torch.tensor([[2.0, 0, 2], [1, 2, 2]]), torch.tensor([0.0, 1, 0])
EXAMPLES = {  # what it computes, and its operands: a shape, or numbers that have no gradient
    "abs": (torch.abs, (2, 3)),
    "add": (torch.add, (2, 3), (3,)),
    "amax": (lambda x: x.amax(1), (2, 3)),
    "batched_matmul": (torch.matmul, (2, 1, 2, 3), (3, 3, 2)),
    "bfloat16": (rounded(torch.bfloat16), (2, 3)),
    "checkpoint": (torch.sigmoid, (2, 3)),
    "clamp": (lambda x: x.clamp(-1, 1), (2, 3)),
    "clone": (torch.clone, (2, 3)),
    "concat": (lambda a, b: torch.cat([a, b, a], 1), (2, 3), (2, 2)),
    "cross_entropy": (lambda x, ids: F.cross_entropy(x, ids.long()), (2, 3), IDS[0, :2]),
    "cumsum": (lambda x: x.cumsum(1), (2, 3)),
    "div": (torch.div, (2, 3), (3,)),
    "dropout_mask": (lambda x: dropped(x, 0.5), (2, 3)),
    "embedding": (lambda w, ids: F.embedding(ids.long(), w), (3, 4), IDS),
    "erf": (torch.erf, (2, 3)),
    "exp": (torch.exp, (2, 3)),
    "expand": (lambda x: x.expand(4, -1, 3), (2, 3)),
    "fused_feed_forward": (feed_forward, (2, 3), (3, 4), (4,), (4, 3), (3,)),
    "gather": (lambda x: x.gather(1, torch.tensor([[2, 2], [0, 1]])), (2, 3)),
    "gelu": (F.gelu, (2, 3)),
    "gelu_tanh": (lambda x: F.gelu(x, approximate="tanh"), (2, 3)),
    "half": (rounded(torch.half), (2, 3)),
    "index_add": (index_add, (3, 3), IDS[0], (3, 3)),
    "layer_norm": (lambda x, w, b: F.layer_norm(x, (3,), w, b), (2, 3), (3,), (3,)),
    "linear": (F.linear, (2, 3), (4, 3)),
    "log": (lambda x: torch.log(x * x), (2, 3)),
    "log_softmax": (lambda x: F.log_softmax(x, -1), (2, 3)),
    "masked_fill": (lambda x, mask: x.masked_fill(mask != 0, 9), (2, 3), MASK),
    "matmul": (torch.matmul, (2, 3), (3, 4)),
    "maximum": (torch.maximum, (2, 3), (3,)),
    "mean": (lambda x: x.mean(0), (2, 3)),
    "mul": (torch.mul, (2, 3), (3,)),
    "neg": (torch.neg, (2, 3)),
    "permute": (lambda x: x.permute(2, 0, 1), (3, 3, 2)),
    "pow": (lambda a, b: (a * a) ** b, (2, 3), (3,)),
    "relu": (torch.relu, (2, 3)),
    "repeat": (lambda x: x.repeat(2, 1, 3), (2, 3)),
    "reshape": (lambda x: x.reshape(3, -1), (2, 3)),
    "sigmoid": (torch.sigmoid, (2, 3)),
    "silu": (F.silu, (2, 3)),
    "slice": (lambda x: x[:, 1:3], (2, 3)),
    "softmax": (lambda x: F.softmax(x, -1), (2, 3)),
    "sqrt": (lambda x: torch.sqrt(x * x + 1), (2, 3)),
    "std": (lambda x: x.std(1), (2, 3)),
    "sub": (torch.sub, (2, 3), (3,)),
    "sum": (lambda x: x.sum(-1), (2, 3)),
    "tanh": (torch.tanh, (2, 3)),
    "triu": (lambda x: x.triu(1), (2, 3)),
    "trunc": (lambda x: x * x.detach().trunc(), (2, 3)),
    "where": (lambda a, b, mask: torch.where(mask != 0, a, b), (2, 3), (3,), MASK),
    "fused_attention": (attention, (2, 3, 2), (2, 3, 2), (2, 3, 4)),
    "prod": (lambda x: x.prod(1), (2, 3)),
}


def write(folder):
    torch.manual_seed(3)
    tensors = {}
    for op, (f, *operands) in EXAMPLES.items():
        xs = [leaf(torch.randn(x)) if isinstance(x, tuple) else x for x in operands]
        y = f(*xs)
        dy = torch.randn(y.shape)
        y.backward(dy)
        for i, x in enumerate(xs):
            tensors[f"{op}/{i}"] = x
            if x.requires_grad:
                tensors[f"{op}/{i}.grad"] = x.grad
        tensors[f"{op}/dy"], tensors[f"{op}/y"] = dy, y
    golden.write(folder / "op_examples.txt", tensors)
