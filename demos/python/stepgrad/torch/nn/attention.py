"""Attention, and the Transformer."""

import contextlib
import copy
import enum

import _stepgrad

from . import functional as F
from . import init
from .containers import ModuleList
from .layers import Dropout, LayerNorm, Linear, _check_dtype, _uninitialised
from .module import Module
from .parameter import Parameter

__all__ = """MultiheadAttention Transformer TransformerEncoder TransformerDecoder TransformerEncoderLayer
TransformerDecoderLayer""".split()


class SDPBackend(enum.Enum):
    ERROR, MATH, FLASH_ATTENTION, EFFICIENT_ATTENTION, CUDNN_ATTENTION = range(-1, 4)


def sdpa_kernel(backends, set_priority=False):
    return contextlib.nullcontext()


class NonDynamicallyQuantizableLinear(Linear):
    """With the name that PyTorch prints."""


class MultiheadAttention(Module):
    """Of [length, batch, embed_dim], or [batch, length, embed_dim] with batch_first, or [length, embed_dim]."""

    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False,
            kdim=None, vdim=None, batch_first=False, device=None, dtype=None):
        super().__init__()
        _check_dtype(device, dtype)
        if embed_dim % num_heads:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.kdim, self.vdim = kdim or embed_dim, vdim or embed_dim
        if add_bias_kv or add_zero_attn:
            raise NotImplementedError("MultiheadAttention: add_bias_kv and add_zero_attn are not here")
        self.dropout, self.batch_first = dropout, batch_first
        one = self.kdim == self.vdim == embed_dim
        self.in_proj_weight = _uninitialised(3 * embed_dim, embed_dim) if one else None
        for name, width in zip("qkv", (embed_dim, self.kdim, self.vdim)):
            self.register_parameter(f"{name}_proj_weight",
                None if one else _uninitialised(embed_dim, width))
        self.register_parameter("in_proj_bias", Parameter(
            _stepgrad._zeros((3 * embed_dim,), _stepgrad.float32)) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias)
        for name, w in self.named_parameters(recurse=False):
            if name.endswith("proj_weight"):
                init.xavier_uniform_(w)
        if bias:
            init.zeros_(self.out_proj.bias)

    def _projected(self, x, i):
        """[length, batch, width] -> [batch, heads, length, head_dim]; i: 0 query, 1 key, 2 value."""
        part, one, bias = slice(i * self.embed_dim, (i + 1) * self.embed_dim), self.in_proj_weight, self.in_proj_bias
        weight = one[part] if one is not None else getattr(self, "qkv"[i] + "_proj_weight")
        y = F.linear(x, weight, None if bias is None else bias[part])
        return y.reshape(*y.shape[:2], self.num_heads, self.head_dim).permute(1, 2, 0, 3)

    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None,
            average_attn_weights=True, is_causal=False):
        if key.shape[:-1] != value.shape[:-1]:
            raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")
        if query.dim() not in (2, 3) or key.dim() != query.dim():
            raise AssertionError(f"a query of {query.dim()} dimensions and a key of {key.dim()}: both should have 2 or 3")
        batched = query.dim() == 3
        q, k, v = (self._arranged(x, batched) for x in (query, key, value))
        if is_causal and attn_mask is None:
            attn_mask = _stepgrad._ones((q.size(0), k.size(0)), _stepgrad.bool).triu(1)
        if key_padding_mask is not None and not batched:
            key_padding_mask = key_padding_mask.unsqueeze(0)
        length, batch = q.shape[:2]
        _check_shapes(q, k, key_padding_mask, attn_mask, batch * self.num_heads)
        q = self._projected(q, 0)
        k, v = self._projected(k, 1), self._projected(v, 2)
        mask = self._mask(attn_mask, key_padding_mask, batch)
        root, p, weights = self.head_dim**0.5, self.dropout if self.training else 0.0, None
        if need_weights:
            weights = F.dropout(F._masked(q @ k.transpose(-1, -2) / root, mask).softmax(-1), p)
        mixed = weights @ v if need_weights else F._attend(q, k, v, mask, 1 / root, p)
        y = self.out_proj(mixed.permute(2, 0, 1, 3).reshape(length, batch, self.embed_dim))
        if need_weights and average_attn_weights:
            weights = weights.mean(1)
        if batched:
            return (y.transpose(0, 1) if self.batch_first else y), weights
        return y.squeeze(1), weights if weights is None else weights.squeeze(0)

    def _mask(self, attn_mask, padding, batch):
        """Both masks as one that broadcasts to [batch, heads, length, keys]."""
        if attn_mask is not None and attn_mask.dim() == 3:  # [batch · heads, length, keys]
            attn_mask = attn_mask.reshape(batch, self.num_heads, *attn_mask.shape[1:])
        if padding is not None:
            padding = padding.unsqueeze(1).unsqueeze(2)
        masks = [mask if mask.is_floating_point() else mask.bool() for mask in (attn_mask, padding)
            if mask is not None]
        if len(masks) < 2:
            return masks[0] if masks else None
        one, other = masks if masks[0].is_floating_point() else masks[::-1]
        return F._masked(one, other) if one.is_floating_point() else one | other

    def _arranged(self, x, batched):
        if not batched:
            return x.unsqueeze(1)
        return x.transpose(0, 1) if self.batch_first else x


def _check_shapes(q, k, padding, mask, heads):
    """Refuses shapes that would broadcast by mistake."""
    if k.size(1) != q.size(1):
        raise RuntimeError(f"a batch of {q.size(1)} queries and of {k.size(1)} keys")
    if padding is not None and tuple(padding.shape) != (k.size(1), k.size(0)):
        raise AssertionError(f"key_padding_mask is of {padding.shape}, and should be of {(k.size(1), k.size(0))}")
    if mask is not None and tuple(mask.shape) not in ((len(q), len(k)), (heads, len(q), len(k))):
        raise RuntimeError(f"attn_mask is of {mask.shape}, and should be of ([{heads},] {len(q)}, {len(k)})")


class _TransformerLayer(Module):
    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu,
            layer_norm_eps=1e-5, batch_first=False, norm_first=False, device=None, dtype=None):
        super().__init__()
        _check_dtype(device, dtype)
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first)
        self._other_attention(d_model, nhead, dropout, batch_first)
        self.linear1 = Linear(d_model, dim_feedforward)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model)
        self.norm_first = norm_first
        for name, make, of in ("norm", LayerNorm, (d_model, layer_norm_eps)), ("dropout", Dropout, (dropout,)):
            for i in range(1, self._parts + 1):
                setattr(self, f"{name}{i}", make(*of))
        named = {"relu": F.relu, "gelu": F.gelu}
        if isinstance(activation, str) and activation not in named:
            raise RuntimeError(f"activation should be relu/gelu, not {activation}")
        self.activation = named[activation] if isinstance(activation, str) else activation

    def _other_attention(self, d_model, nhead, dropout, batch_first):
        """An encoder has none."""

    def _through(self, x, *parts):
        """x + part(x) for each part in turn, normalised before or after."""
        for i, part in enumerate(parts, 1):
            norm, dropout = getattr(self, f"norm{i}"), getattr(self, f"dropout{i}")
            x = x + dropout(part(norm(x))) if self.norm_first else norm(x + dropout(part(x)))
        return x

    def _feed_forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))


def _attend(attention, x, to, mask, padding):
    return attention(x, to, to, attn_mask=mask, key_padding_mask=padding, need_weights=False)[0]


class TransformerEncoderLayer(_TransformerLayer):
    _parts = 2

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        def attention(x):
            return _attend(self.self_attn, x, x, src_mask, src_key_padding_mask)

        return self._through(src, attention, self._feed_forward)


class TransformerDecoderLayer(_TransformerLayer):
    _parts = 3

    def _other_attention(self, d_model, nhead, dropout, batch_first):
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first)

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
            memory_key_padding_mask=None, tgt_is_causal=False, memory_is_causal=False):
        def attention(x):
            return _attend(self.self_attn, x, x, tgt_mask, tgt_key_padding_mask)

        def to_memory(x):
            return _attend(self.multihead_attn, x, memory, memory_mask, memory_key_padding_mask)

        return self._through(tgt, attention, to_memory, self._feed_forward)


class _Stack(Module):
    def __init__(self, layer, num_layers, norm):
        super().__init__()
        self.layers = ModuleList(copy.deepcopy(layer) for _ in range(num_layers))
        self.num_layers, self.norm = num_layers, norm

    def _through(self, x, *memory, **masks):
        for layer in self.layers:
            x = layer(x, *memory, **masks)
        return x if self.norm is None else self.norm(x)


class TransformerEncoder(_Stack):
    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__(encoder_layer, num_layers, norm)

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        return self._through(src, src_mask=mask, src_key_padding_mask=src_key_padding_mask)


class TransformerDecoder(_Stack):
    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__(decoder_layer, num_layers, norm)

    def forward(self, tgt, memory, *masks, **named):
        return self._through(tgt, memory, *masks, **named)


class Transformer(Module):
    def __init__(self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048,
            dropout=0.1, activation=F.relu, custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-5,
            batch_first=False, norm_first=False, device=None, dtype=None):
        super().__init__()
        of = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first,
            device, dtype)
        self.encoder = custom_encoder or TransformerEncoder(
            TransformerEncoderLayer(*of), num_encoder_layers, LayerNorm(d_model, layer_norm_eps))
        self.decoder = custom_decoder or TransformerDecoder(
            TransformerDecoderLayer(*of), num_decoder_layers, LayerNorm(d_model, layer_norm_eps))
        for p in self.parameters():
            if p.dim() > 1:
                init.xavier_uniform_(p)
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def forward(self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None,
            tgt_key_padding_mask=None, memory_key_padding_mask=None):
        batch = 0 if self.batch_first else 1
        if src.dim() == 3 and src.size(batch) != tgt.size(batch):
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(src, src_mask, src_key_padding_mask)
        return self.decoder(tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask)

    @staticmethod
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        """-inf above the diagonal, else 0: no position sees a later one."""
        return _stepgrad._full((sz, sz), float("-inf"), _stepgrad.float32).triu(1)
