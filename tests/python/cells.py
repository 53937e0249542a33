# Cells of the four documents, on position-wise feed-forward networks and the Transformer, in our words.
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.utils.checkpoint

torch.manual_seed(0)
torch.set_printoptions(linewidth=120)
d_model, d_ff, seq_len = 8, 32, 5

# A feed-forward network by hand
x = torch.randn(2, seq_len, d_model)
w1, b1 = (torch.randn(d_model, d_ff) / math.sqrt(d_model)).requires_grad_(), torch.zeros(d_ff, requires_grad=True)
hidden = (torch.matmul(x, w1) + b1).clamp(min=0)
mask = torch.rand_like(hidden) < 0.9
loss = ((hidden * mask) / 0.9).mean()
print(w1.grad, b1, mask.dtype, loss.shape, loss.requires_grad, w1.is_leaf, hidden.is_leaf)
loss.backward()
print(w1.grad.shape, bool((w1.grad != 0).any()), bool((w1.grad.zero_() != 0).any()))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super(PositionwiseFeedForward, self).__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.w_2(self.dropout(self.relu(self.w_1(x))))


ffn = PositionwiseFeedForward(d_model, d_ff).eval()


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


def init_ffn_weights(module):
    if isinstance(module, nn.Linear):
        nn.init.xavier_uniform_(module.weight)
        nn.init.zeros_(module.bias)


ffn.apply(init_ffn_weights)
print(ffn.w_1.bias)
inner = torch.randn(2, d_model, requires_grad=True)
torch.utils.checkpoint.checkpoint(ffn, inner).sum().backward()
print(inner.grad.shape, [(name, tuple(p.grad.shape)) for name, p in ffn.named_parameters()])


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
optimizer = torch.optim.AdamW(block.parameters(), lr=1e-3)
before = block.ffn.w_1.weight.detach().clone()
out = block(x, torch.ones(seq_len, seq_len).tril())
optimizer.zero_grad()
F.mse_loss(out, torch.zeros_like(out)).backward()
optimizer.step()
print(block, out.shape, torch.equal(before, block.ffn.w_1.weight), sum(p.numel() for p in block.parameters()))

# Attention Is All You Need: its vocabulary's ids are written out
ids = [[3091, 3604, 206, 3958, 3760, 3590], [212, 3605, 53, 3832, 3596, 3682, 3760, 3590]]
inputs = nn.utils.rnn.pad_sequence([torch.tensor(line) for line in ids], batch_first=True, padding_value=0)
n_vocab, d_hidn = 4000, 128
nn_emb = nn.Embedding(n_vocab, d_hidn)
table = np.array([[position / np.power(10000, 2 * (i // 2) / d_hidn) for i in range(d_hidn)] for position in range(64)])
table[:, 0::2], table[:, 1::2] = np.sin(table[:, 0::2]), np.cos(table[:, 1::2])
pos_encoding = torch.FloatTensor(table)
nn_pos = nn.Embedding.from_pretrained(pos_encoding, freeze=True)
positions = torch.arange(inputs.size(1), device=inputs.device, dtype=inputs.dtype).expand(
    inputs.size(0), inputs.size(1)).contiguous() + 1
positions.masked_fill_(inputs.eq(0), 0)
pos_embs = nn_pos(positions)
print(inputs.size(), inputs, nn_emb, pos_encoding, positions, pos_embs.size(), pos_embs.requires_grad)

Q = K = V = nn_emb(inputs) + pos_embs
attn_pad_mask = inputs.eq(0).unsqueeze(1).expand(Q.size(0), Q.size(1), K.size(1))
attn_dec_mask = torch.ones_like(inputs).unsqueeze(-1).expand(2, 8, 8).triu(diagonal=1)
attn_mask = torch.gt((attn_pad_mask + attn_dec_mask), 0)
print(attn_pad_mask[1], attn_dec_mask[1], (attn_pad_mask + attn_dec_mask).dtype, attn_mask[1], attn_mask[0])
n_head, d_head = 2, 64
q, k, v = (nn.Linear(d_hidn, n_head * d_head)(y).view(2, -1, n_head, d_head).transpose(1, 2) for y in (Q, K, V))
scores = torch.matmul(q, k.transpose(-1, -2)).mul_(1 / d_head**0.5)
scores.masked_fill_(attn_mask.unsqueeze(1).repeat(1, n_head, 1, 1), -1e9)
attn_prob = nn.Softmax(dim=-1)(scores)
print(attn_prob.size(), attn_prob[0][:, 0].tolist(), torch.allclose(attn_prob.sum(-1), torch.ones(2, n_head, 8)))
context = torch.matmul(attn_prob, V.view(2, -1, n_head, d_head).transpose(1, 2))
context = context.transpose(1, 2).contiguous().view(2, -1, n_head * d_head)
conv = nn.Conv1d(in_channels=d_hidn, out_channels=d_hidn * 4, kernel_size=1)
output = F.gelu(conv(context.transpose(1, 2))).transpose(1, 2)
output.mean().backward(retain_graph=True)
print(context.size(), output.size(), conv, nn_emb.weight.grad.shape, nn_pos.weight.grad)
