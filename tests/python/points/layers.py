# Modules and functions of torch.nn: what they print, what they compute, and their gradients.
x = torch.linspace(-2, 2, 24).mul(5).sin().reshape(3, 2, 4).requires_grad_()
y = torch.linspace(-1, 3, 16).reshape(2, 2, 4)
v = leaf([[-3.5, -0.5, 0.3, 2.0]])
nn.RMSNorm(4, eps=1e-6)(v) if hasattr(nn, "RMSNorm") else v * (v.square().mean(-1, True) + 1e-6).rsqrt()
filled(nn.MultiheadAttention(4, 2, add_bias_kv=True))(x, x, x, attn_mask=torch.zeros(3, 3))[0]
filled(nn.MultiheadAttention(4, 2, add_zero_attn=True))(x, x, x, attn_mask=torch.ones(3, 3).triu(1).bool())[1]
mask = nn.Transformer.generate_square_subsequent_mask(3)
filled(nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 8), 2, nn.LayerNorm(4)))(x, y, tgt_mask=mask)
net = filled(nn.Transformer(4, 2, 1, 1, 8))
net(x, y, src_mask=mask, tgt_mask=mask[:2, :2], memory_key_padding_mask=torch.tensor([[False, False, True]] * 2))
late = nn.LazyLinear(3, bias=False); o = optim.SGD(late.parameters(), 0.1)
late(torch.ones(2, 2)).shape, late, o.param_groups[0]["params"][0] is late.weight
layers = nn.ModuleList([nn.ReLU(), nn.Tanh(), nn.ReLU()])
layers[1:]
layers.insert(1, nn.Identity())
del layers[0]
bool(nn.init.kaiming_uniform_(torch.empty(8, 6), nonlinearity="relu").abs().max() <= 1)
filled(nn.GroupNorm(2, 4, eps=0.1)), nn.GroupNorm(3, 3, affine=False)(x.permute(1, 0, 2))
filled(nn.GroupNorm(2, 4))(x.permute(1, 2, 0))
# Refused
F.conv1d(x, torch.ones(1, 3, 2))
F.conv1d(x, torch.ones(1, 2, 9))
nn.Conv1d(3, 4, 2, groups=2)
nn.MultiheadAttention(4, 3)
net(x, torch.ones(2, 3, 4))
nn.init.xavier_normal_(torch.empty(3))
nn.GroupNorm(3, 4)
F.group_norm(x, 3)
