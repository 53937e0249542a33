# The cells of 000, the notebook on position-wise feed-forward networks, in our words.
import math
from typing import List

import torch

# In [7]: parameters by hand
B, L, d_model, d_ff = 4, 10, 512, 2048
W_1 = torch.randn(d_model, d_ff, requires_grad=True)
b_1 = torch.zeros(d_ff, requires_grad=True)
print(W_1.shape, b_1.shape, b_1)

# In [10]: ReLU is a clamp
x = torch.tensor([0, 2, 5, 2, 3, -12])
print(x.clamp(min=0), x.dtype, x.clamp(min=0).dtype)


# In [11]
class ReLU:
    def __init__(self, inplace: bool = False):
        self.inplace = inplace

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return x.clamp_(min=0) if self.inplace else x.clamp(min=0)


y = torch.tensor([-1.5, 0.0, 2.25])
z = ReLU(inplace=True)(y)
print(z is y, y)


# In [18]
class Dropout:
    def __init__(self, p: float):
        self.p, self.training = p, True

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        if not self.training or self.p == 0.0:
            return x
        mask = torch.rand_like(x) < 1.0 - self.p
        print(mask.dtype, mask.shape)
        return (x * mask) / (1.0 - self.p)


# In [19]
class PositionWiseFeedForward:
    def __init__(self, d_model: int, d_ff: int, dropout_p: float = 0.1):
        self.d_model = d_model
        self.w1 = torch.randn(d_model, d_ff) / math.sqrt(d_model)
        self.w1.requires_grad_()
        self.b1 = torch.zeros(d_ff, requires_grad=True)
        self.w2 = torch.randn(d_ff, d_model) / math.sqrt(d_ff)
        self.w2.requires_grad_()
        self.b2 = torch.zeros(d_model, requires_grad=True)
        self.activation, self.dropout = ReLU(), Dropout(p=dropout_p)

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        assert x.shape[-1] == self.d_model, "Last dim must be d_model."
        x = torch.matmul(x, self.w1) + self.b1
        return torch.matmul(self.dropout(self.activation(x)), self.w2) + self.b2

    def parameters(self) -> List[torch.Tensor]:
        return [self.w1, self.w2, self.b1, self.b2]

    def zero_grad(self) -> None:
        for param in self.parameters():
            if param.grad is not None:
                param.grad.zero_()


ffn = PositionWiseFeedForward(d_model, d_ff)
x = torch.randn(B, L, d_model)
loss = ffn(x).mean()
print(ffn.w1.grad, loss.shape, loss.requires_grad, ffn.w1.is_leaf, ffn(x).is_leaf)
loss.backward()
print([tuple(p.grad.shape) for p in ffn.parameters()], bool((ffn.w1.grad != 0).any()))
print(torch.allclose(ffn.b2.grad, torch.full((512,), 1 / 512)))
ffn.zero_grad()
print(bool((ffn.w1.grad != 0).any()))
for bad in (loss.backward, lambda: ffn.w1.clamp_(min=0), lambda: ffn(torch.randn(2, 3)), lambda: x @ torch.randn(4, 5)):
    try:
        bad()
    except (RuntimeError, AssertionError) as error:
        print(type(error).__name__)
with torch.no_grad():
    print(ffn(x).requires_grad)
ffn.dropout.training = False
print(torch.equal(ffn(x), ffn(x)))
