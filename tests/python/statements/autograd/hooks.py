# Hooks on tensors, and leaves that are frozen for a while.
x = leaf([1.0, 2, 3])
w = leaf([[1.0, -2], [0.5, 3]])
a, seen = x * 1, []
a[0] = 5.0
a = x * 1; k = a * 2; a[0] = 5.0; s = a + w.sum()
with torch.no_grad(): h = torch.zeros(3); v = h[1:]; v.add_(1); p = h.split(2)[0]; p.add_(5)
p = nn.Parameter(torch.zeros(2, 2)); v, u = p[0], torch.ones(2, 2); u.add_(1), u.mul_(2); p.data = u
# Frozen leaves keep their gradient and hooks; a tensor that requires no gradient may have one
p = leaf([1.0, 2.0]); p.register_hook(lambda g: g * 10) and (p * p).sum().backward(); p.requires_grad_(False); p.grad
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
# Refused
x.detach().register_hook(print)
