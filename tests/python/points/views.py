# Of torch's list of views those that view_programs.py does not draw, each written to: see written.py.
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
