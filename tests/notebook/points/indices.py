# Indices of every kind, and shapes: read, written to, empty, negative, refused.
import torch, math, numpy as np
import torch.nn.functional as F
x = torch.arange(12.).reshape(3, 4)
i = torch.arange(6).reshape(2, 3)
s = torch.tensor(3.0)
x[1, 2, 3]
x[1.0]
x[torch.tensor(1.0)]
x[torch.tensor([1.0])]
x["a"]
x[::-1]
x[[True, False, True]], x[np.array([0, 1])], x[np.int64(1)], x[(0, 1)], x[[0, 1], :], x[range(2)]
x[torch.tensor([0, 1], dtype=torch.uint8)]
x[torch.tensor([0, 1], dtype=torch.int16)]
x[0, torch.tensor([1, 2])], x[torch.tensor([], dtype=torch.int64)].shape
x[torch.tensor([])]
x[torch.ones(2).bool()]
x[:, torch.ones(3).bool()]
x[0:2:0]
x[slice(None)], x[Ellipsis].shape, x[..., None].shape, x[...,0,:], s[()], s[...], s[None], s.item(), s[True]
s[0]
s[:]
len(s)
list(s)
y = x.clone()
y[0] = torch.ones(3)
y[0] = torch.ones(1)
y[:2] = torch.ones(4)
y[:2] = torch.ones(1, 1, 2, 4)
y[0, 0] = torch.ones(1, 1)
y
y[:2] = torch.ones(2, 2, 4)
y[0, 0] = torch.ones(2)
y[y > 5] = 0
y[[0, 1], [2, 3]] = torch.tensor([5., 6.])
y[torch.tensor([0, 0])] = torch.tensor([[1.], [2.]]).expand(2, 4)
y
y[y > 0] = torch.ones(3)
y[None] = 4
y[..., 1] = 3
y[True] = y + 1
y
y[0] = np.float32([1, 2, 3, 4])
y[0] = None
y[0] = "a"
y[0] = True
y[1] = 3
y[2] = i[0, 0]
y
i[0, 0] = torch.tensor(2.9)
i[1] = torch.tensor([True, False, True])
i
x.unsqueeze(-3).shape, x.squeeze(-1).shape, x.permute(-1, 0).shape, x.flatten(-2)
torch.cat([x, x], -1).shape, torch.stack([x, x], -1).shape, x.split(2, -1)[0].shape, x.chunk(3, -1)[1].shape
x.cumsum(-1).shape, x.select(-1, -1), x.narrow(-1, -2, 2), x.flip(-1)[0], x.roll(1, -1)[0], x.argmax(-1)
x.max(-2).values, x.sort(-1).indices.shape, x.topk(2, -1).values, x.gather(-1, torch.zeros(3, 1).long())
x.index_select(-1, torch.tensor([0])), x.unbind(-1)[0], x.softmax(-1).sum(), F.pad(x, (1, 0)).shape
x.repeat_interleave(2, -1).shape, x.diagonal(0, -1, -2), x.norm(dim=-1), x.std(-1), x.all(-1), x.any(-2)
x.unsqueeze(3)
x.unsqueeze(-4)
x.squeeze(2)
x.transpose(0, 2)
x.permute(0)
x.permute(0, 0)
torch.cat([x, x], 2)
torch.stack([x, x], 3)
x.sum(2)
x.softmax(2)
x.split(0)
x.split(-1)
x.split([1, 1])
x.chunk(0)
x.narrow(0, 2, 2)
x.narrow(0, 1, -1)
x.select(0, 3)
x.reshape(5)
x.reshape(-1, -1)
x.reshape(-1, 5)
x.view(4, 3), x.reshape(2, -1), x.view(-1).shape, x.view([12]).shape, x.reshape((3, 4)).shape
torch.zeros(0).view(-1, 0)
x.t().view(-1)
x.t().view(4, 3).shape, x.t()[:, :1].view(4), x.expand(2, 3, 4).shape, x[:, :1].expand(-1, 4)
x[:1].expand(3, -1).shape, s.expand(2)
x.expand(3, 5)
x.expand(4)
x.expand(-1, 3, 4)
x.repeat(2, 1).shape, x.repeat(2, 1, 1).shape, x.tile(2).shape, s.repeat(2), x.repeat(0, 1).shape
x.repeat(2)
torch.cat([])
torch.stack([])
torch.cat([x, torch.ones(2, 3)])
torch.cat([x, x[0]])
torch.cat([s, s])
torch.stack([x, x[:2]])
torch.cat(x)
x[0] @ x.t(), torch.ones(2, 3, 4) @ torch.ones(4), torch.ones(2, 1, 3, 4).matmul(torch.ones(5, 4, 2)).shape
x @ x
x @ 2
s @ x
i @ i.t()
i @ x
torch.outer(x[0], x[1]).shape, torch.mm(x, x.t()).shape, torch.mv(x, x[0])
torch.bmm(x[None], x.t()[None]).shape, torch.einsum('ij->ji', x).shape
torch.mm(x[0], x)
torch.mm(i, i.t()), torch.dot(i[0], i[0]), torch.maximum(x[0], torch.tensor(2.0)), torch.minimum(i[0], i[1])
torch.max(x, 0), torch.max(x[0], x[1]), torch.min(x)
torch.max(x, 2.0)
torch.where(x > 5), torch.where(x > 5, x, i[0, 0]), torch.where(x > 5, True, False)
torch.where(torch.tensor(True), x, 0)[0], x.where(x > 5, torch.tensor(0.))
torch.where(x, x, 0)
torch.where(i > 1, x, 0)
x.masked_fill(x > 5, 0)[1], x.masked_fill(x > 5, torch.tensor(1.0))[1], i.masked_fill(i > 1, 2.7)
i.masked_fill(i > 1, True)
x.masked_fill(x > 5, torch.ones(2))
x.masked_fill(x > 5, "a")
i.masked_fill(i > 1, float('inf'))
x.clone().masked_fill_(x[0] > 5, 1), x.masked_fill(torch.tensor(True), 1)
x.gather(0, torch.tensor([[3]]))
x.gather(0, torch.tensor([0]))
x.gather(0, torch.tensor([[0.]]))
x.take(torch.tensor([12]))
x.nonzero().shape, torch.nonzero(torch.tensor(1)), torch.nonzero(torch.tensor([0, 0]))
x.nonzero(as_tuple=True)[0].shape, torch.tensor([0, 3]).nonzero().squeeze(), x.triu(1), x.tril(-1)
torch.ones(2, 2, dtype=torch.bool).tril(), i.triu(), torch.triu(torch.ones(2, 3), diagonal=2), x.unique()
torch.tensor(True).tolist(), x.numel(), x.dim(), x.ndim, x.size(), x.size(-1), x.shape[0], x.nelement()
x.element_size()
x.size(2)
int(torch.tensor([[3]])), hex(torch.tensor(10)), range(torch.tensor(3)), [1, 2, 3][torch.tensor(1)]
f"{x:.2f}"
bool(x)
int(x)
float(torch.zeros(0))
x.item()
[1, 2][s]
range(s)
3 in i, 2.5 in x, torch.tensor(3) in i, 99 in i
"a" in i
x in [1]
s in [s, x], hash(s) == hash(s), s == s, s is s, {s: 1}[s], x.equal(x), torch.equal(x, i)
torch.equal(x, x.half()), torch.allclose(x, x + 1e-9), x.isclose(x).all()
torch.equal(x, 1)
torch.allclose(x, i)
x.allclose(x[0]), sum(x), max(x[0]), min(x[0]), sorted(x[0], reverse=True), sum([s, s]), abs(-s), pow(s, 2)
divmod(torch.tensor(7), 2)
any(i[0] > 0), all(i[0] > -1), reversed(x[0]), list(reversed(i[0])), list(zip(i[0], i[1]))
x.__reversed__().shape
