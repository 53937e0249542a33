"""Attention, and the Transformer's encoder of it."""

import copy

import _stepgrad

from . import functional as F
from . import init
from .containers import ModuleList
from .layers import Dropout, LayerNorm, Linear
from .module import Module, Parameter


class NonDynamicallyQuantizableLinear(Linear):
    """A Linear, under the name that PyTorch prints."""


class MultiheadAttention(Module):
    """Q, K, V by one product each, heads side by side: [length, batch, embed_dim], or with batch_first
    [batch, length, embed_dim], or [length, embed_dim]."""

    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, batch_first=False):
        super().__init__()
        if embed_dim % num_heads:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.dropout, self.batch_first = dropout, batch_first
        self.in_proj_weight = Parameter(_stepgrad._empty((3 * embed_dim, embed_dim), _stepgrad.float32))
        if bias:
            self.in_proj_bias = Parameter(_stepgrad._zeros((3 * embed_dim,), _stepgrad.float32))
        else:
            self.register_parameter("in_proj_bias", None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias)
        init.xavier_uniform_(self.in_proj_weight)
        if bias:
            init.zeros_(self.out_proj.bias)

    def _heads(self, x, i):
        """[length, batch, embed_dim] -> [batch, heads, length, head_dim]; i: 0 query, 1 key, 2 value."""
        e = self.embed_dim
        bias = None if self.in_proj_bias is None else self.in_proj_bias[i * e : (i + 1) * e]
        y = F.linear(x, self.in_proj_weight[i * e : (i + 1) * e], bias)
        return y.reshape(*y.shape[:2], self.num_heads, self.head_dim).permute(1, 2, 0, 3)

    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None,
                average_attn_weights=True):
        batched = query.dim() == 3
        q, k, v = (self._arranged(x, batched) for x in (query, key, value))
        if key_padding_mask is not None and not batched:
            key_padding_mask = key_padding_mask.unsqueeze(0)
        length, batch = q.shape[:2]
        scores = self._heads(q, 0) @ self._heads(k, 1).transpose(-1, -2) / self.head_dim**0.5
        if attn_mask is not None:
            if attn_mask.dim() == 3:  # [batch · heads, length, length]
                attn_mask = attn_mask.reshape(batch, self.num_heads, *attn_mask.shape[1:])
            scores = _masked(scores, attn_mask)
        if key_padding_mask is not None:
            scores = _masked(scores, key_padding_mask.unsqueeze(1).unsqueeze(2))
        weights = F.dropout(scores.softmax(-1), self.dropout, self.training)
        mixed = (weights @ self._heads(v, 2)).permute(2, 0, 1, 3)
        y = self.out_proj(mixed.reshape(length, batch, self.embed_dim))
        if not batched:
            y, weights = y.squeeze(1), weights.squeeze(0)
        elif self.batch_first:
            y = y.transpose(0, 1)
        if not need_weights:
            return y, None
        return y, weights.mean(-3) if average_attn_weights else weights

    def _arranged(self, x, batched):
        if not batched:
            return x.unsqueeze(1)
        return x.transpose(0, 1) if self.batch_first else x


def _masked(scores, mask):
    """-inf where a bool mask is true; any other is added."""
    if mask.is_floating_point():
        return scores + mask
    return scores.masked_fill(mask.bool(), float("-inf"))


class TransformerEncoderLayer(Module):
    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu,
                 layer_norm_eps=1e-5, batch_first=False, norm_first=False):
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first)
        self.linear1 = Linear(d_model, dim_feedforward)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model)
        self.norm_first = norm_first
        self.norm1, self.norm2 = LayerNorm(d_model, layer_norm_eps), LayerNorm(d_model, layer_norm_eps)
        self.dropout1, self.dropout2 = Dropout(dropout), Dropout(dropout)
        named = {"relu": F.relu, "gelu": F.gelu}
        if isinstance(activation, str) and activation not in named:
            raise RuntimeError(f"activation should be relu/gelu, not {activation}")
        self.activation = named[activation] if isinstance(activation, str) else activation

    def forward(self, src, src_mask=None, src_key_padding_mask=None):
        if self.norm_first:
            src = src + self._attention(self.norm1(src), src_mask, src_key_padding_mask)
            return src + self._feed_forward(self.norm2(src))
        src = self.norm1(src + self._attention(src, src_mask, src_key_padding_mask))
        return self.norm2(src + self._feed_forward(src))

    def _attention(self, x, mask, padding):
        return self.dropout1(self.self_attn(x, x, x, attn_mask=mask, key_padding_mask=padding,
                                            need_weights=False)[0])

    def _feed_forward(self, x):
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerEncoder(Module):
    def __init__(self, encoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = ModuleList(copy.deepcopy(encoder_layer) for _ in range(num_layers))
        self.num_layers, self.norm = num_layers, norm

    def forward(self, src, mask=None, src_key_padding_mask=None):
        for layer in self.layers:
            src = layer(src, src_mask=mask, src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)
