# What is kept when modules, modes, loaders and files are used again, in part, or thrown out of.
from collections import OrderedDict
class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.inside = nn.Linear(2, 2, bias=False)
        self.outside = nn.Linear(2, 2, bias=False)
        self.outside.weight = self.inside.weight
        self.same = self.inside
        self.register_buffer("kept", torch.tensor([1.0]))
        self.register_buffer("left", torch.tensor([2.0]), persistent=False)
    def forward(self, x): return self.outside(self.inside(x)) + self.kept
m = Tied()
[name for name, _ in m.named_parameters()], len(list(m.parameters())), [name for name, _ in m.named_modules()]
[name for name, _ in m.named_modules(remove_duplicate=False)], [name for name, _ in m.named_children()]
c = copy.deepcopy(m)
c.inside.weight.data.fill_(1.0); c.outside.weight.detach(), torch.equal(m.inside.weight, c.inside.weight)
del c.left; c.register_buffer("left", torch.tensor([3.0])); list(c.state_dict())
s = m.state_dict(); s["kept"].fill_(9.0); m.kept
c = Tied(); c.load_state_dict(s); s["kept"].fill_(8.0); c.kept
found = OrderedDict(a=1); m.state_dict(destination=found, prefix="p.") is found, list(found)
seen = []
part = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.ReLU(), nn.Dropout(0.5)))
part.apply(lambda x: seen.append(type(x).__name__)) is part, seen
part.eval(); part[1][1].train(); [x.training for x in part.modules()]
calls = []
def noted(name, gives=None):
    def hook(module, *others):
        calls.append((name, len(others), [type(x).__name__ for x in others]))
        return gives(*others) if gives else None
    return hook
layer = nn.Linear(2, 2, bias=False); nn.init.ones_(layer.weight)
x = torch.tensor([[1.0, 2.0]])
a = layer.register_forward_pre_hook(noted("pre", lambda args: args[0] * 2))
h = layer.register_forward_hook(noted("after", lambda args, y: y * 10))
layer(x), calls
calls.clear(); a.remove(); h.remove(); layer(x), calls
class Shown(nn.Module):
    def forward(self, *args): return [type(x).__name__ for x in args]
shown = Shown()
a = shown.register_forward_pre_hook(lambda module, args: [1, 2]); shown(5)
a.remove(); a = shown.register_forward_pre_hook(lambda module, args: (1, 2.0)); shown(5)
a.remove(); a = shown.register_forward_hook(lambda module, args, y: (y, len(args))); shown(5, 6)
class Once(Exception): pass
@torch.no_grad()
def deep(n):
    found = [torch.is_grad_enabled()]
    with torch.enable_grad(): found.append(torch.is_grad_enabled() and n)
    return found + (deep(n - 1) if n else [])
deep(2), torch.is_grad_enabled()
@torch.set_grad_enabled(False)
def off(): return torch.is_grad_enabled()
torch.set_grad_enabled(True) and None  # torch 1.13 has turned it off by then, torch 2 has not
off(), torch.is_grad_enabled()
@torch.set_grad_enabled(False)
def none():
    for _ in range(2): yield torch.is_grad_enabled()
torch.set_grad_enabled(True) and None
[(inside, torch.is_grad_enabled()) for inside in none()]
def drawn_after(make):
    torch.manual_seed(3)
    try:
        with make(): torch.rand(5); raise Once
    except Once: pass
    return torch.rand(3)
first = torch.rand(3)
torch.equal(drawn_after(torch.random.fork_rng), first), torch.equal(drawn_after(lambda: torch.random.fork_rng(enabled=False)), first)
shuffled = DataLoader(range(50), 50, shuffle=True)
orders = [next(iter(shuffled)).tolist() for _ in range(2)]; orders[0] == orders[1], sorted(orders[0]) == sorted(orders[1])
def saved(obj):
    file = io.BytesIO(); torch.save(obj, file); file.seek(0)
    return torch.load(file)
whole = torch.arange(12.0).reshape(3, 4)
got = saved({"column": whole[:, 1], "corner": whole[1:, 2:], "turned": whole.t(), "none": whole[3:], "number": whole[2, 3]})
got
x = torch.ones(2); pair = saved((x, x)); pair
t = torch.ones(2)
t.note, t.require_grad = [1], False
copy.deepcopy(t).note, copy.deepcopy(t).note is t.note, copy.deepcopy({"t": t})["t"].note
(t + 0).note
t += 1
t.note, list(t.__dict__), hasattr(t, "tag")
m.noted.note, dict(m.named_buffers())["noted"].note, copy.deepcopy(m).noted.note
m.kept.tag = m.inside.weight.tag = 5
m.outside.weight.tag, next(m.parameters()).tag, m.state_dict(keep_vars=True)["kept"].tag
m.state_dict()["kept"].tag
