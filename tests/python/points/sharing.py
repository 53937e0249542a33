# What shares memory does so in a deep copy, and in a file; a pickle of each tensor has its own.
x = torch.arange(9.0).reshape(3, 3)
p = nn.Parameter(torch.arange(3.0))
def alike(code):
    """Copies of what is made: where the numbers lie, and what is left of them when the first is set to 0."""
    def saved(made, f):
        torch.save(made, f)
        f.seek(0)
        return torch.load(f)
    found = []
    for copied in copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made)), lambda made: saved(made, io.BytesIO()):
        made = copied(eval(code))
        parts = list(made.values() if isinstance(made, dict) else made)
        with torch.no_grad(): parts[0].zero_()
        found.append([(y, type(y).__name__, y.requires_grad, y.stride(), y.storage_offset()) for y in parts])
    return found, x.sum(), p.sum()
k = x.long()
table(alike, """
[x, x[:2]]
[x, x]
(x.t(), x, x.diagonal())
{"a": x[:, 1], "b": x.view(9)}
[x[0].expand(2, 3), x[0]]
[k, x.half(), x > 1, x.bfloat16()]
[k, k[0]]
[torch.zeros(0, 3), torch.tensor(5.0)]
[p, p.data[1:]]
[p, p]
[p, nn.Parameter(p.data[:2])]""")
w = torch.arange(3.0, requires_grad=True)
w.grad = torch.ones(3)
flat = torch.ones(6)
w.grad = flat[1:4].view_as(w)
(w * w).sum().backward(); w.grad.add_(1); flat
flat.zero_(), w.grad
w.grad = torch.ones(3)
alike("[w, w.detach()]")
a, g = copy.deepcopy([w, w.grad]); g.zero_(); a.grad, w.grad, a.is_leaf
m = nn.Module()
m.register_buffer("all", x.clone()); m.register_buffer("part", m.all.t()[1]); m.p = nn.Parameter(torch.ones(2)); m.q = m.p
n = copy.deepcopy(m); n.all.zero_(); n.part, n.q is n.p, m.part, list(n.state_dict())
n = pickle.loads(pickle.dumps(m)); n.all.zero_(); n.part, n.q is n.p
f = io.BytesIO(); torch.save(m.state_dict(), f); f.seek(0); s = torch.load(f); s["all"].zero_(); s["part"]
a, b = copy.deepcopy([x, x[0]]); b.requires_grad_(); a.add_(1); (b * b).sum().backward(); b, b.grad
copy.copy(x[0]).zero_(), x
