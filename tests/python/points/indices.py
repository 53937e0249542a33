# Indices of every kind, and shapes: read, written to, empty, negative, refused.
x = torch.arange(12.).reshape(3, 4)
i = torch.arange(6).reshape(2, 3)
s = torch.tensor(3.0)
y = x.clone()
y[0] = torch.ones(1)
y[:2] = torch.ones(4)
y[:2] = torch.ones(1, 1, 2, 4)
y[0, 0] = torch.ones(1, 1)
y
i[0, 0] = torch.tensor(2.9)
i[1] = torch.tensor([True, False, True])
i
torch.max(x[0], x[1])
torch.nonzero(torch.tensor(1)), torch.nonzero(torch.tensor([0, 0]))
x.ndim, x.size(), x.nelement()
hex(torch.tensor(10))
3 in i, 99 in i
hash(s) == hash(s), {s: 1}[s], x.equal(x)
reversed(x[0]), list(reversed(i[0]))
x.__reversed__().shape
# Refused
len(s)
y[0] = torch.ones(3)
y[:2] = torch.ones(2, 2, 4)
y[0, 0] = torch.ones(2)
y[y > 0] = torch.ones(3)
y[0] = np.float32([1, 2, 3, 4])
y[0] = None
y[0] = "a"
x.permute(0)
x.split(0)
x.t().view(-1)
x.expand(4)
torch.cat(x)
i @ x
torch.max(x, 2.0)
torch.where(x, x, 0)
f"{x:.2f}"
int(x)
"a" in i
torch.equal(x, 1)
torch.allclose(x, i)
divmod(torch.tensor(7), 2)
