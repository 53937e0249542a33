# Like lectures on a model of characters: counts, plain tensors, batch norm by hand, a
# generator in the first random cell.
import random
import torch
import torch.nn.functional as F
from filled import text
words = "emma olivia ava isabella sophia".split()
stoi = {s: i + 1 for i, s in enumerate(sorted(set("".join(words))))} | {".": 0}
n = len(stoi)
N = torch.zeros((n, n), dtype=torch.int32)
for w in words:
    chs = ["."] + list(w) + ["."]
    for a, b in zip(chs, chs[1:]): N[stoi[a], stoi[b]] += 1
print(N[0].sum().item(), N.dtype, N.sum(1, keepdim=True).shape)
g = torch.Generator().manual_seed(2147483647)
p = torch.rand(3, generator=g)
p = p / p.sum()
print(round(p.sum().item(), 4), torch.multinomial(p, num_samples=100, replacement=True, generator=g).shape)
P = (N + 1).float()
P /= P.sum(1, keepdims=True)
ix = torch.multinomial(P[0], num_samples=1, replacement=True, generator=g).item()
print(f"{P[0, stoi['e']].log().item():.4f}", 0 <= ix < n)
xs = torch.tensor([stoi[c] for w in words for c in "." + w])
ys = torch.tensor([stoi[c] for w in words for c in w + "."])
W = ((torch.arange(float(n * n)) * 0.7).sin().view(n, n) + torch.randn((n, n), generator=g) * 0).requires_grad_()
for k in range(5):
    logits = F.one_hot(xs, num_classes=n).float() @ W
    counts = logits.exp()
    probs = counts / counts.sum(1, keepdims=True)
    loss = -probs[torch.arange(len(xs)), ys].log().mean() + 0.01 * (W ** 2).mean()
    W.grad = None
    loss.backward()
    W.data += -10 * W.grad
    print(f"{loss.item():.4f}")
# an MLP with batch norm, and its gradients by hand
C = (torch.arange(float(n * 3)) * 0.3).cos().view(n, 3)
W1 = (torch.arange(60.0) * 0.9).sin().view(6, 10) * (5 / 3) / 6**0.5
W2, b2 = (torch.arange(10.0 * n) * 0.5).sin().view(10, n) * 0.1, torch.zeros(n)
bngain, bnbias = torch.ones((1, 10)), torch.zeros((1, 10))
parameters = [C, W1, W2, b2, bngain, bnbias]
for p in parameters: p.requires_grad = True
Xb, Yb = torch.stack([xs[:-1], xs[1:]], 1), ys[1:]
emb = C[Xb]
embcat = emb.view(emb.shape[0], -1)
hprebn = embcat @ W1
bnmeani = 1 / len(Xb) * hprebn.sum(0, keepdim=True)
bndiff = hprebn - bnmeani
bnvar = 1 / (len(Xb) - 1) * (bndiff**2).sum(0, keepdim=True)
bnraw = bndiff * (bnvar + 1e-5) ** -0.5
h = torch.tanh(bngain * bnraw + bnbias)
logits = h @ W2 + b2
logit_maxes = logits.max(1, keepdim=True).values
counts = (logits - logit_maxes).exp()
logprobs = (counts * counts.sum(1, keepdims=True) ** -1).log()
loss = -logprobs[range(len(Xb)), Yb].mean()
for t in [logprobs, counts, logits, h, bnraw, hprebn, emb]: t.retain_grad()
loss.backward()
dlogits = F.softmax(logits, 1)
dlogits[range(len(Xb)), Yb] -= 1
dlogits /= len(Xb)
print(f"{loss.item():.4f}", torch.allclose(dlogits, logits.grad, atol=1e-6), (dlogits - logits.grad).abs().max().item() < 1e-7)
dh = dlogits @ W2.T
print(torch.allclose(dh, h.grad, atol=1e-7), torch.allclose(h.T @ dlogits, W2.grad, atol=1e-6))
dC = torch.zeros_like(C)
for k in range(Xb.shape[0]):
    for j in range(Xb.shape[1]):
        dC[Xb[k, j]] += emb.grad[k, j]
print(torch.allclose(dC, C.grad, atol=1e-6), emb.shape, h.abs().gt(0.97).float().mean().item() < 1)
hy, hx = torch.histogram(h.detach(), density=True)
print(hy.shape, hx.shape, torch.linspace(0, 1, 3).tolist())
class Linear:
    def __init__(self, fan_in, fan_out, bias=True):
        self.weight = torch.randn((fan_in, fan_out), generator=g) / fan_in**0.5
        self.bias = torch.zeros(fan_out) if bias else None
    def __call__(self, x):
        self.out = x @ self.weight
        if self.bias is not None: self.out += self.bias
        return self.out
print(Linear(6, 4)(embcat).shape, sum(p.nelement() for p in parameters))
Xtr = torch.randint(0, 10, (32,), generator=g)
print(Xtr.min().item() >= 0, torch.tensor(range(3)), random.random() < 1)
lossi = torch.arange(40.0).tolist()
print(torch.tensor(lossi).view(-1, 10).mean(1))
