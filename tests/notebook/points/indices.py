# Indices of every kind, and shapes: read, written to, empty, negative, refused.
x = torch.arange(12.).reshape(3, 4)
i = torch.arange(6).reshape(2, 3)
s = torch.tensor(3.0)
x[range(2)]
y = x.clone()
y[0] = torch.ones(1)
y[:2] = torch.ones(4)
y[:2] = torch.ones(1, 1, 2, 4)
y[0, 0] = torch.ones(1, 1)
y
y[y > 5] = 0
y[[0, 1], [2, 3]] = torch.tensor([5., 6.])
y[torch.tensor([0, 0])] = torch.tensor([[1.], [2.]]).expand(2, 4)
y
y[None] = 4
y[..., 1] = 3
y[True] = y + 1
y
y[0] = True
y[1] = 3
y[2] = i[0, 0]
y
i[0, 0] = torch.tensor(2.9)
i[1] = torch.tensor([True, False, True])
i
x.repeat(2, 1, 1).shape, x.repeat(0, 1).shape
i @ i.t()
torch.outer(x[0], x[1]).shape, torch.mv(x, x[0])
torch.bmm(x[None], x.t()[None]).shape, torch.einsum('ij->ji', x).shape
torch.minimum(i[0], i[1])
torch.max(x[0], x[1])
x.where(x > 5, torch.tensor(0.))
torch.nonzero(torch.tensor(1)), torch.nonzero(torch.tensor([0, 0]))
x.ndim, x.size(), x.nelement()
hex(torch.tensor(10))
3 in i, 99 in i
hash(s) == hash(s), {s: 1}[s], x.equal(x)
x.isclose(x).all()
reversed(x[0]), list(reversed(i[0]))
x.__reversed__().shape
# Refused
x[::-1]
s[:]
len(s)
y[0] = torch.ones(3)
y[:2] = torch.ones(2, 2, 4)
y[0, 0] = torch.ones(2)
y[y > 0] = torch.ones(3)
y[0] = np.float32([1, 2, 3, 4])
y[0] = None
y[0] = "a"
x.permute(0)
x.permute(0, 0)
x.split(0)
x.t().view(-1)
x.expand(4)
torch.cat([])
torch.stack([])
torch.cat(x)
i @ x
torch.mm(x[0], x)
torch.max(x, 2.0)
torch.where(x, x, 0)
x.masked_fill(x > 5, "a")
i.masked_fill(i > 1, float('inf'))
x.gather(0, torch.tensor([0]))
f"{x:.2f}"
bool(x)
int(x)
float(torch.zeros(0))
x.item()
range(s)
"a" in i
x in [1]
torch.equal(x, 1)
torch.allclose(x, i)
divmod(torch.tensor(7), 2)
