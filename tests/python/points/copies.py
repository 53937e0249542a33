# What is copied and what is shared, and what a throw ends: modules and their buffers, state dicts, deep copies,
# optimizers and schedulers that are loaded, modes, anomalies, loaders and printing.
# Deep copies
p = nn.Parameter(torch.tensor([1.0, 2.0]))
tried(lambda: copy.deepcopy(p * 1)), copy.deepcopy(p.detach()).requires_grad, copy.deepcopy(p[:1].detach()), copy.deepcopy(torch.ones(2, 2).t()), copy.deepcopy(torch.Size([2])), copy.deepcopy(torch.float16) is torch.float16
r = nn.Linear(1, 1).load_state_dict({"z": 1}, strict=False); r.missing_keys, r.unexpected_keys
# What forward hooks return
def hooked(hook, before=lambda m, i: None):
    m = filled(nn.Linear(1, 1))
    m.register_forward_hook(hook), m.register_forward_pre_hook(before)
    return m(torch.ones(1))
tried(hooked, lambda m, i, o: 1 / 0), hooked(lambda m, i, o: (o, i)), tried(hooked, lambda m, i, o: None, lambda m, i: [i[0]])
def backward_hooked(*hooks):
    m, seen = filled(nn.Linear(2, 1)), []
    for f in hooks: m.register_full_backward_hook(lambda m, i, o, f=f: seen.append((i, o)) or f(i))
    x = torch.ones(1, 2, requires_grad=True)
    (m(x) * 2).sum().backward()
    return seen, x.grad, m.weight.grad
backward_hooked(lambda g: None), backward_hooked(lambda g: (g[0] * 2,), lambda g: (g[0] + 1,)), tried(lambda: backward_hooked(lambda g: 1 / 0))
# Optimizers and schedulers, loaded
p = leaf([1.0]); o = optim.SGD([p], 0.1, 0.9); p.grad = torch.ones(1); o.step()
s = copy.deepcopy(o.state_dict()); s["param_groups"][0]["mine"] = [1]; o.load_state_dict(s); s["param_groups"][0]["mine"].append(2); o.param_groups[0]["mine"], o.param_groups[0]["params"][0] is p, o.state[p]["momentum_buffer"]
tried(lambda: o.step(lambda: 1 / 0)), torch.is_grad_enabled()
# Modes, and what throws within them
def thrown(context):
    inside = None
    try:
        with context: inside = torch.is_grad_enabled(); raise KeyError
    except KeyError: return inside, torch.is_grad_enabled()
with torch.no_grad(): y = [thrown(f()) for f in (torch.no_grad, torch.enable_grad, lambda: torch.inference_mode(False), lambda: torch.set_grad_enabled(True))]
y
@torch.no_grad()
def values():
    try:
        for i in range(3):
            got = yield (i, torch.is_grad_enabled())
            if got: yield ("got", got, torch.is_grad_enabled())
    except ValueError: yield ("thrown", torch.is_grad_enabled())
v = values(); next(v), torch.is_grad_enabled(), v.send(5), next(v), torch.is_grad_enabled(), v.throw(ValueError()), torch.is_grad_enabled(), tried(lambda: next(v)), torch.is_grad_enabled()
z = torch.zeros(2, requires_grad=True)
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
checkpoint(lambda t: t > 1, half)
table(lambda code: tried(lambda: list(eval(f"DataLoader({code})"))), """
[torch.ones(1), 1], 2
[{"a": 1}, {"b": 1}], 2
[(1, 2), (1,)], 2
[object()]
range(4), 2, collate_fn=sum
[b"a", b"b"], 2
[True, False], 2""")
