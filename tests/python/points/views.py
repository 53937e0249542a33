# Views: where they lie, and what is written through them: see written.py.
x = torch.arange(12.0).reshape(3, 4).requires_grad_()
# What is computed in a narrow dtype is computed of numbers that this has, also of Python's and of tensors without dimensions
def brought(x): return (x.float() * 1e6).long().tolist()
narrow = [(torch.arange(1.0, 9) / 7).to(d).requires_grad_() for d in (torch.float16, torch.bfloat16)]
[brought(x.detach().clone().div_(8.1)) for x in narrow]
[brought(y) for x in narrow for y in (x.var(), x.std(), x.var(0, unbiased=False), x.std(0, keepdim=True), x.sum())]
# Refused
x.split([1, 4], 1)
x.chunk(0, 1)
# Not refused
x = torch.arange(1., 7.).view(2, 3).requires_grad_()
x.unflatten(-1, (3, 1)).shape
# Refused
x.unflatten(1, (2, 2))
# Not refused
x = torch.arange(6.).reshape(2, 3)
o = torch.zeros(2, 3)
torch.mm(x, x.t(), out=torch.zeros(2, 2)), torch.pow(x, 2, out=o), torch.eq(x, x, out=torch.zeros(2, 3).bool())
# Refused
torch.exp(x, out=x[0])
# Not refused
torch.einsum("ii", torch.arange(4.0).view(2, 2))
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
x.ndim, x.size(), x.nelement()
3 in i, 99 in i
hash(s) == hash(s), {s: 1}[s], x.equal(x)
reversed(x[0]), list(reversed(i[0]))
x.__reversed__().shape
# Refused
x.permute(0)
x.split(0)
x.t().view(-1)
x.expand(4)
torch.cat(x)
int(x)
"a" in i
torch.equal(x, 1)
# Not refused
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
# Not refused
x = torch.arange(6.).view(2, 3)
# Refused
x.type("foo")
x[1.5]
# Not refused
x = leaf([[1.0, -2.5, 3.5], [4.0, 5.0, -6.0]])
x.mT, torch.movedim(x, 0, 1), x.broadcast_to((2, 2, 3))
x = torch.arange(6.).reshape(2, 3)
# Refused
x.fill_("a")
x.repeat_interleave(1.5)
torch.reshape([1], (1,))
torch.flip(x)
# Not refused
x = torch.arange(6.0).reshape(2, 3).requires_grad_()
v = leaf([3.0, 1.0, 2.0])
torch.permute(x, (1, 0)), torch.reshape(x, (3, 2)), torch.broadcast_to(v, (2, 3)), torch.tile(v, (2, 2)), torch.tile(v, (2,))
square = nn.init.orthogonal_(torch.empty(3, 3))
wide = nn.init.orthogonal_(torch.empty(2, 4), gain=2.0)
tall = nn.init.orthogonal_(torch.empty(4, 2))
(square @ square.t() - torch.eye(3)).abs().max() < 1e-5, (wide @ wide.t() - 4 * torch.eye(2)).abs().max() < 1e-5, (tall.t() @ tall - torch.eye(2)).abs().max() < 1e-5
# Refused
v.expand_as(torch.ones(2, 3)), v.expand_as(torch.ones(2, 4))
# Not refused
def view(part): return written(f"y = x.{part}; y.mul_(5)")
table(view, """
as_strided((2, 2), (1, 2), 1)
diagonal()
diagonal(1)
diagonal(-1, 1, 0)
unsqueeze(0).diagonal(0, 1, 2)
diagonal(3)
diagonal(0, 1, 1)
expand(2, 3, 3)
expand_as(z)
mT
unsqueeze(-1)
view_as(z.view(3, 3))
diag()
index_select(0, first)
__getitem__((None, 1, 1))
__getitem__([0, 1])""")
table(written, """
y = torch.movedim(x, 0, 1); y.mul_(5)
y = torch.broadcast_to(x, (1, 3, 3)); y.mul_(5)
y = torch.einsum('ii->i', x); y.mul_(5)
y = torch.meshgrid(x[0], x[1], indexing='ij')[0].select(1, 0); y.mul_(5)
y = nn.Flatten(0)(x.unsqueeze(0)); y.mul_(5)
x.diagonal().fill_(v)
x.diagonal()[1:] = u[:2]
x.diagonal().copy_(u)""")
# Views of views, and who writes when
table(written, """
y = x.diagonal(); x.mul_(3); y.add_(1); x.mul_(2)
y = x.t().diagonal(1); x.t()[0].mul_(3); y.add_(1)
y = x.diagonal().expand(2, 3)[0]; y.mul_(5)
y = x.diagonal().retain_grad() or x[0]; y.mul_(2)""")
written("with torch.no_grad(): y = x.diagonal()\ny.mul_(5)")
written("with torch.no_grad(): x.diagonal().mul_(5)")
def retained(view, change):
    """The gradients of x, and of a view of it that is changed."""
    x = torch.arange(9.0).reshape(3, 3).requires_grad_() * 1
    y = view(x)
    x.retain_grad(), y.retain_grad()
    change(x, y)
    ((y * y).sum() + x.sum()).backward()
    return x.grad, y.grad
retained(lambda x: x.diagonal(), lambda x, y: y.mul_(2)), retained(lambda x: x.t(), lambda x, y: x.mul_(2))
def one(code, dtype, by=1.1):
    """The value, and the gradient that is kept, kept of what is between, returned, and given to hooks; without hooks, too."""
    x = torch.tensor([[0.5, -1.5], [2.0, 0.25]]).to(dtype).requires_grad_()
    seen, k = [], x.register_hook(lambda g: seen.append((g.dtype, g.tolist())))
    def weighed(x):
        y = eval(code, {**globals(), "x": x})
        return y, (y.float() * (by * torch.arange(1.0, y.numel() + 1)).reshape(y.shape)).sum()
    def loss():
        h = x * 1
        h.retain_grad(), h.register_hook(lambda g: seen.append((g.dtype, g.tolist())))
        return h, *weighed(h)
    try:
        h, y, l = loss()
        l.backward(), k.remove()  # whether grad() calls the hooks of a leaf depends on torch's version
        bare = x.detach().clone().requires_grad_()
        weighed(bare)[1].backward()
        return y.detach(), x.grad, h.grad, grad(loss()[2], x)[0], seen, bare.grad, grad(weighed(bare)[1], bare)[0]
    except RuntimeError: return "RuntimeError"
table(lambda code: one(code, torch.float16), """
x.half()
x * 2
x * 2 + x
x.float() * 2
x.bfloat16()
x * x
x / x
x - x.float()
x ** 2
x.sum()
x.t()""")
