"""The feed-forwards and related modules in PyTorch."""

import torch
import torch.nn.functional as F
from torch import nn

import golden


class Dropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        return golden.dropped(x, self.p) if self.training and self.p else x


class PositionwiseFeedForward(nn.Module):
    """The notebook's."""

    def __init__(self, d_model, d_ff, p, bias):
        super().__init__()
        self.w1, self.w2 = nn.Parameter(torch.empty(d_model, d_ff)), nn.Parameter(torch.empty(d_ff, d_model))
        if bias:
            self.b1, self.b2 = nn.Parameter(torch.empty(d_ff)), nn.Parameter(torch.empty(d_model))
        self.dropout, self.bias = Dropout(p), bias

    def forward(self, x):
        h = torch.matmul(x, self.w1)
        h = self.dropout((h + self.b1 if self.bias else h).clamp(min=0))
        y = torch.matmul(h, self.w2)
        return y + self.b2 if self.bias else y


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff, p, activation):
        super().__init__()
        self.w_1, self.w_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.dropout, self.activation = Dropout(p), activation

    def forward(self, x):
        return self.w_2(self.dropout(self.activation(self.w_1(x))))


class GatedFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, p, activation, bias):
        super().__init__()
        self.w_gate = nn.Linear(d_model, d_ff, bias)
        self.w_value = nn.Linear(d_model, d_ff, bias)
        self.w_out = nn.Linear(d_ff, d_model, bias)
        self.dropout, self.activation = Dropout(p), activation

    def forward(self, x):
        return self.w_out(self.dropout(self.activation(self.w_gate(x)) * self.w_value(x)))


class MoE(nn.Module):
    def __init__(self, d_model, d_ff, n_experts, p):
        super().__init__()
        self.experts = nn.ModuleList(FeedForward(d_model, d_ff, p, F.relu) for _ in range(n_experts))
        self.gate = nn.Linear(d_model, n_experts)

    def forward(self, x):
        scores = F.softmax(self.gate(x), dim=-1)
        return sum(scores[..., i : i + 1] * e(x) for i, e in enumerate(self.experts))


class SparseMoE(MoE):
    """An expert that anybody chose is asked about all, and its unwanted answers are multiplied by 0."""

    def __init__(self, d_model, d_ff, n_experts, k):
        super().__init__(d_model, d_ff, n_experts, 0.0)
        self.k = k

    def forward(self, x):
        scores = F.softmax(self.gate(x), dim=-1)
        chosen = torch.zeros_like(scores).scatter(-1, scores.topk(self.k).indices, 1)
        gates = scores * chosen
        if self.k > 1:
            gates = gates / gates.sum(-1, keepdim=True)
        y = sum(gates[..., i : i + 1] * e(x) for i, e in enumerate(self.experts)
            if chosen[..., i].any())
        usage, mean = chosen.flatten(0, 1).mean(0) / self.k, scores.flatten(0, 1).mean(0)
        return y + len(self.experts) * (usage * mean).sum()


class Adaptive(nn.Module):
    def __init__(self, d_model, max_d_ff, ramp):
        super().__init__()
        self.max_d_ff, self.ramp = max_d_ff, ramp
        self.dim_controller = nn.Linear(d_model, 1)
        self.w_1, self.w_2 = nn.Linear(d_model, max_d_ff), nn.Linear(max_d_ff, d_model)

    def forward(self, x):
        active = torch.sigmoid(self.dim_controller(x.mean(dim=1))) * self.max_d_ff
        hidden, unit = F.gelu(self.w_1(x)), torch.arange(self.max_d_ff)
        if self.ramp:
            mask = ((active.unsqueeze(-1) - unit) / self.ramp + 1).clamp(0, 1)
        else:
            mask = (unit < active.int().unsqueeze(-1)).float()
        return self.w_2(hidden * mask)


class PoswiseFeedForwardNet(nn.Module):
    def __init__(self, d_hidn, activation):
        super().__init__()
        self.conv1 = nn.Conv1d(d_hidn, d_hidn * 4, kernel_size=1)
        self.conv2 = nn.Conv1d(d_hidn * 4, d_hidn, kernel_size=1)
        self.activation = activation

    def forward(self, x):
        return self.conv2(self.activation(self.conv1(x.transpose(1, 2)))).transpose(1, 2)


class Rounded(torch.autograd.Function):
    """Values and gradients in a narrower format, but kept in float32: on the CPU PyTorch multiplies
    no halves, and adds up products of bfloat16 in bfloat16."""

    @staticmethod
    def forward(context, x, dtype):
        context.dtype = dtype
        return x.to(dtype).float()

    @staticmethod
    def backward(context, dy):
        return dy.to(context.dtype).float(), None


class MixedPrecisionFFN(nn.Module):
    def __init__(self, d_model, d_ff, p, dtype):
        super().__init__()
        self.ffn, self.dtype = FeedForward(d_model, d_ff, p, F.relu), dtype

    def forward(self, x):
        def rounded(x):
            return Rounded.apply(x, self.dtype)

        def linear(x, layer):
            y = F.linear(rounded(x), rounded(layer.weight), rounded(layer.bias))
            return rounded(y)

        hidden = self.ffn.dropout(F.relu(linear(x, self.ffn.w_1)))
        return linear(hidden, self.ffn.w_2)
