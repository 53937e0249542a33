# state_dict and load_state_dict.
r = nn.Linear(1, 1).load_state_dict({"z": 1}, strict=False); r.missing_keys, r.unexpected_keys
# Names that begin or end like those that are there
table(lambda key: nn.Sequential(nn.Linear(1, 1)).load_state_dict({key: torch.ones(1)}, strict=False)[1], """
0.weight2
0.weight.x
01.weight
0
0.""")
# Optimizers and schedulers, loaded
p = leaf([1.0]); o = optim.SGD([p], 0.1, 0.9); p.grad = torch.ones(1); o.step()
s = copy.deepcopy(o.state_dict()); s["param_groups"][0]["mine"] = [1]; o.load_state_dict(s); s["param_groups"][0]["mine"].append(2); o.param_groups[0]["mine"], o.param_groups[0]["params"][0] is p, o.state[p]["momentum_buffer"]
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
n = nn.BatchNorm1d(2); saved = n.state_dict(); n(torch.eye(2)); list(saved.values()), saved._metadata
# Refused
nn.Linear(1, 1).load_state_dict({"weight": 3})
nn.Linear(1, 1).load_state_dict(3)
