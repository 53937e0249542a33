# Copies, optimizers' state, generators, out, in place and history, and what prints how.
t = torch.zeros(3)
c = copy.copy(t)
c[0] = 5
t
p = nn.Parameter(torch.ones(2))
q = copy.copy(p)
with torch.no_grad(): q.add_(1)
p
x = torch.tensor([0.0, 4.0], requires_grad=True)
(x - 1).asin()
F.softmax(torch.full((2, 3), -float("inf"), requires_grad=True), 1)
p = nn.Parameter(torch.zeros(2, 2))
p.data = torch.ones(2, 2)
u = torch.full((2, 2), 3.)
p.data = u
p
p = nn.Parameter(torch.zeros(2))
opt = torch.optim.SGD([p], lr=1.0)
opt.add_param_group({"params": [p]})
torch.optim.SGD([p, p], lr=1.0).param_groups[0]["params"].__len__()
g = torch.Generator().manual_seed(3)
g2 = torch.Generator().manual_seed(3)
torch.equal(torch.zeros(4).normal_(generator=g), torch.zeros(4).normal_(generator=g2))
torch.equal(torch.zeros(4).random_(generator=g), torch.zeros(4).random_(generator=g2))
torch.equal(torch.zeros(4).exponential_(generator=g), torch.zeros(4).exponential_(generator=g2))
torch.equal(torch.bernoulli(torch.ones(4)/2, generator=g), torch.bernoulli(torch.ones(4)/2, generator=g2))
[x.tolist() for x in torch.utils.data.random_split(range(4), [2, 2], generator=g)] == 0
torch.rand_like(torch.zeros(2), generator=g)
h, bf = torch.ones(1).half(), torch.ones(1).bfloat16()
torch.maximum(h, bf).dtype
x = torch.arange(6.).reshape(2, 3)
o = torch.zeros(2, 3)
torch.add(x, x, out=torch.empty(3, dtype=torch.int64))
torch.max(x, 1, out=(torch.zeros(2), torch.zeros(2).long()))
torch.stack([x, x], out=torch.zeros(2, 2, 3)).shape, torch.clamp(x, 1, out=o)
torch.mm(x, x.t(), out=torch.zeros(2, 2)), torch.sigmoid(x, out=o), torch.pow(x, 2, out=o)
torch.div(x, 2, out=o), torch.eq(x, x, out=torch.zeros(2, 3).bool()), torch.mean(x, 1, out=torch.zeros(2))
torch.sort(x, out=(torch.zeros(2, 3), torch.zeros(2, 3).long()))
torch.exp(x, out=x[0])
a = torch.ones(3, requires_grad=True)
a += 1
with torch.no_grad(): a += 1; a[0] = 5; a.mul_(2)
b = a * 2
b += 1
b = a.exp()
b += 1
b = a.exp()
b.zero_()
b = a * a
b[0] = 0.
b = a * 2
b *= b
b = a.view(3)
b += 1
a.to("cpu") is a
torch.autograd.grad(a * 1, a)
a.numpy()
np.asarray(a.detach())
a.item()
torch.is_floating_point(a), a.is_floating_point()
a.device == "cpu", a.is_contiguous()
repr(torch.tensor(0.1 + 0.2)), repr(torch.rand(3, requires_grad=True).sum() * 0), nn.Linear(2, 3)
F.one_hot(torch.tensor([0.5]))
F.embedding(torch.tensor([0.]), torch.ones(2, 3))
F.cross_entropy(torch.ones(2, 3), torch.tensor([0., 1.]))
F.mse_loss(torch.ones(2), torch.ones(3))
F.binary_cross_entropy(torch.tensor([.5]), torch.tensor([[1.]]))
F.dropout(torch.ones(4), 1.5)
F.dropout(torch.ones(2).long(), 0.5)
F.relu(torch.tensor([-1, 2])), F.gelu(torch.tensor([1.])), F.leaky_relu(torch.tensor([-1.]))
F.layer_norm(torch.ones(2, 3), 3)
F.pad(torch.ones(2).bool(), (0, 1))
F.pad(x, (1,))
F.normalize(torch.zeros(2))
nn.utils.rnn.pad_sequence([])
