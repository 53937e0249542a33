# Attention as one op and step by step, with every kind of mask. torch 1.13 has its formula alone.
import torch, torch.nn as nn, torch.nn.functional as F
inf = float("inf")
def formula(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    scores = q @ k.transpose(-1, -2) * (q.size(-1) ** -0.5 if scale is None else scale)
    if is_causal: attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    if attn_mask is None: return scores.softmax(-1) @ v
    return (scores.masked_fill(~attn_mask, -inf) if attn_mask.dtype == torch.bool else scores + attn_mask).softmax(-1) @ v
sdpa = getattr(F, "scaled_dot_product_attention", formula)
q = torch.tensor([[0.3, -1.0], [0.7, 0.2], [1.5, -0.4]], requires_grad=True)
k = torch.tensor([[1.1, 0.6], [-0.5, 0.9], [0.2, 0.8]], requires_grad=True)
v = torch.tensor([[1.0, 2.0, 3.0], [-1.0, 0.5, 0.0], [4.0, -2.0, 1.0]], requires_grad=True)
a = (torch.arange(24.0) * 0.7).sin().reshape(1, 2, 3, 4).requires_grad_()
b = (torch.arange(40.0) * 0.3).cos().reshape(1, 2, 5, 4).requires_grad_()
left = torch.tensor([[True, False, False], [True, True, False], [False, True, True]])
added = torch.tensor([[0.5, -1.0, 0.0], [0.0, -inf, 1.0], [2.0, 0.0, -0.5]])
learnt = torch.tensor([[0.5, -1.0, 0.0]] * 3, requires_grad=True)
ahead = torch.full((3, 3), -inf).triu(1)
sdpa(q, k, v)
sdpa(q, k, v, scale=0.3)
sdpa(q, k, v, is_causal=True)
sdpa(q, k, v, attn_mask=left)
sdpa(q, k, v, attn_mask=left[0])
sdpa(q, k, v, attn_mask=left[:, :1])
sdpa(q, k, v, attn_mask=added)
sdpa(q, k, v, attn_mask=ahead)
sdpa(q, k, v, attn_mask=learnt)
sdpa(q, k, v, ahead, 0.0)
sdpa(q, k, v, torch.zeros(3, 3))
sdpa(q, k, v, torch.tensor([[False] * 3, [True] * 3, [True] * 3]))
sdpa(a, b, b)
sdpa(a, b, b, is_causal=True)
sdpa(a, b, b[..., :3])
sdpa(a, b, b, attn_mask=torch.ones(1, 1, 3, 5, dtype=torch.bool).tril(1))
sdpa(a, b, b, attn_mask=torch.ones(2, 1, 5, dtype=torch.bool))
sdpa(a, b[:, :1], b)
sdpa(a[0], b, b)
sdpa(a.expand(2, 2, 3, 4), b.expand(2, 2, 5, 4), b.expand(2, 2, 5, 4))
sdpa(a.transpose(1, 2), b.transpose(1, 2)[:, :3], b.transpose(1, 2)[:, :3])
sdpa(q, k[:, :1], v)
sdpa(q, k, v[:2])
sdpa(q, k, v, attn_mask=left[:2])
sdpa(q.long(), k.long(), v.long())
with torch.no_grad(): quiet = sdpa(q, k, v)
quiet
sdpa(q, k, v).sum().backward()
torch.autograd.grad(sdpa(q, k, v, attn_mask=left).sum(), [q, v])
q.grad = k.grad = v.grad = None
def filled(m):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()): p.copy_((torch.arange(float(p.numel())) * (0.7 + 0.1 * i)).sin().reshape(p.shape) * 0.4)
    return m
x = (torch.arange(24.0) * 0.9).cos().reshape(3, 2, 4).requires_grad_()
y = (torch.arange(40.0) * 0.4).sin().reshape(5, 2, 4).requires_grad_()
mha = filled(nn.MultiheadAttention(4, 2))
padding = torch.tensor([[False, False, True], [False, True, False]])
mha(x, x, x, need_weights=False)[0]
mha(x, x, x, need_weights=False)[1]
mha(x, y, y, need_weights=False)[0]
mha(x, x, x, need_weights=False, attn_mask=ahead.bool())[0]
mha(x, x, x, need_weights=False, attn_mask=ahead)[0]
mha(x, x, x, need_weights=False, attn_mask=added)[0]
mha(x, x, x, need_weights=False, key_padding_mask=padding)[0]
mha(x, x, x, need_weights=False, key_padding_mask=padding, attn_mask=ahead.bool())[0]
mha(x, x, x, need_weights=False, key_padding_mask=padding, attn_mask=ahead)[0]
mha(x, x, x, need_weights=False, key_padding_mask=padding, attn_mask=added)[0]
mha(x, x, x, need_weights=True, key_padding_mask=padding, attn_mask=added)[0]
mha(x, x, x, key_padding_mask=padding, attn_mask=ahead.bool())[1]
mha(x, x, x, attn_mask=ahead, average_attn_weights=False)[1]
mha(x, x, x, need_weights=False, attn_mask=torch.stack([ahead.bool()] * 4))[0]
mha(x, x, x, need_weights=False, attn_mask=torch.stack([ahead, added, ahead, added]))[0]
mha(x[:, 0], x[:, 0], x[:, 0], need_weights=False, key_padding_mask=padding[0])[0]
mha(x[:, 0], y[:, 0], y[:, 0])
mha(x, x, x, attn_mask=left[:2])
mha(x, y, x, need_weights=False)
mha.eval()(x, x, x, need_weights=False)[0]
filled(nn.MultiheadAttention(4, 2, dropout=0.5)).eval()(x, x, x, need_weights=False)[0]
filled(nn.MultiheadAttention(4, 2, batch_first=True))(x, x, x, need_weights=False)[0]
filled(nn.MultiheadAttention(4, 2, add_zero_attn=True))(x, x, x, need_weights=False, attn_mask=ahead.bool())[0]
filled(nn.MultiheadAttention(4, 2, add_bias_kv=True))(x, x, x, need_weights=False, key_padding_mask=padding)[0]
filled(nn.MultiheadAttention(4, 1, kdim=4, vdim=4, bias=False))(x, y, y, need_weights=False)[0]
layer = filled(nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0))
layer(x, src_mask=ahead, src_key_padding_mask=padding)
filled(nn.TransformerDecoderLayer(4, 2, 8, dropout=0.0))(x, y, tgt_mask=ahead.bool()).detach()
