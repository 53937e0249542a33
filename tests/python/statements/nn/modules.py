# Modules: layers, containers, parameters and buffers.
s = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
s[0], s[-1].out_features, s[:2], s.get_submodule("1"), s.register_buffer("q", torch.ones(1)), s.q, list(s.buffers())
s.w = nn.Parameter(torch.ones(1)); s.w = None; s.w
class M(nn.Module):
    def __init__(self): self.x = nn.Linear(1, 1)
l = nn.ModuleList([nn.Linear(1, 1)] * 2)
# Refused
nn.Linear(2, 3).to(torch.int64)
s.w = torch.ones(1)
M()
l()
nn.utils.rnn.pad_sequence([])
nn.Parameter(torch.tensor([1, 2]))
# Not refused
v = leaf([[-3.5, -0.5, 0.3, 2.0]])
nn.RMSNorm(4, eps=1e-6)(v) if hasattr(nn, "RMSNorm") else v * (v.square().mean(-1, True) + 1e-6).rsqrt()
class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.inside, self.outside = nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False)
        self.outside.weight = self.inside.weight
        self.register_buffer("kept", torch.tensor([1.0]))
        self.register_buffer("left", torch.tensor([2.0]), persistent=False)
m = Tied()
found = collections.OrderedDict(a=1); m.state_dict(destination=found, prefix="p.") is found, list(found)
m.kept.tag = m.inside.weight.tag = 5
m.outside.weight.tag, next(m.parameters()).tag, m.state_dict(keep_vars=True)["kept"].tag
# Refused
m.state_dict()["kept"].tag
# Not refused
nest = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 1)))
[name in dir(m) for m in (nest, nest[0]) for name in ("training", "0", "weight")], [nn.Embedding(5, 4, *of) for of in ((), (0,), (-1, 2.0, 1))]
# Refused
nest.get_submodule("0.weight")
nest.train("yes")
nest.add_module("", nn.ReLU())
nn.Sigmoid(3)
# Not refused
def moved(code):
    """A view of a parameter that has other data by now, a new one, and the old one's gradient."""
    found = []
    for view in "p[0]", "p.t()", "p.detach()":
        p, u = nn.Parameter(torch.eye(2)), torch.ones(2, 2)
        v = eval(view); u.add_(1), u.mul_(2); p.data = u
        with torch.no_grad(): exec(code)
        v.requires_grad and (v * v).sum().backward()
        found.append((v.detach(), p[0].detach(), p.grad))
    return found
table(moved, "v.add_(1)\np.add_(1)")
p = nn.Parameter(torch.arange(6.0)); v = p.view(2, 3); p.requires_grad_(False); p.add_(1); v.requires_grad, v
def layer(code, *sizes):
    """Text, results of two calls in training and one after it, gradients of the input and the parameters, and buffers."""
    m, x = filled(eval("nn." + code)).train(), leaf((torch.arange(24.0) * 1.7).sin().reshape(sizes or (2, 4, 3)).tolist())
    found = [repr(m), m(x), m(x), m.eval()(x)]
    sum((y * torch.arange(1.0, y.numel() + 1).reshape(y.shape)).sum() for y in found[1:]).backward()
    return found, [p.grad for p in (x, *m.parameters())], list(m.buffers())
table(lambda line: layer(*eval(line)), """
"Conv1d(4, 6, 2, 2, 1, 2, 2)",
"Conv1d(4, 2, 3, padding='same')",
"BatchNorm1d(4, 0.1, 0.5)",
"BatchNorm1d(4, momentum=None, affine=False)",
"BatchNorm1d(3, track_running_stats=False)", 8, 3
"GroupNorm(2, 4, eps=0.1)",
"GroupNorm(4, 4, affine=False)",
"TransformerEncoderLayer(4, 2, 6, 0.0, 'gelu', 0.1)", 2, 3, 4
"TransformerEncoderLayer(4, 2, 6, 0.0, norm_first=True, batch_first=True)", 2, 3, 4""")
