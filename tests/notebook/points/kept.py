# What is kept when modules, modes, loaders and files are used again, in part, or thrown out of.
import copy, io, itertools, os, tempfile
import torch, torch.nn as nn
from collections import OrderedDict
from torch.utils.data import BatchSampler, ConcatDataset, DataLoader, IterableDataset, RandomSampler, Subset
from torch.utils.data import SequentialSampler, random_split
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
list(m.state_dict()), [name for name, _ in m.named_buffers()]
c = copy.deepcopy(m)
c.outside.weight is c.inside.weight, c.same is c.inside, c.inside.weight is m.inside.weight
list(c.state_dict()), [name for name, _ in c.named_buffers()]
c.inside.weight.data.fill_(1.0); c.outside.weight.detach(), torch.equal(m.inside.weight, c.inside.weight)
del c.left; c.register_buffer("left", torch.tensor([3.0])); list(c.state_dict())
c.register_buffer("left", None); list(c.state_dict())
c.register_buffer("kept", torch.tensor([4.0]), persistent=False); list(c.state_dict())
c.kept = torch.tensor([5.0]); list(c.state_dict()), c.kept, [name for name, _ in c.named_buffers()]
c.kept = nn.Parameter(torch.tensor([6.0])); list(c.state_dict()), [name for name, _ in c.named_parameters()]
c.kept = 3
del c.kept; c.kept = 3; list(c.state_dict()), c.kept
c.load_state_dict(m.state_dict())
c.load_state_dict({"inside.weight": torch.zeros(3, 2), "outside.weight": torch.zeros(2, 5)}, strict=False)
s = m.state_dict(); s["kept"].fill_(9.0); m.kept
s["inside.weight"].requires_grad, s["inside.weight"].data_ptr() == m.inside.weight.data_ptr()
c = Tied(); c.load_state_dict(s); s["kept"].fill_(8.0); c.kept
found = OrderedDict(a=1); m.state_dict(destination=found, prefix="p.") is found, list(found)
m.state_dict(keep_vars=True)["inside.weight"] is m.inside.weight
seen = []
part = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.ReLU(), nn.Dropout(0.5)))
part.apply(lambda x: seen.append(type(x).__name__)) is part, seen
part[1].eval(); part.training, part[1].training, part[1][1].training
part.eval(); part[1][1].train(); [x.training for x in part.modules()]
part.eval(); [x.training for x in part.modules()]
part[0].train(); part.train(False); [x.training for x in part.modules()]
class Own(nn.Sequential): pass
own = Own(nn.ReLU(), nn.Tanh(), nn.Sigmoid())
type(own[:2]).__name__, own[1:][0] is own[1], [type(x).__name__ for x in own[::2]], type(own[-1]).__name__
rows = nn.ModuleList([nn.ReLU(), nn.Tanh()])
rows.insert(0, nn.Sigmoid()); rows.insert(3, nn.GELU()); [(name, type(x).__name__) for name, x in rows.named_children()]
del rows[1]; [(name, type(x).__name__) for name, x in rows.named_children()]
rows[-1] = nn.ReLU(); rows += [nn.Tanh()]; [(name, type(x).__name__) for name, x in rows.named_children()]
calls = []
def noted(name, gives=None):
    def hook(module, *others):
        calls.append((name, len(others), [type(x).__name__ for x in others]))
        return gives(*others) if gives else None
    return hook
layer = nn.Linear(2, 2, bias=False); nn.init.ones_(layer.weight)
x = torch.tensor([[1.0, 2.0]])
a = layer.register_forward_pre_hook(noted("pre", lambda args: args[0] * 2))
b = layer.register_forward_pre_hook(noted("pre 2", lambda args: (args[0] + 1,)))
h = layer.register_forward_hook(noted("after", lambda args, y: y * 10))
k = layer.register_forward_hook(noted("after 2"))
layer(x), calls
calls.clear(); a.remove(); h.remove(); layer(x), calls
a.remove(); b.remove(); k.remove(); calls.clear(); layer(x), calls
d = layer.register_full_backward_hook(noted("back", lambda gi, go: (gi[0] * 2,)))
e = layer.register_full_backward_hook(noted("back 2", lambda gi, go: (gi[0] + 1,)))
x.requires_grad_(); layer(x).sum().backward(); x.grad, layer.weight.grad, calls
d.remove(); x.grad = None; layer(x).sum().backward(); x.grad
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
with torch.no_grad(): inner = off(), torch.is_grad_enabled()
inner, torch.is_grad_enabled()
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
torch.manual_seed(3) and None
first = torch.rand(3)
torch.equal(drawn_after(torch.random.fork_rng), first), torch.equal(drawn_after(lambda: torch.random.fork_rng(enabled=False)), first)
class Stream(IterableDataset):
    def __iter__(self): return iter(range(3))
loader = DataLoader(Stream(), 2); list(loader), list(loader)
loader = DataLoader(range(5), 2); one, two = iter(loader), iter(loader); next(one), next(two), next(one)
shuffled = DataLoader(range(50), 50, shuffle=True)
orders = [next(iter(shuffled)).tolist() for _ in range(2)]; orders[0] == orders[1], sorted(orders[0]) == sorted(orders[1])
[len(x) for x in random_split(range(10), [1 / 3, 1 / 3, 1 / 3])], [len(x) for x in random_split(range(11), [0.3, 0.3, 0.4])]
both = ConcatDataset([range(2), [], range(10, 13)])
len(both), [both[i] for i in range(-5, 5)]
both[-6]
both[5]
Subset(Subset(range(10, 20), [1, 3, 5, 7]), [3, 0])[0], list(Subset([5, 6, 7], [2, 0]))
[len(list(RandomSampler(range(n), replacement=True, num_samples=k))) for n, k in ((3, 31), (3, 32), (3, 33), (40, 70))]
[sorted(RandomSampler(range(3), num_samples=k)) for k in (3, 6)]
[len(BatchSampler(SequentialSampler(range(n)), 2, drop)) for n in (0, 1, 2, 3) for drop in (False, True)]
def saved(obj):
    file = io.BytesIO(); torch.save(obj, file); file.seek(0)
    return torch.load(file)
whole = torch.arange(12.0).reshape(3, 4)
got = saved({"column": whole[:, 1], "corner": whole[1:, 2:], "turned": whole.t(), "none": whole[3:], "number": whole[2, 3]})
got
frozen = saved(nn.Parameter(torch.ones(2), requires_grad=False)); type(frozen).__name__, frozen.requires_grad, frozen
live = saved([nn.Parameter(torch.ones(2)), torch.ones(2, requires_grad=True), torch.ones(1)]); [x.requires_grad for x in live]
[(x.dtype, x) for x in saved([torch.tensor([1.5, -0.0]).to(t) for t in (torch.float16, torch.bfloat16, torch.int8, torch.uint8, torch.int16, torch.bool)])]
x = torch.ones(2); pair = saved((x, x)); pair
loaded = saved(Tied().state_dict()); list(loaded), type(loaded).__name__
t = torch.ones(2)
t.note, t.require_grad = [1], False
copy.deepcopy(t).note, copy.deepcopy(t).note is t.note, copy.deepcopy({"t": t})["t"].note
copy.copy(t).note
t.detach().note
t[:].note
(t + 0).note
t.add_(1).note, t.float().note, t.contiguous().note, torch.as_tensor(t).note, t.requires_grad_(False).note
t += 1
t.note, list(t.__dict__), hasattr(t, "tag")
m.register_buffer("noted", t)
m.noted.note, dict(m.named_buffers())["noted"].note, copy.deepcopy(m).noted.note
nn.Parameter(t).note
m.kept.tag = m.inside.weight.tag = 5
m.outside.weight.tag, next(m.parameters()).tag, m.state_dict(keep_vars=True)["kept"].tag
m.state_dict()["kept"].tag
copy.deepcopy(m).inside.weight.tag
t.shape = 3
del t.note
t.note
