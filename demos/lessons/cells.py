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

# == own_tape
class Value:
    """A number of the tape, its inputs, and how their gradients follow from its own."""
    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.inputs, self.slopes, self.grad = data, inputs, slopes, 0.

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Value(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def backward(self):
        order = []  # inputs first

        def visit(value):
            if value not in order:
                for each in value.inputs:
                    visit(each)
                order.append(value)

        visit(self)
        self.grad = 1.
        for value in reversed(order):
            for each, slope in zip(value.inputs, value.slopes):
                each.grad += value.grad * slope


def loss_of(w, x, b):
    return (w * x + b) ** 2


mine = [Value(2.), Value(3.), Value(-5.)]
loss_of(*mine).backward()
theirs = [torch.tensor(value.data, requires_grad=True) for value in mine]
loss = loss_of(*theirs)
loss.backward()
print([value.grad for value in mine])
assert [value.grad for value in mine] == [value.grad.item() for value in theirs]

# == gradient_check
def slope(f, x, h=0.01):
    """Of f at each element of x, by central differences."""
    slopes = torch.zeros_like(x)
    for i in range(x.numel()):
        there = [x.detach().clone() for _ in range(2)]
        there[0].view(-1)[i] += h
        there[1].view(-1)[i] -= h
        slopes.view(-1)[i] = (f(there[0]) - f(there[1])) / (2 * h)
    return slopes


w = torch.tensor(2., requires_grad=True)
loss = w ** 3
loss.backward()
print(w.grad, slope(lambda w: w ** 3, w))

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
x = torch.sin(torch.arange(12.) + 1).reshape(3, 4)
w1 = torch.sin(torch.arange(32.)).reshape(4, 8).requires_grad_()
b1 = torch.zeros(8, requires_grad=True)
w2 = torch.sin(torch.arange(32.) + 5).reshape(8, 4).requires_grad_()
b2 = torch.zeros(4, requires_grad=True)
torch.manual_seed(3)  # stepgrad then drops what the page drops
dropout = nn.Dropout(0.1)
loss = (dropout(torch.relu(x @ w1 + b1)) @ w2 + b2).mean()
loss.backward()
print(w1.grad[2, 3])

# == dropout_and_relu
x = torch.tensor([[1., -2., 3., -4.], [0.5, 2., -1., 4.]], requires_grad=True)
torch.manual_seed(3)  # stepgrad then drops what the page drops
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

# == cross_entropy
table = torch.zeros(3, 3, requires_grad=True)
x = table[torch.tensor([1, 1])]
loss = nn.functional.cross_entropy(x, torch.tensor([0, 2]))
loss.backward()
print(loss.item(), table.grad, sep="\n")

# == attention
x = torch.sin(torch.arange(8.) + 1).reshape(4, 2)
W_Q, W_K, W_V = (torch.sin(torch.arange(4.) + i).reshape(2, 2).requires_grad_() for i in (1, 2, 3))
Q, K, V = x @ W_Q, x @ W_K, x @ W_V
mask = torch.triu(torch.ones(4, 4), 1)
masked = (Q @ K.T / 2 ** 0.5).masked_fill(mask == 1, -1e9)
P = torch.softmax(masked, -1)
Y = P @ V
loss = ((Y - x) ** 2).mean()
loss.backward()
print(P)

# == block
torch.manual_seed(3)  # stepgrad then draws what the page drew
W_Q, W_K, W_V, linear = (nn.Linear(4, 4) for _ in range(4))
norm1, norm2 = nn.LayerNorm(4), nn.LayerNorm(4)
ffn = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 4))
x = torch.randn(1, 3, 4, requires_grad=True)
target = torch.randn(1, 3, 4)
P = torch.softmax(W_Q(x) @ W_K(x).transpose(1, 2) / 4 ** 0.5, -1)
h = norm1(x + linear(P @ W_V(x)))
y = norm2(h + ffn(h))
loss = ((y - target) ** 2).mean()
loss.backward()
print(x.grad)

# == depth
x = torch.tensor(1., requires_grad=True)
h = x
for w in (0.5, 0.5, 0.5, 0.5):
    h = h * w
loss = h
loss.backward()
print(x.grad)

torch.manual_seed(3)
for variance in (1 / 64, 2 / 64, 4 / 64):
    h = torch.randn(100, 64)
    for layer in range(20):
        h = torch.relu(h @ (torch.randn(64, 64) * variance ** 0.5))
    print(variance, h.std().item())

# == adam
w = torch.tensor([1., 1.], requires_grad=True)
x = torch.tensor([10., 0.1])
optimizer = torch.optim.Adam([w], lr=0.1)
loss = (w * x).sum()
loss.backward()
optimizer.step()
m, v = 0.1 * x, 0.001 * x * x  # after one step; then what their zeros at the start hold back
print(w, 1 - 0.1 * (m / (1 - 0.9)) / (v / (1 - 0.999)).sqrt())

# == training
torch.manual_seed(3)  # stepgrad then draws what the page drew
experts = nn.ModuleList(
    nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 2)) for _ in range(2))
gate = nn.Linear(2, 2)
x = torch.randn(4, 2)
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
