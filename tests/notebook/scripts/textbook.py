# Like a textbook's chapters on attention: lazy layers, masked softmax, additive scores.
import math
import torch
from torch import nn
from filled import filled
def masked_softmax(X, valid_lens):
    def _sequence_mask(X, valid_len, value=0):
        mask = torch.arange((X.size(1)), dtype=torch.float32, device=X.device)[None, :] < valid_len[:, None]
        X[~mask] = value
        return X
    if valid_lens is None: return nn.functional.softmax(X, dim=-1)
    shape = X.shape
    valid_lens = torch.repeat_interleave(valid_lens, shape[1]) if valid_lens.dim() == 1 else valid_lens.reshape(-1)
    X = _sequence_mask(X.clone().reshape(-1, shape[-1]), valid_lens, value=-1e6)
    return nn.functional.softmax(X.reshape(shape), dim=-1)
class Additive(nn.Module):
    def __init__(self, num_hiddens, dropout):
        super().__init__()
        self.W_k, self.W_q = nn.LazyLinear(num_hiddens, bias=False), nn.LazyLinear(num_hiddens, bias=False)
        self.w_v, self.dropout = nn.LazyLinear(1, bias=False), nn.Dropout(dropout)
    def forward(self, queries, keys, values, valid_lens):
        features = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
        self.attention_weights = masked_softmax(self.w_v(features).squeeze(-1), valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)
class Positions(nn.Module):
    def __init__(self, num_hiddens, max_len=20):
        super().__init__()
        self.P = torch.zeros((1, max_len, num_hiddens))
        X = torch.arange(max_len, dtype=torch.float32).reshape(-1, 1) / torch.pow(
            10000, torch.arange(0, num_hiddens, 2, dtype=torch.float32) / num_hiddens)
        self.P[:, :, 0::2], self.P[:, :, 1::2] = torch.sin(X), torch.cos(X)
    def forward(self, X): return X + self.P[:, : X.shape[1], :].to(X.device)
queries, keys = torch.linspace(-1, 1, 40).reshape(2, 1, 20), torch.ones((2, 10, 2))
values, valid_lens = torch.arange(40, dtype=torch.float32).reshape(1, 10, 4).repeat(2, 1, 1), torch.tensor([2, 6])
print(masked_softmax(torch.linspace(0, 1, 16).reshape(2, 2, 4), torch.tensor([[1, 3], [2, 4]])))
attention = Additive(8, 0.1)
attention.eval()
with torch.no_grad(): attention(queries, keys, values, valid_lens)
filled(attention)
out = attention(queries, keys, values, valid_lens)
print(out.detach(), attention.attention_weights.shape)
out.sum().backward()
print([tuple(p.grad.shape) for p in attention.parameters()], attention.W_q)
print(Positions(6)(torch.zeros(1, 3, 6)))
x = torch.normal(0, 1, (5, 1))
kernel = torch.exp(-(torch.arange(5.0)[:, None] - torch.arange(5.0)[None, :]) ** 2 / 2)
weights = kernel / kernel.sum(0)
print((torch.arange(5.0) @ weights), x.shape, torch.eye(3).reshape((1, 1, 3, 3)).shape)
