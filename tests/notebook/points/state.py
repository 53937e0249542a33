# What is done to state by hand: in place with itself, versions, gradients that are given, hooks, buffers,
# copies, optimizers' state, and modes that a throw ends.
x = leaf([1.0, 2, 3])
w = leaf([[1.0, -2], [0.5, 3]])
# Who has the retained gradient after it was written to
def kept(change):
    h = x * 1
    h.retain_grad()
    change(h)
    (h * h).sum().backward()
    found = h.grad, x.grad
    x.grad = None
    return found
kept(lambda h: h.copy_(torch.ones(3))), kept(lambda h: h.__setitem__(None, 5.0)), kept(lambda h: h[None].mul_(2)), kept(lambda h: h.__setitem__(slice(1, None), torch.zeros(2)))
# One gradient for two, and what is written of it
def shared(write, create):
    a, b, c = leaf([0.5, -1.0, 2.0]), leaf([1.5, 3.0]), leaf([1.0, 2.0, 3.0])
    y = a * a
    write(y, b)
    return [g.detach() for g in grad(((y + c) ** 2).sum() + (c - y).sum(), [a, b, c], create_graph=create, allow_unused=True) if g is not None]
[[shared(write, create) for create in (False, True)] for write in (lambda y, b: y.__setitem__(0, b[0]), lambda y, b: y.__setitem__([0, 2], b), lambda y, b: y[1:].copy_(b), lambda y, b: y.__setitem__(slice(None), 4.0), lambda y, b: y.__setitem__(y > 1, 4.0))]
a = x * 1; seen = []; a[0] = 5.0; a.retain_grad(), a.register_hook(seen.append) and None, (a * a).sum().backward(create_graph=True), a.grad.detach(), seen[0].detach(), x.grad.detach()
a = x * 1; k = a * 2; a[0] = 5.0; s = a + w.sum(); (g := grad((s * s).sum(), [s, a, w, x], create_graph=True)) and [v.detach() for v in g]
# Views of what no_grad made, parts, and what is lost
def after(make, change):
    h = x * 1
    with torch.no_grad(): v = make(h)
    return tried(lambda: change(h, v))
[after(make, change) for make in (lambda h: h[1:], lambda h: h.view(3, 1), lambda h: h.split(1)[0], lambda h: h.unbind()[1]) for change in (lambda h, v: v.mul_(2), lambda h, v: v[0].mul_(2), lambda h, v: v.view(-1).zero_(), lambda h, v: v.detach().mul_(2), lambda h, v: (h.mul_(2), v * 1)[1], lambda h, v: (h.add_(1), v.sum().backward())[1])]
with torch.no_grad(): h = torch.zeros(3); v = h[1:]; v.add_(1); p = h.split(2)[0]; p.add_(5)
tried(lambda: v[0].copy_(x[0])), tried(lambda: v[:1].mul_(x[:1])), tried(lambda: v.view(2, 1).add_(x[0])), h.requires_grad
p = nn.Parameter(torch.zeros(2, 2)); v, u = p[0], torch.ones(2, 2); u.add_(1), u.mul_(2); p.data = u; (v, p, u.add_(1) is u, v, p[0])
# Versions: a step, a hand, a setter
def stepped(make):
    p = leaf([1.0, 2])
    o = make([p])
    y, p.grad, before = (p * p).sum(), torch.ones(2), p._version
    o.step()
    return p._version > before, tried(lambda: y.backward())
[stepped(make) for make in (lambda p: optim.SGD(p, 0.1), lambda p: optim.SGD(p, 0.1, 0.9), optim.Adam, optim.AdamW, lambda p: optim.AdamW(p, amsgrad=True), optim.RMSprop, optim.Adagrad)]
def counted(change):
    h = torch.ones(2, 2)
    before = h._version
    tried(lambda: change(h))
    return h._version > before
[counted(f) for f in (lambda h: h.__setitem__(0, 1.0), lambda h: h[0].zero_(), lambda h: h.t().copy_(h + 1), lambda h: h.fill_(1), lambda h: h.masked_fill_(h > 0, 1), lambda h: h.clamp_(0), lambda h: h.exp_(), lambda h: h.sinh_(), lambda h: h.uniform_(), lambda h: h.__setitem__(h > 5, 1.0), lambda h: h.__iadd__(1), lambda h: h.detach().add_(1), lambda h: h.clone().add_(1), lambda h: h * 2, lambda h: h.add_(torch.ones(3)), lambda h: h.index_add_(0, torch.tensor([0]), torch.ones(1, 2)))]
# Gradients that are given
g = torch.ones(3)
tried(lambda: setattr(x, "grad", torch.ones(2))), tried(lambda: setattr(x, "grad", torch.ones(3).long())), tried(lambda: setattr(x, "grad", 3.0)), tried(lambda: setattr(x, "grad", x)), x.grad
del x.grad; x.grad
a, b = torch.zeros(3, requires_grad=True), torch.zeros(3, requires_grad=True)
a.grad = b.grad = None
def hooked(*hooks, twice=False):
    order, h = [], x * 1
    for i, f in enumerate(hooks): h.register_hook(lambda g, i=i, f=f: order.append((i, g.tolist())) or f(g))
    y = (h * h).sum()
    y.backward(retain_graph=True)
    if twice: y.backward()
    found, x.grad = x.grad, None
    return found, order
tried(lambda: hooked(lambda g: g[:1])), tried(lambda: hooked(lambda g: 3.0)), tried(lambda: hooked(lambda g: "a")), tried(lambda: hooked(lambda g: g.long())), hooked(lambda g: g * 2, twice=True)
tried(lambda: x.detach().register_hook(print)), tried(lambda: torch.ones(2).retain_grad())
# Frozen leaves keep their gradient and hooks; a tensor that requires no gradient may have one
p = leaf([1.0, 2.0]); p.register_hook(lambda g: g * 10) and (p * p).sum().backward(); p.requires_grad_(False); p.grad
p.requires_grad_(True), (p * 1).sum().backward(), p.grad.clone(), p.requires_grad_(False).grad.zero_(), p.grad, setattr(p, "grad", None), p.grad
p.grad = torch.ones(2); p.grad, p.requires_grad, tried(lambda: setattr(p, "grad", torch.ones(3))), p.requires_grad, p.requires_grad_().grad
p = leaf([1.0, 2.0]); (p * p).sum().backward(); p.detach_() is p, p.grad, p.requires_grad
def froze(make):
    """An optimizer goes on with a gradient that is 0, and leaves a parameter without one."""
    p, q = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2))
    o = make([p, q])
    for n in range(4):
        o.zero_grad(set_to_none=n == 3)
        q.requires_grad_(n < 2)
        (p * p + q * q).sum().backward(), o.step()
    return p.detach(), q.detach()
froze(lambda ps: optim.SGD(ps, 0.1, 0.9)), froze(optim.Adam)
# Modules with state of their own
class Renamed(nn.Module):
    """Loads a checkpoint with an older name, saves a number of its own, and computes from what it loaded."""
    _version = 2
    def __init__(self): super().__init__(); self.w, self.n, self.seen = nn.Parameter(torch.zeros(2)), 7, []
    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "n"] = torch.tensor(self.n)
    def _load_from_state_dict(self, state, prefix, metadata, strict, missing, unexpected, errors):
        if prefix + "old" in state: state[prefix + "w"] = state.pop(prefix + "old")
        self.n = int(state.pop(prefix + "n", -1))
        super()._load_from_state_dict(state, prefix, metadata, strict, missing, unexpected, errors)
        self.seen.append((metadata.get("version"), self.w.sum().item()))
class Words(nn.Module):
    def __init__(self): super().__init__(); self.words = ["a"]
    def get_extra_state(self): return {"words": list(self.words)}
    def set_extra_state(self, state): self.words = state["words"]
class Adapted(nn.Linear):
    """Of its own tensors only the bias is saved."""
    def state_dict(self, *args, **options): found = super().state_dict(*args, **options); [found.pop(k) for k in list(found) if k.endswith("weight")]; return found
a = nn.Sequential(Renamed(), Words(), Adapted(2, 1)); a[1].words = ["b", "c"]; saved = a.state_dict(); list(saved), saved._metadata, list(a[2].state_dict(None, "p.")), list(a[0].state_dict())
b = nn.Sequential(Renamed(), Words()); b[0].n = 1; str(b.load_state_dict(dict(list(saved.items())[:3]))), b[0].n, b[1].words, b[0].seen
b.load_state_dict(collections.OrderedDict({"0.old": torch.ones(2), "1._extra_state": {"words": []}})), b[0].w, b[0].seen, b[1].words
saved = b.state_dict(); saved["0.w"] = torch.tensor([2.0, 3.0]); b.load_state_dict(saved), b[0].seen, b.load_state_dict({}, strict=False).missing_keys, tried(lambda: b.load_state_dict({}))
def told(hooked):
    m, names = filled(nn.Sequential(nn.Linear(1, 1))), []
    hooked(m[0], names)
    kept = m.state_dict()
    return sorted(kept.items(), key=str)[:1], str(tried(lambda: m.load_state_dict(kept))), str(tried(lambda: m.load_state_dict({"0.weight": torch.ones(1, 1)}))), names
told(lambda m, names: m._register_state_dict_hook(lambda m, d, prefix, meta: d.update({prefix + "more": meta}))), told(lambda m, names: (m._register_state_dict_hook(lambda m, d, prefix, meta: d.update({prefix + "more": 1})), m._register_load_state_dict_pre_hook(lambda d, prefix, *rest: names.append(d.pop(prefix + "more", 0)))))
told(lambda m, names: m.register_load_state_dict_post_hook(lambda m, keys: names.append(list(keys.missing_keys)) or keys.missing_keys.clear())), told(lambda m, names: m.register_load_state_dict_post_hook(lambda m, keys: 3))
class Number(nn.Module):
    def __init__(self): super().__init__(); self.w = nn.Parameter(torch.tensor(0.0))
m = Number(); m.load_state_dict({"w": torch.tensor([3.0])}), m.w, tried(lambda: m.load_state_dict({"w": 3})), tried(lambda: m.load_state_dict(3))
m = nn.Module(); [tried(lambda: f(*args)) for f, *args in ((m.register_buffer, "a", 3), (m.register_buffer, 3, torch.ones(1)), (m.register_parameter, "w", torch.ones(1)), (m.register_parameter, 3, None), (m.add_module, 1, nn.ReLU()), (m.register_buffer, "a.b", None))]
class Several(nn.Module):
    def forward(self, a, b, n): return a * n, b, None
def gave(m, *args, change=None):
    """What hooks on gradients are given, of a result that a hook on it changed."""
    seen, x = [], leaf([1.0, 2.0])
    m.register_full_backward_hook(lambda m, given, got: seen.append(([g if g is None else g.tolist() for g in given], [g if g is None else g.tolist() for g in got])) or change)
    if not args: m.register_forward_hook(lambda m, given, y: y * 2)
    y = m(x, *args)
    (y if torch.is_tensor(y) else y[0]).sum().backward()
    return seen, x.grad
[y.requires_grad for y in (lambda m: (m.register_full_backward_hook(lambda m, given, got: None), m(torch.ones(2), leaf([1.0, 2.0]), 2)[:2])[1])(Several())]
gave(nn.ReLU()), gave(Several(), leaf([3.0, 4.0]), 5), gave(Several(), torch.ones(2), 5), gave(nn.Tanh(), change=(torch.ones(2),)), tried(lambda: gave(nn.Tanh(), change=(torch.ones(2), None)))
def frozen(between):
    """A leaf that is frozen for a while, between a tape and its backward pass."""
    p, seen = leaf([2.0, 3.0]), []
    p.register_hook(lambda g: seen.append(g.tolist()))
    (p * p).sum().backward()
    y = (p * p).sum()
    p.requires_grad_(False)
    between(p)
    p.requires_grad_(True)
    y.backward()
    return p.grad, seen
[frozen(f) for f in (lambda p: None, lambda p: setattr(p, "grad", None), lambda p: p.grad.zero_())]
late = nn.Module()
late.register_buffer("a", torch.ones(1), persistent=False)
late.a = nn.Parameter(torch.ones(2))
late.state_dict()
default_collate([collections.defaultdict(int, a=1)] * 2), torch.inner(torch.ones(2, 0), torch.ones(3, 0))
# A hook is removed from the node that it was registered at, also by another's end
def removed(change):
    y = x * 2; handle = y.register_hook(lambda g: g * 5); z = change(y); handle.remove()
    y.sum().backward(); found = x.grad; x.grad = None
    return found
[removed(change) for change in (lambda y: None, lambda y: y.mul_(1), lambda y: y.__setitem__(0, 1.0), lambda y: y.add_(x))]
class Last:
    def __call__(self, g): return g
    def __del__(self): [handle.remove() for handle in handles]
a = leaf([1.0, 2]); first = a.register_hook(Last()); handles = [a.register_hook(lambda g: g * 3), a.register_hook(lambda g: g * 5)]; first.remove(); (a * 1).sum().backward(); a.grad
a = leaf([1.0, 2]); _ = a.register_hook(Last()); handles = [a.register_hook(lambda g: g * 3) for _ in range(9)]; del a
# A leaf that is frozen between forward and backward
def frozen(freeze):
    a, b, seen = leaf([1.0, 2]), leaf([3.0, 4]), []
    a.register_hook(lambda g: seen.append(g)); y = (a * b * a).sum(); o = optim.SGD([a, b], lr=0.1)
    freeze(a); y.backward(); o.step()
    return a, b, a.grad, b.grad, seen
[frozen(freeze) for freeze in (lambda a: a.requires_grad_(False), lambda a: a.detach_(), lambda a: setattr(a, "requires_grad", False), lambda a: a.requires_grad_(False).requires_grad_())]
a = leaf([1.0, 2]); y = (a * a).sum(); a.requires_grad_(False); a.grad = torch.ones(2); tried(y.backward), a.grad
# A file from before BatchNorm counted its batches
n = nn.Sequential(nn.BatchNorm1d(2)); saved = n.state_dict(); del saved["0.num_batches_tracked"]; tried(n.load_state_dict, saved), tried(n.load_state_dict, dict(saved)), saved._metadata, n[0].num_batches_tracked
# Refused
