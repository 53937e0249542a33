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
[name for name, _ in m.named_modules(remove_duplicate=False)], [name for name, _ in m.named_children()]
found = OrderedDict(a=1); m.state_dict(destination=found, prefix="p.") is found, list(found)
class Once(Exception): pass
@torch.set_grad_enabled(False)
def off(): return torch.is_grad_enabled()
torch.set_grad_enabled(True) and None  # torch 1.13 has turned it off by then, torch 2 has not
off(), torch.is_grad_enabled()
@torch.set_grad_enabled(False)
def none():
    for _ in range(2): yield torch.is_grad_enabled()
torch.set_grad_enabled(True) and None
[(inside, torch.is_grad_enabled()) for inside in none()]
t = torch.ones(2)
t.note, t.require_grad = [1], False
copy.deepcopy(t).note, copy.deepcopy(t).note is t.note, copy.deepcopy({"t": t})["t"].note
t += 1
t.note, list(t.__dict__), hasattr(t, "tag")
m.kept.tag = m.inside.weight.tag = 5
m.outside.weight.tag, next(m.parameters()).tag, m.state_dict(keep_vars=True)["kept"].tag
# Refused
(t + 0).note
m.state_dict()["kept"].tag
