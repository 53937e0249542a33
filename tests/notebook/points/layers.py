# Modules and functions of torch.nn: what they print, what they compute, and their gradients.
import torch, torch.nn as nn, torch.nn.functional as F, math, collections
def filled(module):
    """The same parameters on both sides."""
    with torch.no_grad():
        for k, p in enumerate(module.parameters()):
            p.copy_((torch.arange(float(p.numel())) * (0.37 + k * 0.11)).sin().reshape(p.shape) * 0.5)
    return module.eval()
x = torch.linspace(-2, 2, 24).mul(5).sin().reshape(3, 2, 4).requires_grad_()
y = torch.linspace(-1, 3, 16).reshape(2, 2, 4)
v = torch.tensor([[-3.5, -0.5, 0.3, 2.0]], requires_grad=True)
nn.LeakyReLU(0.2)(v)
nn.ELU(alpha=2.0)(v)
nn.ReLU6()(v * 4)
nn.LogSigmoid()(v)
nn.GLU()(v)
nn.LogSoftmax(dim=-1)(v)
nn.Flatten()(x)
nn.Identity(3, whatever=4)(v)
nn.LeakyReLU(0.1, inplace=True)(v * 1)
F.elu(v * 1, inplace=True)
conv = filled(nn.Conv1d(2, 3, 3, padding=1))
conv(x)
filled(nn.Conv1d(2, 4, kernel_size=2, stride=2, bias=False))(x)
filled(nn.Conv1d(2, 4, 2, groups=2, dilation=2))(x)
F.conv1d(x, torch.ones(1, 3, 2))
F.conv1d(x, torch.ones(1, 2, 9))
nn.Conv1d(3, 4, 2, groups=2)
norm = nn.BatchNorm1d(2)
norm(x)
norm.eval()(x)
nn.BatchNorm1d(4, affine=False, momentum=None)(x[:, 0])
nn.BatchNorm1d(4)(v)
nn.LayerNorm(4, elementwise_affine=False)(x)
nn.RMSNorm(4, eps=1e-6)(v) if hasattr(nn, "RMSNorm") else v * (v.square().mean(-1, True) + 1e-6).rsqrt()
mha = filled(nn.MultiheadAttention(4, 2))
mha(x, x, x)[0]
mha(y, x, x, average_attn_weights=False)[1].shape
filled(nn.MultiheadAttention(4, 2, add_bias_kv=True))(x, x, x, attn_mask=torch.zeros(3, 3))[0]
filled(nn.MultiheadAttention(4, 2, add_zero_attn=True))(x, x, x, attn_mask=torch.ones(3, 3).triu(1).bool())[1]
nn.MultiheadAttention(4, 3)
filled(nn.TransformerEncoderLayer(4, 2, 8)).train(False)(x)
filled(nn.TransformerDecoderLayer(4, 2, 8, norm_first=True, activation="gelu"))(x, y)
mask = nn.Transformer.generate_square_subsequent_mask(3)
filled(nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), 2))(x)
filled(nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 8), 2, nn.LayerNorm(4)))(x, y, tgt_mask=mask)
net = filled(nn.Transformer(4, 2, 1, 1, 8))
net(x, y)
net(x, y, src_mask=mask, tgt_mask=mask[:2, :2], memory_key_padding_mask=torch.tensor([[False, False, True]] * 2))
net(x, torch.ones(2, 3, 4))
norm = nn.LazyBatchNorm1d().eval()
norm
taps = nn.LazyConv1d(2, 3)
taps(torch.ones(1, 4, 5)).shape, taps
late = nn.Sequential(nn.LazyLinear(3, bias=False), nn.LazyBatchNorm1d())
late(torch.ones(2, 2)).sum().backward()
weights = [p.detach().clone() for p in late.parameters()]
late(torch.tensor([[0.5, 1.0], [2.0, -1.0]])).square().sum().backward()
lazy = nn.LazyLinear(3)
lazy(x).shape
rows = nn.ParameterList([nn.Parameter(torch.ones(2)), torch.zeros(3)])
len(rows), rows[1], [p.shape for p in rows]
named = nn.ParameterDict({"a": nn.Parameter(torch.ones(2)), "b": nn.Parameter(torch.zeros(1))})
sorted(named.keys()), named["a"], "b" in named, len(named)
layers = nn.ModuleDict({"one": nn.Linear(2, 2), "two": nn.ReLU()})
layers.update({"three": nn.Tanh()})
layers = nn.ModuleList([nn.ReLU(), nn.Tanh(), nn.ReLU()])
layers[1:]
layers.insert(1, nn.Identity())
del layers[0]
layers += [nn.Linear(2, 2)]
layers[-1] = nn.GELU()
seen = []
layer = filled(nn.Linear(4, 2))
handle = layer.register_full_backward_hook(lambda m, i, o: seen.append((i, o)))
layer(v).sum()
handle = layer.register_full_backward_hook(lambda m, i, o: (i[0] * 10,))
layer(v).sum()
hook = layer.register_forward_hook(lambda m, i, o: o * 2)
hook.remove()
q = nn.init.orthogonal_(torch.empty(3, 5))
q = nn.init.orthogonal_(torch.empty(5, 3), gain=2.0)
nn.init.eye_(torch.empty(2, 3))
bool(nn.init.kaiming_uniform_(torch.empty(8, 6), nonlinearity="relu").abs().max() <= 1)
nn.init.xavier_normal_(torch.empty(3))
nn.init.constant_(torch.empty(2), 0.5)
