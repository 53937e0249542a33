# Copies, pickles and files: what shares memory goes on to share it.
p = nn.Parameter(torch.ones(2)); q = copy.copy(p); p.data = torch.zeros(3)
p, q
p = nn.Parameter(torch.tensor([1.0, 2.0]))
tried(lambda: copy.deepcopy(p * 1)), copy.deepcopy(p.detach()).requires_grad, copy.deepcopy(p[:1].detach()), copy.deepcopy(torch.ones(2, 2).t()), copy.deepcopy(torch.Size([2])), copy.deepcopy(torch.float16) is torch.float16
t = torch.ones(2)
t.note, t.require_grad = [1], False
copy.deepcopy(t).note, copy.deepcopy(t).note is t.note
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
(x.t(), x, x.diagonal())
[x[0].expand(2, 3), x[0]]
[k, x.half(), x > 1, x.bfloat16()]
[p, p]
[p, nn.Parameter(p.data[:2])]""")
w = torch.arange(3.0, requires_grad=True); (w * w).sum().backward()
alike("[w, w.detach()]")
a, g = copy.deepcopy([w, w.grad]); g.zero_(); a.grad, w.grad, a.is_leaf
m = nn.Module()
m.register_buffer("all", x.clone()); m.register_buffer("part", m.all.t()[1]); m.p = nn.Parameter(torch.ones(2)); m.q = m.p
n = copy.deepcopy(m); n.all.zero_(); n.part, n.q is n.p, m.part, list(n.state_dict())
f = io.BytesIO(); torch.save(m.state_dict(), f); second = f.tell(); f.seek(0); s = torch.load(f); s["all"].zero_(); s["part"]
# Another object behind the first
_ = f.seek(second), torch.save(p, f), f.seek(second)
# Refused
torch.load(f)
# Not refused
a, b = copy.deepcopy([x, x[0]]); b.requires_grad_(); a.add_(1); (b * b).sum().backward(); b, b.grad
copy.copy(x[0]).zero_(), x
