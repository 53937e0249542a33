# Where views lie: strides, offsets, what is contiguous, which shapes view() can say, as_strided; and what
# is written through them, also by NumPy.
import itertools, numpy as np, torch
x = torch.arange(24.0).reshape(2, 3, 4)
def where(y): return tuple(y.shape), y.stride(), y.storage_offset(), y.is_contiguous()
def tried(f):
    try: return f()
    except (RuntimeError, IndexError, TypeError) as error: return type(error).__name__
where(x), where(x[0, 0, 0]), where(torch.zeros(3)), where(torch.zeros(1, 1)), x.stride(1), x.stride(-1), tried(lambda: x.stride(3))
[where(x.permute(p)) for p in itertools.permutations(range(3))]
[where(x[i]) for i in ((..., slice(3, None, 2)), np.int64(1), torch.tensor(1), (torch.tensor(-1), ..., torch.tensor(2)), (1, -1, -1))]
shapes = [s for n in range(1, 5) for s in itertools.product((1, 2, 3, 4, 6, 12), repeat=n)]
def seen(y): return [(s, tried(lambda: where(y.view(s))[1:])) for s in shapes if torch.Size(s).numel() == y.numel()]
seen(x[:, :2, :3])
x.as_strided((0, 3), (100, 1)).shape, x.as_strided((24,), (1,), 0).sum(), x.as_strided((2, 12), (12, 1))[1, 11]
x.as_strided((25,), (1,))
w = torch.arange(6.0, requires_grad=True)
# What is written through them
z = torch.arange(12.0).reshape(3, 4)
k = [torch.tensor(-1, dtype=d) for d in (torch.int64, torch.int32, torch.int16, torch.int8)]
[where(z[i]) for i in k], z[k[0], k[1]], z[:, k[0]], z[k[0], [0, 1]], z[[0, 1], k[0]], z[k[0], torch.tensor([True, False, True, False])]
z[torch.tensor(0), torch.tensor(1), torch.tensor(0)]
for i in z.argmax(1)[:2]: z[i.clamp(max=2)] += 0.5
i = z.sum(1).argmin(); z[i].mul_(2); z[i, torch.tensor(0)] = -5; z
# Arrays of views
[(tuple(s // 4 for s in y.numpy().strides), y.numpy().shape) for y in (z, z.t(), z[1:, ::2], z[2], z[:, 3], z[:1].expand(5, 4))]
a, t, r, c = z.numpy(), z.t(), z[1], z[:, ::2]
b = t.numpy()
b[0] += 10
z, r, a, c, c.numpy()
u = z.view(-1)
n = u.numpy(); n[::5] = 0
# Detached, as data, and with other dtypes
p = torch.nn.Parameter(torch.zeros(3))
p.grad = torch.ones(2)
p.grad = torch.ones(2).half(); p.grad
d = (w * 2)[1:4].detach()
def backward_after(change):
    h = w * 1
    y, t = (h * h).sum(), h.view(2, 3).t()
    change(h, t)
    y.backward()
    return w.grad
tried(lambda: backward_after(lambda h, t: t.mul_(2)))
tried(lambda: backward_after(lambda h, t: t.clone().add_(1)))
