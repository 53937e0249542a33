"""Attention and the block around it, as PyTorch's modules."""

import torch
import torch.nn.functional as F
from torch import nn

from feed_forwards import Dropout, FeedForward


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_head, d_head):
        super().__init__()
        self.n_head, self.d_head = n_head, d_head
        self.W_Q = nn.Linear(d_model, n_head * d_head)
        self.W_K = nn.Linear(d_model, n_head * d_head)
        self.W_V = nn.Linear(d_model, n_head * d_head)
        self.linear = nn.Linear(n_head * d_head, d_model)

    def forward(self, q, k, v, mask):
        def split(x):
            return x.view(x.size(0), -1, self.n_head, self.d_head).transpose(1, 2)

        q_s, k_s, v_s = split(self.W_Q(q)), split(self.W_K(k)), split(self.W_V(v))
        scores = torch.matmul(q_s, k_s.transpose(-1, -2)) / self.d_head**0.5
        scores = scores.masked_fill(mask.unsqueeze(1) != 0, -1e9)
        prob = F.softmax(scores, dim=-1)
        context = torch.matmul(prob, v_s).transpose(1, 2).flatten(2)
        return self.linear(context), prob


class TransformerBlock(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, p):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads, d_model // n_heads)
        self.norm1, self.dropout1 = nn.LayerNorm(d_model), Dropout(p)
        self.ffn = FeedForward(d_model, d_ff, p, F.relu)
        self.norm2, self.dropout2 = nn.LayerNorm(d_model), Dropout(p)

    def forward(self, x, mask):
        x = self.norm1(x + self.dropout1(self.attention(x, x, x, mask)[0]))
        return self.norm2(x + self.dropout2(self.ffn(x)))
