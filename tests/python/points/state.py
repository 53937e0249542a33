# What is done to state by hand: in place with itself, versions, gradients that are given, hooks, and what modules,
# copies and optimizers keep.
x = leaf([1.0, 2, 3])
w = leaf([[1.0, -2], [0.5, 3]])
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
# One gradient for two, and what is written of it
def shared(write):
    found = []
    for create in (False, True):
        a, b, c = leaf([0.5, -1.0, 2.0]), leaf([1.5, 3.0]), leaf([1.0, 2.0, 3.0])
        y = a * a
        exec(write, {"y": y, "b": b})
        loss = ((y + c) ** 2).sum() + (c - y).sum()
        gradients = grad(loss, [a, b, c], create_graph=create, allow_unused=True)
        found.append([g is not None and g.detach() for g in gradients])
    return found
table(shared, """
y[0] = b[0]
y[[0, 2]] = b
y[1:].copy_(b)
y[:] = 4.0
y[y > 1] = 4.0""")
a, seen = x * 1, []
a[0] = 5.0
a.retain_grad(), a.register_hook(seen.append) and None, (a * a).sum().backward(create_graph=True)
a.grad.detach(), seen[0].detach(), x.grad.detach()
a = x * 1; k = a * 2; a[0] = 5.0; s = a + w.sum()
[g.detach() for g in grad((s * s).sum(), [s, a, w, x], create_graph=True)]
# Views of what no_grad made, parts, and what is lost
def after(change):
    found = []
    for make in ("h[1:]", "h.view(3, 1)", "h.split(1)[0]", "h.unbind()[1]"):
        h = x * 1
        with torch.no_grad(): v = eval(make, {"h": h})
        found.append(tried(eval, change, {"h": h, "v": v}))
    return found
table(after, """
v.mul_(2)
v[0].mul_(2)
v.view(-1).zero_()
v.detach().mul_(2)
(h.mul_(2), v * 1)[1]
(h.add_(1), v.sum().backward())[1]""")
with torch.no_grad(): h = torch.zeros(3); v = h[1:]; v.add_(1); p = h.split(2)[0]; p.add_(5)
table(lambda write: (tried(eval, write, {"v": v, "x": x}), h.requires_grad), """
v[0].copy_(x[0])
v[:1].mul_(x[:1])
v.view(2, 1).add_(x[0])""")
p = nn.Parameter(torch.zeros(2, 2)); v, u = p[0], torch.ones(2, 2); u.add_(1), u.mul_(2); p.data = u
v, p, u.add_(1) is u, v, p[0]
def stepped(make):
    """Whether a step counts as a write, and what backward says of it."""
    p = leaf([1.0, 2])
    o = optimizer(make, [p])
    y, p.grad, before = (p * p).sum(), torch.ones(2), p._version
    o.step()
    return p._version > before, tried(y.backward)
table(stepped, """
SGD(p, 0.1)
SGD(p, 0.1, 0.9)
Adam(p)
AdamW(p)
AdamW(p, amsgrad=True)
RMSprop(p)
Adagrad(p)""")
# Gradients that are given
[tried(setattr, x, "grad", g) for g in (torch.ones(2), torch.ones(3).long(), 3.0, x)], x.grad
del x.grad; x.grad
def hooked(hook, twice=False):
    order, h = [], x * 1
    h.register_hook(lambda g: order.append(g.tolist()) or hook(g))
    y = (h * h).sum()
    y.backward(retain_graph=True)
    if twice: y.backward()
    found, x.grad = x.grad, None
    return found, order
[tried(hooked, f) for f in (lambda g: g[:1], lambda g: 3.0, lambda g: "a", lambda g: g.long())]
hooked(lambda g: g * 2, twice=True)
# Frozen leaves keep their gradient and hooks; a tensor that requires no gradient may have one
p = leaf([1.0, 2.0]); p.register_hook(lambda g: g * 10) and (p * p).sum().backward(); p.requires_grad_(False); p.grad
p.requires_grad_(True), (p * 1).sum().backward(), p.grad.clone(), p.requires_grad_(False).grad.zero_(), p.grad
p.grad = None; p.grad
p.grad = torch.ones(2); p.grad, p.requires_grad, tried(setattr, p, "grad", torch.ones(3)), p.requires_grad_().grad
p = leaf([1.0, 2.0]); (p * p).sum().backward(); p.detach_() is p, p.grad, p.requires_grad
def froze(make):
    """An optimizer goes on with a gradient that is 0, and leaves a parameter without one."""
    p, q = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2))
    o = optimizer(make, [p, q])
    for n in range(4):
        o.zero_grad(set_to_none=n == 3)
        q.requires_grad_(n < 2)
        (p * p + q * q).sum().backward(), o.step()
    return p.detach(), q.detach()
froze("SGD(p, 0.1, 0.9)"), froze("Adam(p)")
def frozen(between):
    """A leaf that is frozen for a while, between a tape and its backward pass."""
    p, seen = leaf([2.0, 3.0]), []
    p.register_hook(lambda g: seen.append(g.tolist()))
    (p * p).sum().backward()
    y = (p * p).sum()
    p.requires_grad_(False)
    exec(between, {"p": p})
    p.requires_grad_(True)
    y.backward()
    return p.grad, seen
frozen(""), frozen("p.grad = None"), frozen("p.grad.zero_()")
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
class Adapted(nn.Linear):
    """Of its own tensors only the bias is saved."""
    def state_dict(self, *args, **options):
        found = super().state_dict(*args, **options)
        for k in list(found): k.endswith("weight") and found.pop(k)
        return found
a = nn.Sequential(Renamed(), Adapted(2, 1)); saved = a.state_dict()
list(saved), saved._metadata, list(a[1].state_dict(None, "p.")), list(a[0].state_dict())
b = nn.Sequential(Renamed()); b[0].n = 1
str(b.load_state_dict(dict(list(saved.items())[:2]))), b[0].n, b[0].seen
b.load_state_dict({"0.old": torch.ones(2)}), b[0].w
saved = b.state_dict(); saved["0.w"] = torch.tensor([2.0, 3.0])
b.load_state_dict(saved), b[0].seen, b.load_state_dict({}, strict=False).missing_keys, tried(b.load_state_dict, {})
def told(register):
    m, names = filled(nn.Sequential(nn.Linear(1, 1))), []
    register(m[0], names)
    kept = m.state_dict()
    loaded = [str(tried(m.load_state_dict, state)) for state in (kept, {"0.weight": torch.ones(1, 1)})]
    return sorted(kept.items(), key=str)[:1], loaded, names
def saves(m, names): m._register_state_dict_hook(lambda m, state, prefix, meta: state.update({prefix + "more": meta}))
def takes(m, names):
    m._register_state_dict_hook(lambda m, state, prefix, meta: state.update({prefix + "more": 1}))
    m._register_load_state_dict_pre_hook(lambda state, prefix, *rest: names.append(state.pop(prefix + "more", 0)))
told(saves), told(takes)
class Number(nn.Module):
    def __init__(self): super().__init__(); self.w = nn.Parameter(torch.tensor(0.0))
m = Number(); m.load_state_dict({"w": torch.tensor([3.0])}), m.w
class Several(nn.Module):
    def forward(self, a, b, n): return a * n, b, None
def gave(m, *args, change=None):
    """What hooks on gradients are given, of a result that a hook on it changed."""
    def numbers(gradients): return [g if g is None else g.tolist() for g in gradients]
    seen, x = [], leaf([1.0, 2.0])
    m.register_full_backward_hook(lambda m, given, got: seen.append((numbers(given), numbers(got))) or change)
    if not args: m.register_forward_hook(lambda m, given, y: y * 2)
    y = m(x, *args)
    (y if torch.is_tensor(y) else y[0]).sum().backward()
    return seen, x.grad
m = Several(); m.register_full_backward_hook(lambda m, given, got: None) and None
[y.requires_grad for y in m(torch.ones(2), leaf([1.0, 2.0]), 2)[:2]]
gave(nn.ReLU()), gave(Several(), leaf([3.0, 4.0]), 5), gave(Several(), torch.ones(2), 5)
gave(nn.Tanh(), change=(torch.ones(2),))
late = nn.Module()
late.register_buffer("a", torch.ones(1), persistent=False)
late.a = nn.Parameter(torch.ones(2))
late.state_dict()
default_collate([collections.defaultdict(int, a=1)] * 2)
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
def passed(freeze, op=torch.mul, create=False):
    """What two passes give a leaf, an optimizer and a hook: one over what was recorded before, one after it."""
    a, b, seen = leaf([0.5, 0.25]), leaf([3.0, 4]), []
    a.register_hook(lambda g: seen.append(g)); y = (op(a, b) * b).sum(); o = optim.SGD([a, b], lr=0.1)
    exec(freeze, {"a": a, "torch": torch, "tried": tried})
    g, = grad(y, [b], create_graph=True) if create else [b]
    y.backward(retain_graph=True); create or o.step(); a.requires_grad_(); ((a * 1).sum() + g.sum()).backward()
    return a, b, a.grad, b.grad, seen
table(passed, """
a.requires_grad_(False)
a.detach_()
a.requires_grad = False
a.requires_grad_(False); a.grad = torch.ones(2)
a.grad = torch.ones(2); a.requires_grad_(False); tried(setattr, a, "grad", torch.ones(3))""")
OPS = "a.exp() * b", "a.t() + b", "a.view(2, 1).sum(1) * b", "a[[0, 1]] * b", "a.softmax(0) * b", "a.relu() - b", "torch.stack([a, a]).sum(0) / b", "a @ a * b", "F.layer_norm(a, (2,)) * b", "a.std() * b"
table(lambda code: [passed("a.requires_grad_(False)", lambda a, b: eval(code, {"a": a, "b": b, "torch": torch, "F": F}), create) for create in (False, True)], "\n".join(OPS))
p = nn.Parameter(torch.arange(6.0)); v = p.view(2, 3); p.requires_grad_(False); p.add_(1); v.requires_grad, v
# A file from before BatchNorm counted its batches
n = nn.Sequential(nn.BatchNorm1d(2)); saved = n.state_dict(); del saved["0.num_batches_tracked"]; tried(n.load_state_dict, saved), tried(n.load_state_dict, dict(saved)), saved._metadata, n[0].num_batches_tracked
# Refused
x.detach().register_hook(print)
torch.ones(2).retain_grad()
gave(nn.Tanh(), change=(torch.ones(2), None))
Number().load_state_dict({"w": 3})
Number().load_state_dict(3)
late.register_buffer("b", 3)
late.register_buffer(3, torch.ones(1))
late.register_buffer("a.b", None)
late.register_parameter("w", torch.ones(1))
late.add_module(1, nn.ReLU())
