"""The lessons' code in torch's words, for PyTorch and for stepgrad: a part for each page."""
import torch
from torch import nn

# == one_number
w = torch.tensor(3., requires_grad=True)
x = torch.tensor(2., requires_grad=True)
loss = w * x
loss.backward()
print(w.grad, x.grad)

# == chain
w = torch.tensor(3., requires_grad=True)
x = torch.tensor(2., requires_grad=True)
y = w * x
loss = y ** 2
loss.backward()
print(w.grad, x.grad)

# == tour
x = torch.tensor([[1., 2.], [-1., 3.]])
w = torch.tensor([[0.5, -1.], [0.25, 1.]], requires_grad=True)
b = torch.tensor([0.5, -0.5], requires_grad=True)
h = torch.relu(x @ w + b)
loss = (h * h).mean()
loss.backward()
print(w.grad)

# == used_twice
x = torch.tensor(3., requires_grad=True)
square = x * x
loss = square + x
loss.backward()
print(x.grad)

# == matmul
X = torch.tensor([[1., 2., 3.], [4., 5., 6.]], requires_grad=True)
W = torch.tensor([[1., 0.], [0., 1.], [2., -1.]], requires_grad=True)
b = torch.tensor([0.5, -0.5], requires_grad=True)
Y = X @ W + b
weights = torch.tensor([[1., 2.], [3., -1.]])
loss = (Y * weights).sum()
loss.backward()
print(W.grad, X.grad, b.grad, sep="\n")

# == feed_forward
x = torch.randn(3, 4)
w1 = torch.randn(4, 8, requires_grad=True)
b1 = torch.zeros(8, requires_grad=True)
w2 = torch.randn(8, 4, requires_grad=True)
b2 = torch.zeros(4, requires_grad=True)
dropout = nn.Dropout(0.1)
loss = (dropout(torch.relu(x @ w1 + b1)) @ w2 + b2).mean()
loss.backward()
print(w1.grad[2, 3])

# == dropout_and_relu
x = torch.tensor([[1., -2., 3., -4.], [0.5, 2., -1., 4.]], requires_grad=True)
dropout = nn.Dropout(0.5)
loss = dropout(torch.relu(x)).sum()
loss.backward()
print(x.grad)

dropout.eval()  # drops nothing: the same sum each time
print(dropout(torch.relu(x)).sum())

# == zero_grad
w = torch.tensor([1., 2.], requires_grad=True)
x = torch.tensor([3., 4.])
(w * x).sum().backward()
loss = (w * x).sum()
loss.backward()
print(w.grad)

optimizer = torch.optim.SGD([w], lr=0.1)
optimizer.zero_grad()
(w * x).sum().backward()
optimizer.step()
print(w)

# == nan
x = torch.tensor([[1., 3.], [0., -1.]], requires_grad=True)
positive = x.clamp(min=0)
total = positive.sum(1, keepdim=True)
loss = ((positive / total) ** 2).mean()
loss.backward()
print(loss, x.grad)

mended = ((positive / total.clamp(min=1e-6)) ** 2).mean()
print(mended)

# == attention
x = torch.randn(4, 2)
Q, K, V = (x @ torch.randn(2, 2, requires_grad=True) for _ in range(3))
mask = torch.triu(torch.ones(4, 4), 1)
masked = (Q @ K.T / 2 ** 0.5).masked_fill(mask == 1, -1e9)
P = torch.softmax(masked, -1)
Y = P @ V
loss = ((Y - x) ** 2).mean()
loss.backward()
print(P)

# == block
x = torch.randn(1, 3, 4, requires_grad=True)
attention = nn.MultiheadAttention(4, 1, batch_first=True)
norm1, norm2 = nn.LayerNorm(4), nn.LayerNorm(4)
ffn = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 4))
h = norm1(x + attention(x, x, x)[0])
y = norm2(h + ffn(h))
loss = ((y - torch.randn(1, 3, 4)) ** 2).mean()
loss.backward()
print(x.grad)

# == training
x = torch.randn(4, 2)
experts = nn.ModuleList(
    nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 2)) for _ in range(2))
gate = nn.Linear(2, 2)
optimizer = torch.optim.SGD([*experts.parameters(), *gate.parameters()], lr=0.1)
for step in range(100):
    shares = torch.softmax(gate(x), -1)
    y = sum(shares[:, i:i + 1] * expert(x) for i, expert in enumerate(experts))
    loss = ((y - x * x) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        print(loss.item())
print(shares)
