# Augmented operators: in place where torch has them so, for every name of the tensor.
import torch
w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
def by(operator, other, x=None):
    y = x = w * 1 if x is None else x
    exec(f"y {operator}= {other}", {"torch": torch, "w": w}, names := {"y": y})
    return x if names["y"] is x else "another"
by("**", 2)
by("**", 0.5)
by("%", 2)
by("%", "torch.tensor([2.0, 3.0])")
by("+", 1)
by("@", "torch.eye(2)")
by("**", "torch.ones(2, 2, 2)")
def whole(operator, other, dtype=torch.int64): return by(operator, other, torch.arange(6).to(dtype))
whole("//", 2)
whole("%", 4)
whole("**", 2)
whole("<<", 2)
whole(">>", 1)
whole("&", 3)
whole("|", 4)
whole("^", 1)
whole("//", 0.5)
whole("**", 0.5)
whole("%", "torch.ones(6)")
whole("//", 2, torch.bool)
whole("<<", 1, torch.bool)
whole("^", True, torch.bool)
whole("<<", 7, torch.uint8)
whole("//", 2, torch.float32)
x = torch.arange(6.0).reshape(2, 3)
for row in x: row //= 2
for row in x.t(): row **= 2
x
p = torch.nn.Parameter(torch.arange(3.0))
with torch.no_grad(): p //= 2; p %= 3; p **= 2
type(p).__name__, p.requires_grad, p
p **= 2
y = w * 1; y[0] **= 2; y
w **= 2
v = torch.tensor(2.0, requires_grad=True)
y = torch.ones(2) * 3; y **= v; y
y = torch.ones(2) * 3; y.pow_(v); y
