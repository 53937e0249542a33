"""The modules of a Transformer: values and the inputs' gradients in training, and values in evaluation."""

import numpy
import torch
import torch.nn.functional as F
from torch import nn

from attention import MultiHeadAttention, TransformerBlock
from feed_forwards import (
    Adaptive, FeedForward, GatedFeedForward, MixedPrecisionFFN, MoE, PositionwiseFeedForward,
    PoswiseFeedForwardNet, SparseMoE,
)
from golden import drawn


def results(module, *inputs):
    """Of a shape, drawn numbers are the input. Parameters are drawn in the order of their names."""
    parameters = dict(sorted(module.named_parameters()))
    for p in parameters.values():
        p.data = drawn(*p.shape) / 2
    xs = [x if isinstance(x, torch.Tensor) else drawn(*x).requires_grad_() for x in inputs]
    y, *more = outputs(module, xs)
    y.backward(drawn(*y.shape))
    return [y, *more, *(x.grad for x in xs if x.requires_grad), outputs(module.eval(), xs)[0]]


def outputs(module, inputs):
    y = module(*inputs)
    return y if isinstance(y, tuple) else (y,)


def embedding(ids):
    """Word and position embeddings of ids, 0 being padding."""
    words, positions = nn.Embedding(7, 6), torch.arange(1, 5).repeat(2, 1) * (ids != 0)
    words.weight.data = drawn(7, 6)
    angle = numpy.arange(9)[:, None] / numpy.power(10000, 2 * (numpy.arange(6) // 2) / 6)
    angle[:, 0::2], angle[:, 1::2] = numpy.sin(angle[:, 0::2]), numpy.cos(angle[:, 1::2])
    table = torch.FloatTensor(angle)
    y = words(ids) + nn.Embedding.from_pretrained(table, freeze=True)(positions)
    y.backward(drawn(*y.shape))
    return [y, words.weight.grad, table]


def entries():
    pad = torch.zeros(2, 3, 5)
    pad[0, :, 3:] = 1
    pad[1, 2, :] = 1  # a row that is masked all over
    causal = torch.ones(1, 3, 3).triu(1)
    x, more = (2, 3, 2), (2, 5, 2)
    modules = {
        "positionwise_feed_forward": (lambda: PositionwiseFeedForward(2, 5, 0.1, True), x),
        "positionwise_feed_forward without bias": (lambda: PositionwiseFeedForward(2, 5, 0.1, False), x),
        "feed_forward": (lambda: FeedForward(2, 5, 0.1, F.relu), x),
        "feed_forward_gelu": (lambda: FeedForward(2, 5, 0.1, F.gelu), x),
        "gated_feed_forward": (lambda: GatedFeedForward(2, 5, 0.1, F.gelu, True), x),
        "swiglu": (lambda: GatedFeedForward(2, 5, 0.1, F.silu, False), x),
        "moe": (lambda: MoE(2, 3, 3, 0.1), x),
        "sparse_moe_top1": (lambda: SparseMoE(2, 3, 4, 1), x),
        "sparse_moe_top2": (lambda: SparseMoE(2, 3, 4, 2), x),
        "adaptive": (lambda: Adaptive(2, 8, 0), x),
        "adaptive_ramp": (lambda: Adaptive(2, 8, 4), x),
        "multi_head_attention": (lambda: MultiHeadAttention(2, 2, 3), x, more, more, pad),
        "transformer_block": (lambda: TransformerBlock(4, 2, 3, 0.1), (2, 3, 4), causal),
        "poswise_feed_forward_net": (lambda: PoswiseFeedForwardNet(2, F.gelu), x),
        "mixed_precision_ffn": (lambda: MixedPrecisionFFN(2, 5, 0.1, torch.half), x),
        "mixed_precision_ffn_bfloat16": (lambda: MixedPrecisionFFN(2, 5, 0.1, torch.bfloat16), x),
    }
    ids = torch.tensor([[3, 6, 1, 0], [3, 3, 0, 5]])
    return {"nn/embedding": lambda: embedding(ids)} | {
        f"nn/{name}": lambda make=make, inputs=inputs: results(make(), *inputs)
        for name, (make, *inputs) in modules.items()}
