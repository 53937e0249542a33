# The cells of 001 and 003, Position-wise Feed-Forward Network and the parts of a Transformer, in our words.
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.utils.checkpoint
from torch.cuda.amp import autocast

torch.manual_seed(0)
d_model, d_ff, seq_len = 8, 32, 5


class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super(PositionwiseFeedForward, self).__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.w_2(self.dropout(self.relu(self.w_1(x))))


class GatedFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_gate, self.w_value = nn.Linear(d_model, d_ff), nn.Linear(d_model, d_ff)
        self.w_out = nn.Linear(d_ff, d_model)
        self.dropout, self.activation = nn.Dropout(dropout), nn.GELU()

    def forward(self, x):
        return self.w_out(self.dropout(self.activation(self.w_gate(x)) * self.w_value(x)))


x = torch.randn(2, seq_len, d_model)
for module in (PositionwiseFeedForward, GatedFeedForward):
    ffn = module(d_model, d_ff)
    y = ffn(x)
    y.sum().backward()
    print(ffn, y.shape, [(name, tuple(p.grad.shape)) for name, p in ffn.named_parameters()])

# Each position by itself, and all at once
ffn = PositionwiseFeedForward(d_model, d_ff).eval()
output = torch.zeros(seq_len, d_model)
for pos in range(seq_len):
    output[pos] = ffn(x[0, pos])
print(torch.allclose(output, ffn(x[0]), atol=1e-6), output.requires_grad, ffn.training, ffn.dropout.training)

# Activations
t = torch.tensor([-2.0, -0.5, 0.0, 0.5, 2.0])
print(F.relu(t), F.gelu(t), t * torch.sigmoid(t), F.silu(t), nn.SiLU()(t))


class MoEFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, n_experts=8):
        super().__init__()
        self.experts = nn.ModuleList([PositionwiseFeedForward(d_model, d_ff) for _ in range(n_experts)])
        self.gate = nn.Linear(d_model, n_experts)

    def forward(self, x):
        gate_scores = F.softmax(self.gate(x), dim=-1)
        output = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            output += gate_scores[..., i:i + 1] * expert(x)
        return output


moe = MoEFeedForward(d_model, d_ff, 3)
moe(x).mean().backward()
print(moe, all(p.grad is not None for p in moe.parameters()), len(list(moe.modules())))


class AdaptiveFeedForward(nn.Module):
    def __init__(self, d_model, max_d_ff=4096):
        super().__init__()
        self.max_d_ff = max_d_ff
        self.dim_controller = nn.Linear(d_model, 1)
        self.w_1, self.w_2 = nn.Linear(d_model, max_d_ff), nn.Linear(max_d_ff, d_model)

    def forward(self, x):
        active_dims = (torch.sigmoid(self.dim_controller(x.mean(dim=1))) * self.max_d_ff).int()
        mask = torch.arange(self.max_d_ff) < active_dims.unsqueeze(-1)
        print(active_dims.dtype, active_dims.shape, mask.dtype, mask.shape)
        return self.w_2(F.gelu(self.w_1(x)) * mask.float())


adaptive = AdaptiveFeedForward(d_model, 64)
adaptive(x[:1]).sum().backward()  # the document's mask broadcasts for a batch of one
print(adaptive.dim_controller.weight.grad, adaptive.w_1.weight.grad.shape)


def init_ffn_weights(module):
    if isinstance(module, nn.Linear):
        nn.init.xavier_uniform_(module.weight)
        if module.bias is not None:
            nn.init.zeros_(module.bias)


ffn.apply(init_ffn_weights)
bound = (6 / (d_model + d_ff)) ** 0.5
print(ffn.w_1.bias, bool((ffn.w_1.weight.abs() <= bound).all()))
inner = torch.randn(2, d_model, requires_grad=True)
torch.utils.checkpoint.checkpoint(ffn, inner).sum().backward()
print(inner.grad.shape, ffn.w_1.weight.grad.shape)


class MixedPrecisionFFN(nn.Module):
    def forward(self, x):
        with autocast():
            return self.ffn(x.half()).float()


try:
    MixedPrecisionFFN()(x)
except AttributeError as error:
    print(error)


class TransformerBlock(nn.Module):
    def __init__(self, d_model=512, n_heads=8, d_ff=2048, dropout=0.1):
        super().__init__()
        self.attention = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.norm1, self.dropout1 = nn.LayerNorm(d_model), nn.Dropout(dropout)
        self.ffn = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norm2, self.dropout2 = nn.LayerNorm(d_model), nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = self.norm1(x + self.dropout1(self.attention(x, x, x, attn_mask=mask == 0)[0]))
        return self.norm2(x + self.dropout2(self.ffn(x)))


block = TransformerBlock(d_model, 2, d_ff)
print(block)
optimizer = torch.optim.AdamW(block.parameters(), lr=1e-3)
before = block.ffn.w_1.weight.detach().clone()
out = block(x, torch.ones(seq_len, seq_len).tril())
optimizer.zero_grad()
F.mse_loss(out, torch.zeros_like(out)).backward()
optimizer.step()
print(out.shape, torch.equal(before, block.ffn.w_1.weight), sum(p.numel() for p in block.parameters()))
