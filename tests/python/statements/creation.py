# New tensors.
t = torch.zeros(3)
t
x = torch.arange(6.).reshape(2, 3)
o = torch.zeros(2, 3)
torch.stack([x, x], out=torch.zeros(2, 2, 3)).shape, torch.clamp(x, 1, out=o)
# Refused
torch.add(x, x, out=torch.empty(3, dtype=torch.int64))
# Not refused
torch.addmm(torch.full((2, 2), math.nan), torch.eye(2), torch.eye(2), beta=0), torch.addmm(torch.full((2, 2), math.inf), torch.eye(2), torch.eye(2), beta=0, alpha=0.5)
v = leaf([0.5, 2.0, 1.5])
# Refused
torch.matmul(x, v, out=torch.zeros(2))
# Not refused
from torch.autograd import gradcheck
# Refused
gradcheck(lambda t: t * 2, (torch.ones(2),))
# Not refused
late = nn.LazyLinear(3, bias=False); o = optim.SGD(late.parameters(), 0.1)
late(torch.ones(2, 2)).shape, late, o.param_groups[0]["params"][0] is late.weight
i = torch.tensor([3, -1, 2])
x = torch.arange(6.).view(2, 3)
x.to(torch.float32, copy=True) is x, x.new_zeros(2).dtype, i.new_ones(2)
i.new_empty(2).dtype
torch.empty_like(x).shape
torch.zeros(2, 3).shape + (4,)
torch.eye(2, dtype=int)
# Refused
torch.ones(3).mT
torch.einsum("ii", torch.ones(2, 3))
torch.ones(2, 3).sum((0, 0))
torch.zeros(-1)
torch.zeros(1.5)
torch.zeros()
torch.tensor("a")
torch.ones("a", 2)
torch.addmm(torch.ones(2, 1, 2), torch.ones(2, 2), torch.ones(2, 2))
torch.addmm(torch.ones(2, 2, dtype=torch.int64), torch.ones(2, 2), torch.ones(2, 2))
torch.ones(2, 3).flip(0, -2)
# Not refused
t = torch.ones(2)
t.note, t.require_grad = [1], False
t += 1
t.note, list(t.__dict__), hasattr(t, "tag")
# Refused
(t + 0).note
# Not refused
layer = nn.Linear(3, 2)
with layer.register_forward_hook(lambda module, args, y: y * 0) as hook:
    zero = layer(torch.ones(1, 3))
zero, bool((layer(torch.ones(1, 3)) == 0).all())
# Refused
torch.ones(3).dot(torch.ones(2))
torch.diag(torch.ones(2, 2, 2))
# Not refused
x = leaf([1.0, 2, 3])
# Who has the retained gradient after it was written to
def kept(change):
    h = x * 1
    h.retain_grad()
    exec(change, globals(), {"h": h})
    (h * h).sum().backward()
    found = h.grad, x.grad
    x.grad = None
    return found
table(kept, """
h.copy_(torch.ones(3))
h[None] = 5.0
h[None].mul_(2)
h[1:] = torch.zeros(2)""")
late.register_buffer("a", torch.ones(1), persistent=False)
# Refused
late.register_buffer(3, torch.ones(1))
late.register_parameter("w", torch.ones(1))
