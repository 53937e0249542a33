# Views: where they lie, and what is written through them: see in_place.py.
x = torch.arange(12.).reshape(3, 4)
i = torch.arange(6).reshape(2, 3)
i[0, 0] = torch.tensor(2.9)
i[1] = torch.tensor([True, False, True])
i
x.ndim, x.size(), x.nelement(), 3 in i, 99 in i, x.__reversed__().shape
# Refused
x.unflatten(1, (3, 2))
int(x)
"a" in i
torch.equal(x, 1)
# Not refused
x = torch.arange(24.0).reshape(2, 3, 4)
def where(y): return tuple(y.shape), y.stride(), y.storage_offset(), y.is_contiguous()
[where(y.unsqueeze(d)) for y in (x.transpose(0, 2), x[:, 1:, ::2]) for d in range(-y.dim() - 1, y.dim() + 1)]
[where(x[:1, :, 1:2].squeeze(*d)) for d in ((), (0,), (1,), (-1,))]
where(x.as_strided((2, 2), (1, 3))), x.as_strided((2, 2), (1, 3)), x.as_strided((2, 2), (1, 3), 5), torch.as_strided(x, (3,), (0,), 7)
where(x[1].as_strided((2,), (2,))), x[1].as_strided((2,), (2,), 1), x[1, ::2].as_strided((), ())
x.as_strided((0, 3), (100, 1)).shape, x.as_strided((24,), (1,), 0).sum(), x.as_strided((2, 12), (12, 1))[1, 11]
y = torch.arange(6.0).view(2, 3)
z = y[0]
[where(f()) for f in (lambda: y.unsqueeze_(0), y.squeeze_, y.t_, lambda: y.transpose_(0, 1), lambda: y.resize_(3, 2))], z.add_(9), y
# Refused
torch.ones(2, 2).requires_grad_().t_()
# Not refused
w = torch.arange(6.0, requires_grad=True)
(w * 1).as_strided((3, 2), (1, 2)), (w * 2)[1:].as_strided((2,), (3,))
p = nn.Parameter(x[1])
p.as_strided((2, 3), (4, 1)), p.as_strided((3, 4), (4, 1))  # a leaf that is a view, up to its end
p = nn.Parameter(torch.zeros(3)); p.data = x[0].t()
where(p), p.dtype, p.requires_grad, where(p.data), where(p.detach())
# Refused
x.as_strided((25,), (1,))
x.as_strided((2,), (-1,), 5)
x.as_strided((2, 2), (1,))
x.type("foo")
torch.flip(x)
# Not refused
wide, tall = nn.init.orthogonal_(torch.empty(2, 4), gain=2.0), nn.init.orthogonal_(torch.empty(4, 2))
(wide @ wide.t() - 4 * torch.eye(2)).abs().max() < 1e-5, (tall.t() @ tall - torch.eye(2)).abs().max() < 1e-5
def retained(view, change):
    """The gradients of x, and of a view of it that is changed."""
    x = torch.arange(9.0).reshape(3, 3).requires_grad_() * 1
    y = view(x)
    x.retain_grad(), y.retain_grad()
    change(x, y)
    ((y * y).sum() + x.sum()).backward()
    return x.grad, y.grad
retained(lambda x: x.diagonal(), lambda x, y: y.mul_(2)), retained(lambda x: x.t(), lambda x, y: x.mul_(2))
