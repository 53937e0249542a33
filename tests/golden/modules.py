"""The modules of a Transformer: values and every gradient, in training and in evaluation."""

import numpy
import torch
import torch.nn.functional as F
from torch import nn

import golden
from attention import MultiHeadAttention, ScaledDotProductAttention, TransformerBlock
from feed_forwards import (
    Adaptive, CheckpointedFFN, Dropout, FeedForward, GatedFeedForward, MixedPrecisionFFN, MoE,
    PoswiseFeedForwardNet, Residual, SparseMoE,
)
from notebook import leaf


def run(module, *inputs):
    """Parameters, inputs, and for both modes the outputs and all gradients, of one random dy."""
    tensors = dict(module.state_dict())
    for i, x in enumerate(inputs):
        tensors[f"x{i}"] = x
    for mode in ("train", "eval"):
        module.train(mode == "train").zero_grad(set_to_none=True)
        Dropout.calls = 0
        leaves = [leaf(x) for x in inputs]
        y = module(*leaves)
        y, *more = y if isinstance(y, tuple) else (y,)
        dy = tensors.setdefault("dy", torch.randn(y.shape))
        y.backward(dy)
        tensors[f"{mode}/y"] = y
        tensors |= {f"{mode}/y{i}": value for i, value in enumerate(more, 1)}
        grads = dict(module.named_parameters()) | {f"x{i}": x for i, x in enumerate(leaves)}
        for name, tensor in grads.items():
            if tensor.grad is not None:
                tensors[f"{mode}/{name}.grad"] = tensor.grad
    return tensors


def embedding(ids):
    """Word and position embeddings of ids, 0 being padding."""
    words, positions = nn.Embedding(7, 6), torch.arange(1, 5).repeat(2, 1) * (ids != 0)
    angle = numpy.arange(9)[:, None] / numpy.power(10000, 2 * (numpy.arange(6) // 2) / 6)
    angle[:, 0::2], angle[:, 1::2] = numpy.sin(angle[:, 0::2]), numpy.cos(angle[:, 1::2])
    table = torch.FloatTensor(angle)
    y = words(ids) + nn.Embedding.from_pretrained(table, freeze=True)(positions)
    dy = torch.randn(y.shape)
    y.backward(dy)
    return {"ids": ids, "weight": words.weight, "dy": dy, "positions": positions, "y": y,
            "table": table, "weight.grad": words.weight.grad}


def write(folder):
    torch.manual_seed(1)
    x, more = torch.randn(2, 3, 4), torch.randn(2, 5, 4)
    pad = torch.zeros(2, 3, 5)
    pad[0, :, 3:] = 1
    pad[1, 2, :] = 1  # a row that is masked all over
    causal = torch.ones(1, 3, 3).triu(1)
    modules = {
        "linear": (nn.Linear(4, 5), x),
        "feed_forward": (FeedForward(4, 6, 0.1, F.relu), x),
        "feed_forward_gelu": (FeedForward(4, 6, 0.1, F.gelu), x),
        "gated_feed_forward": (GatedFeedForward(4, 6, 0.1, F.gelu, True), x),
        "swiglu": (GatedFeedForward(4, 6, 0.1, F.silu, False), x),
        "moe": (MoE(4, 6, 3, 0.1), x),
        "sparse_moe_top1": (SparseMoE(4, 5, 4, 1), x),
        "sparse_moe_top2": (SparseMoE(4, 5, 4, 2), x),
        "adaptive": (Adaptive(4, 12, 0), x),
        "adaptive_ramp": (Adaptive(4, 12, 4), x),
        "layer_norm": (nn.LayerNorm(4), x),
        "multi_head_attention": (MultiHeadAttention(4, 2, 3), x, more, more.flip(1), pad),
        "transformer_block": (TransformerBlock(4, 2, 6, 0.1), x, causal),
        "poswise_feed_forward_net": (PoswiseFeedForwardNet(4, F.gelu), x),
        "poswise_feed_forward_net_relu": (PoswiseFeedForwardNet(4, F.relu), x),
        "residual_connection": (Residual(4, 0.1), x),
        "scaled_dot_product_attention": (ScaledDotProductAttention(), x, more, more.flip(1), pad),
        "checkpointed_ffn": (CheckpointedFFN(4, 6, 0.1), x),
        "mixed_precision_ffn": (MixedPrecisionFFN(4, 6, 0.1, torch.half), x),
        "mixed_precision_ffn_bfloat16": (MixedPrecisionFFN(4, 6, 0.1, torch.bfloat16), x),
    }
    for name, (module, *inputs) in modules.items():
        if name == "layer_norm":
            nn.init.normal_(module.weight), nn.init.normal_(module.bias)
        golden.write(folder / f"{name}.txt", run(module, *inputs))
    golden.write(folder / "embedding.txt", embedding(torch.tensor([[3, 6, 1, 0], [3, 3, 0, 5]])))
