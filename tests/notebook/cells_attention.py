# Attention and encoders of torch.nn, and gradients asked for: the numbers of both engines.
import torch
import torch.nn as nn
import torch.nn.functional as F

from shown import shown

torch.set_printoptions(precision=3)


def set_up(module):
    with torch.no_grad():
        for i, p in enumerate(module.parameters()):
            p.copy_((((torch.arange(p.numel()) * 7 + i * 3) % 11 - 5).float() / 9).view(p.shape))
    return module


def show(*xs):
    print(*(shown(x.detach()) if isinstance(x, torch.Tensor) else x for x in xs))


x = (((torch.arange(48) * 5) % 13 - 6).float() / 6).view(3, 2, 8)
causal = torch.triu(torch.ones(3, 3), 1).bool()
padding = torch.tensor([[False, False, True], [False, False, False]])
for bias in (True, False):
    attention = set_up(nn.MultiheadAttention(8, 2, bias=bias))
    print(attention, [(n, tuple(p.shape)) for n, p in attention.named_parameters()])
    show(*attention(x, x, x), *attention(x, x, x, average_attn_weights=False))
    show(*attention(x, x, x, attn_mask=causal, key_padding_mask=padding))
    show(*attention(x[:1], x, x, need_weights=False))
    show(*attention(x[:, 0], x[:, 0], x[:, 0]))
first = set_up(nn.MultiheadAttention(8, 4, batch_first=True))
additive = torch.zeros(3, 3).masked_fill(causal, float("-inf"))
show(*first(x.transpose(0, 1), x.transpose(0, 1), x.transpose(0, 1), attn_mask=additive))
y, _ = first(x, x, x)
y.pow(2).sum().backward()
show(*(p.grad / p.grad.abs().max() for p in first.parameters()))

for options in ({}, {"norm_first": True}, {"activation": "gelu", "batch_first": True}):
    layer = set_up(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, **options))
    print([n for n, _ in layer.named_modules()])
    encoder = nn.TransformerEncoder(layer, 2, nn.LayerNorm(8))
    show(layer(x), encoder(x), layer(x, src_mask=torch.triu(torch.ones(x.size(0 if not options.get("batch_first") else 1), x.size(0 if not options.get("batch_first") else 1)), 1).bool()))
    encoder(x).pow(2)[..., 0].sum().backward()
    show(*(p.grad / (p.grad.abs().max() + 0.1) for p in list(encoder.parameters())[:6]))
print(repr(layer.self_attn.out_proj))

# ---- torch.autograd.grad
a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
c = a * b
d = (c * c).sum()
a.grad = torch.ones(2)
print(torch.autograd.grad(d, [a, c], retain_graph=True), a.grad, b.grad)
print(torch.autograd.grad([d, c], a, [None, torch.ones(2)], retain_graph=True))
d.backward()
print(a.grad, b.grad)
for wrong in (lambda: torch.autograd.grad((a * 2).sum(), b), lambda: torch.autograd.grad((a * 2).sum(), torch.ones(1))):
    try:
        wrong()
    except RuntimeError as error:
        print(type(error).__name__)
print(torch.autograd.grad((a * 2).sum(), [a, b], allow_unused=True))
