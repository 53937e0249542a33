# Where views lie: strides, offsets, what is contiguous, which shapes view() can say, as_strided; and what
# is written through them, also by NumPy.
x = torch.arange(24.0).reshape(2, 3, 4)
def where(y): return tuple(y.shape), y.stride(), y.storage_offset(), y.is_contiguous()
[where(x.transpose(a, b)) for a in range(-3, 3) for b in range(3)]
[where(x.permute(p)) for p in itertools.permutations(range(3))]
[where(y.unsqueeze(d)) for y in (x, x.transpose(0, 2), x[:, 1:, ::2], x[1]) for d in range(-y.dim() - 1, y.dim() + 1)]
ones = (torch.arange(6.0).reshape(1, 2, 1, 3), torch.arange(6.0).reshape(1, 2, 1, 3).transpose(1, 3), x[:1, :, 1:2])
[where(y.squeeze()) for y in ones], [where(y.squeeze(d)) for y in ones for d in range(-y.dim(), y.dim())]
[where(x[i]) for i in (0, -1, slice(1, None), (slice(None), 1), (..., 2), (..., slice(None, None, 2)), (0, None), (1, slice(1, 3), 3))]
[where(y) for y in (*x.split(2, 1), *x.chunk(2, -1), *x.unbind(1), x.narrow(2, 1, 2), x.narrow(-2, -2, 1), x.select(1, -1))]
[where(y) for y in (x[:1].expand(4, 3, 4), x[:, :1].expand(2, 5, -1), x[0].expand(2, 3, 4), x[0, 0, 0].expand(2), x.expand(2, 3, 4))]
[where(y) for y in (x[0].t(), x[0].T, x[0, 0].t(), x.flatten(), x.flatten(1), x[0].t().flatten(), x[:, 0].flatten())]
[where(y)[3] for y in (torch.zeros(2, 0, 3), torch.zeros(2, 0, 3).transpose(0, 2), x[:0], x[:, :0].transpose(0, 2), x[:1, :1, :1].transpose(0, 2))]
shapes = [s for n in range(1, 5) for s in itertools.product((1, 2, 3, 4, 6, 12), repeat=n)]
def seen(y): return [(s, tried(lambda: where(y.view(s))[1:])) for s in shapes if torch.Size(s).numel() == y.numel()]
table(lambda code: seen(eval(code)), """
x[:, :, :2]
x[:1].transpose(0, 1)
x.as_strided((2, 1, 3), (3, 99, 1))
x.as_strided((1, 2, 1, 1, 6), (7, 12, 5, 1, 2))
x[0, :, :1].expand(3, 4)
x[0].t()
x.permute(2, 0, 1)[::2]
x[1, 1:, 2:]""")
where(x.as_strided((2, 2), (1, 3))), x.as_strided((2, 2), (1, 3)), x.as_strided((2, 2), (1, 3), 5), torch.as_strided(x, (3,), (0,), 7)
where(x[1].as_strided((2,), (2,))), x[1].as_strided((2,), (2,)), x[1].as_strided((2,), (2,), 1), x[1, ::2].as_strided((), ())
x.as_strided((0, 3), (100, 1)).shape, x.as_strided((24,), (1,), 0).sum(), x.as_strided((2, 12), (12, 1))[1, 11]
w = torch.arange(6.0, requires_grad=True)
(w * 1).as_strided((3, 2), (1, 2)), w.as_strided((2, 2), (1, 1), 2) * 2, (w * 2)[1:].as_strided((2,), (3,))
# What is written through them
z = torch.arange(12.0).reshape(3, 4)
z.as_strided((2, 2), (4, 1), 1).mul_(-1), z
z[:, 1].unsqueeze(0).add_(100), z.t().unsqueeze(-1)[2].sub_(1), z.unsqueeze(1).squeeze(1)[2].zero_(), z
z.as_strided((1, 2), (0, 1)).add_(1), z[:1, :1].expand(1, 1).add_(1), z[:1].expand(1, 4).mul_(2), z
z[np.array(0)].add_(10), z[np.array([0, 0])].add_(1000), z[torch.tensor([0])].add_(1000), z
k = [torch.tensor(-1, dtype=d) for d in (torch.int64, torch.int32, torch.int16, torch.int8)]
[where(z[i]) for i in k], z[k[0], k[1]], z[:, k[0]], z[k[0], [0, 1]], z[[0, 1], k[0]], z[k[0], torch.tensor([True, False, True, False])]
z[torch.tensor(True)].shape, z[torch.tensor(1, dtype=torch.uint8)].shape
for i in z.argmax(1)[:2]: z[i.clamp(max=2)] += 0.5
i = z.sum(1).argmin(); z[i].mul_(2); z[i, torch.tensor(0)] = -5; z
# Arrays of views
[(tuple(s // 4 for s in y.numpy().strides), y.numpy().shape) for y in (z, z.t(), z[1:, ::2], z[2], z[:, 3], z[:1].expand(5, 4))]
a, t, r, c = z.numpy(), z.t(), z[1], z[:, ::2]
a[1] = 7
t, r, c, t.sum(), r * 2, c.reshape(-1)
b = t.numpy()
b[0] += 10
z, r, a, c, c.numpy()
b[1, 2] = -1; r.mul_(2)
z, t, a, b
u = z.view(-1)
n = u.numpy(); n[::5] = 0
z, u, t.contiguous(), r.clone(), torch.cat([t, t]), z[1][None]
# Detached, as data, and with other dtypes
p = nn.Parameter(torch.zeros(3))
p.data = z.t()
where(p), p.dtype, p.requires_grad
with torch.no_grad(): p.add_(1)
z, p, where(p.data), where(p.detach())
p.data[0] = 77
z, p
p.data = torch.ones(2).half()
p.dtype, p, p.grad
p.grad = torch.ones(2).half(); p.grad
q = torch.ones(2, 2).bfloat16().requires_grad_()
grad((q * 3).sum(), q), grad((q.float() * 3).sum(), q), [g.dtype for g in grad(q.sum() * w.sum(), (q, w))]
d = (w * 2)[1:4].detach()
d.zero_(), where(d), d.requires_grad, d.is_leaf
# Versions, and what needs the old numbers
v = z.t(); [z.add_(1), v._version == z._version, v.mul_(1), v._version == z._version, z[0]._version == v[0]._version][1::2]
def backward_after(change):
    h = w * 1
    y, t = (h * h).sum(), h.view(2, 3).t()
    eval(change)
    y.backward()
    return w.grad
table(lambda change: tried(backward_after, change), """
t.mul_(2)
h.view(-1)[1:].zero_()
t.detach().add_(1)""")
# Refused
x.as_strided((25,), (1,))
x.as_strided((2,), (1,), 23)
x.as_strided((2,), (-1,), 5)
x.as_strided((2,), (1,), -1)
x.as_strided((2, 2), (1,))
z[:1].expand(2, 4).mul_(2)
z[torch.tensor(3)]
z[torch.tensor(1.0)]
z[torch.tensor(0), torch.tensor(1), torch.tensor(0)]
p.grad = torch.ones(2)
