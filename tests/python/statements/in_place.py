# In place: what is overwritten has no gradient, and a number that is a tensor has one.
def of(call): return written(f"y = x; y.{call}")
table(of, """
copy_(z[0])
copy_(i)
uniform_(2, 2)
exponential_(float('inf'))
normal_(v)""")
written("x.detach_()")
table(of, """
div_(2, rounding_mode='floor')
div_(v, rounding_mode='trunc')
masked_fill_(m, torch.ones(1))
copy_(v)
index_add_(0, first, z[:1])
scatter_add_(0, i * 0, z)
fill_diagonal_(7)""")
table(written, """
F.relu(x, inplace=True)
F.dropout(x, 1.0, inplace=True)
nn.init.uniform_(x, 2, 2)
nn.init.kaiming_uniform_(x); x = x * 0
x[0] = v
x[m] = v
x = z[0].expand(3, 3); x[...] = z
x[0] = u[:1]""")
# The same where nothing is changed
def new(call): return written(f"y = {call}")
table(new, """
x.masked_fill(m, v)
x.clamp(v, v + 2)
2 ** v * x
torch.where(m, v, x)
torch.full((2,), v)
torch.arange(v)
F.pad(x, (1, 1), value=v)
F.layer_norm(x, (3,), eps=v)
F.cross_entropy(x, i[0], label_smoothing=v / 4)
x.norm(v)
torch.div(2, v) * x""")
i = torch.tensor([1, 0, 1])
STARTS = "torch.tensor([[4.0, -2.0], [0.5, 3.0]])", "torch.tensor([[4, -2], [1, 3]])", "torch.tensor([[4.0, -2.0], [0.5, 3.0]]).bfloat16()", "x * 1", "(x * 1).t()"
def itself(code, starts=STARTS):
    """y, which is written to with what it is made of: numbers, whole ones, narrow ones, and with a history."""
    found = []
    for start in starts:
        x = leaf([[4.0, -2.0], [0.5, 3.0]])
        y = eval(start, {"torch": torch, "x": x})
        try:
            exec(code, {"y": y, "i": i, "torch": torch})
            if y.requires_grad: (y * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
            found.append((y.detach(), x.grad))
        except Exception as error: found.append(type(error).__name__)
    return found
table(itself, """
y += y
y.add_(y, alpha=2)
y.copy_(y)
y /= y.clone()
y /= y.sum()
y -= y * 2
y.index_add_(0, i[:2], y.clone())
y[0] += y[1].clone()
y[i[:2]] = y.clone()
y.view(-1)[0] += y.sum()""")
table(lambda code: itself(code, ["torch.tensor([[4.0, -2.0], [0.5, 3.0]]).half()"]), """
y += y
y -= y
y *= y
y /= y
y **= 2""")
table(lambda code: itself(code, STARTS[:3]), """
y *= y
y /= y
y **= y.abs()
y //= y
y %= y
y.addcmul_(y, y)
y.clamp_(max=y)
y[0] += y[0]
y &= y""")
