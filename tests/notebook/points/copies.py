# What is copied and what is shared, and what a throw ends: modules and their buffers, state dicts, deep copies,
# optimizers and schedulers that are loaded, modes, anomalies, loaders and printing.
# Deep copies
p = nn.Parameter(torch.tensor([1.0, 2.0])); p.grad = torch.tensor([3.0, 4.0])
a, b = copy.deepcopy([p, p])
q = copy.deepcopy({"w": p, "again": [p], "t": torch.tensor([5, 6])}); q["w"] is q["again"][0], q["t"].dtype, q["t"].add_(1), q["w"].grad
m = nn.Linear(2, 2); m.tied = m.weight; m.register_buffer("seen", torch.zeros(2)); m.register_buffer("cache", m.seen, persistent=False); n = copy.deepcopy(m)
n.tied is n.weight, n.cache is n.seen, n.weight is m.weight, list(n.state_dict()), [k for k, _ in n.named_parameters()], [k for k, _ in n.named_buffers()]
n.seen.add_(1); m.seen, n.cache, copy.deepcopy(m.eval()).training, [t.requires_grad for t in copy.deepcopy(m.requires_grad_(False)).parameters()]
tried(lambda: copy.deepcopy(p * 1)), copy.deepcopy(p.detach()).requires_grad, copy.deepcopy(p[:1].detach()), copy.deepcopy(torch.ones(2, 2).t()), copy.deepcopy(torch.Size([2])), copy.deepcopy(torch.float16) is torch.float16
h = m.register_forward_hook(lambda m, i, o: o * 0); k = copy.deepcopy(m); h.remove(); (k(torch.ones(2)), m(torch.ones(2)).sum() != 0)
# State dicts
m = filled(nn.Sequential(nn.Linear(2, 1), nn.BatchNorm1d(1)))
s = m.state_dict()
s = {k: v + 1 for k, v in s.items()}; t = m.load_state_dict(s); s["0.weight"].zero_(); m[0].weight, m[1].num_batches_tracked, t, m[0].weight.requires_grad
before = [t.clone() for t in m.state_dict().values()]
tried(lambda: m.load_state_dict({**s, "0.bias": torch.ones(5)}, strict=False)), tried(lambda: m.load_state_dict({"0.weight": torch.ones(1, 2)})), m.load_state_dict({"0.bias": torch.tensor([7.0]), "z": 1}, strict=False).unexpected_keys
m[0].bias, m.load_state_dict({"0.weight": torch.ones(1, 2).half(), "1.num_batches_tracked": torch.tensor(3.7)}, strict=False).missing_keys, m[0].weight.dtype, m[1].num_batches_tracked
# Buffers
class Buffers(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kept", torch.zeros(1)); self.register_buffer("lost", torch.ones(1), persistent=False); self.register_buffer("nothing", None)
m = Buffers()
list(m.state_dict()), m.register_buffer("lost", torch.ones(2)), list(m.state_dict()), m.register_buffer("kept", torch.ones(3), persistent=False), list(m.state_dict()), [n for n, _ in m.named_buffers()]
m.nothing = torch.ones(1); list(m.state_dict()), m.nothing
del m.lost; m.register_buffer("lost", torch.ones(1)); list(m.state_dict()), "lost" in dir(m), hasattr(m, "gone")
# Forward hooks: their order, what they return, and who goes while they run
def hooked(*hooks, pre=()):
    m, order = filled(nn.Linear(1, 1)), []
    handles = [m.register_forward_hook(lambda m, i, o, f=f: f(order, i, o, handles)) for f in hooks]
    before = [m.register_forward_pre_hook(lambda m, i, f=f: f(order, i)) for f in pre]
    return [m(torch.ones(1)), m(torch.ones(1))], order
tried(lambda: hooked(lambda s, i, o, h: 1 / 0)), hooked(lambda s, i, o, h: (o, i)), tried(lambda: hooked(pre=[lambda s, i: [i[0]]]))
def backward_hooked(*hooks):
    m, seen = filled(nn.Linear(2, 1)), []
    handles = [m.register_full_backward_hook(lambda m, i, o, f=f: seen.append((i, o)) or f(i)) for f in hooks]
    x = torch.ones(1, 2, requires_grad=True)
    (m(x) * 2).sum().backward()
    return seen, x.grad, m.weight.grad
backward_hooked(lambda g: None), backward_hooked(lambda g: (g[0] * 2,), lambda g: (g[0] + 1,)), tried(lambda: backward_hooked(lambda g: 1 / 0))
# Optimizers and schedulers, loaded
def twin(make, change=lambda o: None):
    p, q = (torch.tensor([1.0, -2.0], requires_grad=True) for _ in "12")
    a, b = make([p]), make([q])
    for _ in "12": p.grad = torch.tensor([0.5, 1.5]); a.step()
    s = a.state_dict(); b.load_state_dict(s); change(b)
    for _ in "12":
        for x, o in (p, a), (q, b): x.grad = torch.tensor([1.0, -1.0]); o.step()
    return p, q, [float(v["step"]) for v in s["state"].values() if "step" in v], a.param_groups[0]["lr"], b.param_groups[0]["lr"]
makes = {"SGD": lambda p: torch.optim.SGD(p, 0.1, 0.9), "Adam": lambda p: torch.optim.Adam(p, 0.1, amsgrad=True), "AdamW": lambda p: torch.optim.AdamW(p, 0.1), "RMSprop": lambda p: torch.optim.RMSprop(p, 0.1, momentum=0.5, centered=True, weight_decay=0.5), "Adagrad": lambda p: torch.optim.Adagrad(p, 0.1, lr_decay=0.1)}
[twin(make) for make in makes.values()]
[twin(make, lambda o: o.param_groups[0].update(lr=1.0)) for make in makes.values()]
p = torch.tensor([1.0], requires_grad=True); o = torch.optim.SGD([p], 0.1, 0.9); p.grad = torch.ones(1); o.step()
b = o.state[p]["momentum_buffer"]; p.grad.mul_(100); b, b is o.state_dict()["state"][0]["momentum_buffer"], o.state_dict()["param_groups"] is o.param_groups
s = copy.deepcopy(o.state_dict()); s["param_groups"][0]["mine"] = [1]; o.load_state_dict(s); s["param_groups"][0]["mine"].append(2); o.param_groups[0]["mine"], o.param_groups[0]["params"][0] is p, o.state[p]["momentum_buffer"]
g = torch.optim.SGD([{"params": [p], "momentum": 0.5}, {"params": [torch.ones(1, requires_grad=True)], "lr": 3.0}, {"params": [torch.ones(1, requires_grad=True)]}], 0.1, weight_decay=0.25); [(v["lr"], v["momentum"], v["weight_decay"]) for v in g.param_groups]
tried(lambda: o.step(lambda: 1 / 0)), torch.is_grad_enabled()
sched = torch.optim.lr_scheduler.StepLR(o, 1, 0.5); s = sched.state_dict(); o.step(), sched.step(); s["last_epoch"], sched.last_epoch, [v["lr"] for v in o.param_groups], sched.get_last_lr(), o.param_groups[0]["initial_lr"]
# Modes, and what throws within them
def thrown(context):
    inside = None
    try:
        with context: inside = torch.is_grad_enabled(); raise KeyError
    except KeyError: return inside, torch.is_grad_enabled()
with torch.no_grad(): y = [thrown(f()) for f in (torch.no_grad, torch.enable_grad, lambda: torch.inference_mode(False), lambda: torch.set_grad_enabled(True))]
y
def decorated(wrap, fails=False):
    @wrap
    def f(): return 1 / 0 if fails else torch.is_grad_enabled()
    return tried(f), tried(f), torch.is_grad_enabled()
[decorated(w, fails) for w in (torch.no_grad(), torch.enable_grad(), torch.inference_mode()) for fails in (False, True)]
@torch.no_grad()
def values():
    try:
        for i in range(3):
            got = yield (i, torch.is_grad_enabled())
            if got: yield ("got", got, torch.is_grad_enabled())
    except ValueError: yield ("thrown", torch.is_grad_enabled())
v = values(); next(v), torch.is_grad_enabled(), v.send(5), next(v), torch.is_grad_enabled(), v.throw(ValueError()), torch.is_grad_enabled(), tried(lambda: next(v)), torch.is_grad_enabled()
z = torch.zeros(2, requires_grad=True)
with torch.autocast("cpu", torch.bfloat16): y = tried(lambda: torch.ones(2, 2) @ torch.ones(3))
# Anomalies are looked for as long as one asks for it
def anomaly(): return tried(lambda: (z * 1).sqrt().mul(z / z).sum().backward())
with torch.autograd.detect_anomaly(): y = anomaly()
y, anomaly(); z.grad = None
thrown(torch.autograd.detect_anomaly()), anomaly(); z.grad = None
with torch.autograd.set_detect_anomaly(True):
    with torch.autograd.set_detect_anomaly(False): y = [anomaly()]
    y.append(anomaly())
y, anomaly(); z.grad = None
# A checkpoint's result is of its own dtype
half = torch.tensor([1.0, 2.0], dtype=torch.float16, requires_grad=True)
checkpoint(lambda t: (t * z).bfloat16() if False else t.bfloat16(), half)
checkpoint(lambda t: t > 1, half)
# Loaders
Pair = collections.namedtuple("Pair", "a b")
class Pairs(Dataset):
    def __len__(self): return 3
    def __getitem__(self, i): return Pair(i, {"x": torch.tensor([i]), "t": ("s" * i, float(i))}) if i < 3 else 1 / 0
[(type(v).__name__, v.a, type(v.b["t"]).__name__, v.b["x"], v.b["t"][0]) for v in DataLoader(Pairs(), 2)]
[sorted(itertools.chain(*(v.tolist() for v in DataLoader(range(7), 3, shuffle=True)))), len(list(RandomSampler(range(40), True, 70))), len(list(RandomSampler(range(5), False, 7))), len(RandomSampler(range(5)))]
tried(lambda: list(DataLoader([torch.ones(1), 1], 2))), tried(lambda: list(DataLoader([{"a": 1}, {"b": 1}], 2))), tried(lambda: list(DataLoader([(1, 2), (1,)], 2))), tried(lambda: list(DataLoader([object()], 1))), list(DataLoader(range(4), 2, collate_fn=sum)), list(DataLoader([b"a", b"b"], 2)), list(DataLoader([True, False], 2))
torch.set_printoptions(profile="default")
# What a file says of parameters
f = io.BytesIO(); torch.save({"a": nn.Parameter(torch.ones(1), requires_grad=False), "b": nn.Parameter(torch.ones(1)), "c": torch.ones(2, 3).t(), "d": torch.arange(6)[1::2]}, f); f.seek(0); s = torch.load(f); [(type(v).__name__, v.requires_grad, v) for v in s.values()]
