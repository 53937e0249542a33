# The cells of 000, the notebook on position-wise feed-forward networks, in our words.
import math
from typing import List

import torch
import torch.nn as nn

# In [7]: parameters by hand
B, L, d_model = 4, 10, 512
d_ff = 2048
W_1 = torch.randn(d_model, d_ff, requires_grad=True)
print(W_1.shape)
b_1 = torch.zeros(d_ff, requires_grad=True)
print(b_1.shape)
W_2 = torch.randn(d_ff, d_model, requires_grad=True)
print(W_2.shape)
b_2 = torch.zeros(d_model, requires_grad=True)
print(b_2.shape, b_2)

# In [10]: ReLU is a clamp
x = torch.tensor([0, 2, 5, 2, 3, -12])
print(x.clamp(min=0), x.dtype, x.clamp(min=0).dtype)


# In [11]
class ReLU:
    def __init__(self, inplace: bool = False):
        self.inplace = inplace

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        if self.inplace:
            x.clamp_(min=0)
            return x
        return x.clamp(min=0)


y = torch.tensor([-1.5, 0.0, 2.25])
z = ReLU(inplace=True)(y)
print(z is y, y)


# In [18]
class Dropout:
    def __init__(self, p: float):
        if not (0.0 <= p < 1.0):
            raise ValueError("p must be in [0,1)")
        self.p, self.training = p, True

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        if not self.training or self.p == 0.0:
            return x
        keep_prob = 1.0 - self.p
        mask = torch.rand_like(x) < keep_prob
        print(mask.dtype, mask.shape)
        return (x * mask) / keep_prob

    def train(self, mode: bool = True):
        self.training = mode
        return self


# In [19]
class PositionWiseFeedForward:
    def __init__(self, d_model: int, d_ff: int, dropout_p: float = 0.1, bias: bool = True):
        if d_model <= 0 or d_ff <= 0:
            raise ValueError("d_model and d_ff must be positive.")
        if not (0.0 <= dropout_p < 1.0):
            raise ValueError("dropout_p must be in [0,1)")
        self.d_model, self.training = d_model, True
        self.w1 = torch.randn(d_model, d_ff) / math.sqrt(d_model)
        self.w1.requires_grad_()
        self.b1 = torch.zeros(d_ff, requires_grad=True) if bias else None
        self.w2 = torch.randn(d_ff, d_model) / math.sqrt(d_ff)
        self.w2.requires_grad_()
        self.b2 = torch.zeros(d_model, requires_grad=True) if bias else None
        self.activation, self.dropout = ReLU(), Dropout(p=dropout_p)

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        assert x.shape[-1] == self.d_model, "Last dim must be d_model."
        x = torch.matmul(x, self.w1)
        if self.b1 is not None:
            x = x + self.b1
        x = self.dropout(self.activation(x))
        x = torch.matmul(x, self.w2)
        if self.b2 is not None:
            x = x + self.b2
        return x

    def parameters(self) -> List[torch.Tensor]:
        return [p for p in (self.w1, self.w2, self.b1, self.b2) if p is not None]

    def zero_grad(self) -> None:
        for param in self.parameters():
            if param.grad is not None:
                param.grad.zero_()


ffn = PositionWiseFeedForward(d_model, d_ff)
x = torch.randn(B, L, d_model)
print(ffn.w1.grad)
loss = ffn(x).mean()
print(loss.shape, loss.requires_grad, ffn.w1.is_leaf, ffn(x).is_leaf)
loss.backward()
print([tuple(p.grad.shape) for p in ffn.parameters()])
print(bool((ffn.w1.grad != 0).any()), torch.allclose(ffn.b2.grad, torch.full((512,), 1 / 512)))
ffn.zero_grad()
print(bool((ffn.w1.grad != 0).any()))
for bad in (lambda: Dropout(1.0), lambda: PositionWiseFeedForward(0, 3),
            lambda: PositionWiseFeedForward(3, 3, 1.5), lambda: ffn(torch.randn(2, 3))):
    try:
        bad()
    except (ValueError, AssertionError) as error:
        print(type(error).__name__, error)
try:
    loss.backward()
except RuntimeError as error:
    print("RuntimeError: walked twice")
try:
    ffn.w1.clamp_(min=0)
except RuntimeError as error:
    print("RuntimeError: a leaf in place")
with torch.no_grad():
    print(ffn(x).requires_grad)
ffn.dropout.train(False)
print(torch.equal(ffn(x), ffn(x)))
