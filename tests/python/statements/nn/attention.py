# Attention and the Transformer. torch 1.13 has only the formula of the fused one.
inf = float("inf")
def formula(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    scores = q @ k.transpose(-1, -2) * (q.size(-1) ** -0.5 if scale is None else scale)
    if is_causal: attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    if attn_mask is None: return scores.softmax(-1) @ v
    return (scores.masked_fill(~attn_mask, -inf) if attn_mask.dtype == torch.bool else scores + attn_mask).softmax(-1) @ v
sdpa = getattr(F, "scaled_dot_product_attention", formula)
q = leaf([[0.3, -1.0], [0.7, 0.2], [1.5, -0.4]])
k = leaf([[1.1, 0.6], [-0.5, 0.9], [0.2, 0.8]])
v = leaf([[1.0, 2.0, 3.0], [-1.0, 0.5, 0.0], [4.0, -2.0, 1.0]])
left = torch.tensor([[True, False, False], [True, True, False], [False, True, True]])
sdpa(q, k, v, scale=0.3)
sdpa(q, k, v, is_causal=True)
# Refused
sdpa(q, k, v, attn_mask=left[:2])
# Not refused
x = (torch.arange(24.) * 0.37).cos().reshape(3, 2, 4)
a = filled(nn.MultiheadAttention(4, 2))
a(x[:, 0], x[:, 0], x[:, 0], key_padding_mask=torch.tensor([False, False, True]))
e = filled(nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0))
t = nn.TransformerEncoder(e, 2)
t(x), t.layers[0] is e
x = torch.linspace(-2, 2, 24).mul(5).sin().reshape(3, 2, 4).requires_grad_()
y = torch.linspace(-1, 3, 16).reshape(2, 2, 4)
mask = nn.Transformer.generate_square_subsequent_mask(3)
net = filled(nn.Transformer(4, 2, 1, 1, 8))
# Masks that differ for each batch, head and query
whole, by_head = torch.arange(12).reshape(3, 4) % 5 == 1, torch.arange(48).reshape(4, 3, 4) % 7 == 2
padded = torch.tensor([[False, False, True, False], [True, False, False, False]])
def attended(code):
    a, q, k = filled(nn.MultiheadAttention(4, 2, batch_first=True)), x.transpose(0, 1), x[[0, 1, 2, 0]].transpose(0, 1)
    return [a(q, k, k, attn_mask=eval(code), key_padding_mask=p, **more) for p in (None, padded)
        for more in ({}, {"average_attn_weights": False}, {"need_weights": False})]
table(attended, """
None
whole
by_head
whole * 0.5
by_head * 0.5""")
net(x, y, mask, mask[:2, :2], torch.tensor([[0.0, 0.5, -0.5], [1.0, 0.0, 0.25]]), padded[:, 1:], padded[:, 2:] & False, padded[:, :3])
# Refused
nn.MultiheadAttention(4, 2)(torch.ones(3, 4), torch.ones(3, 1, 4), torch.ones(3, 1, 4))
net(x, torch.ones(2, 3, 4))
nn.Transformer(4, 2, 1, 1, 8)(torch.ones(2, 1, 3), torch.ones(2, 1, 3))
