# Layers, losses, optimizers and loaders at the edges, and warnings.
from torch.nn.utils.rnn import pad_sequence
x = (torch.arange(24.) * 0.37).cos().reshape(3, 2, 4)
a = filled(nn.MultiheadAttention(4, 2))
a(x[:, 0], x[:, 0], x[:, 0], key_padding_mask=torch.tensor([False, False, True]))
a(x, x, x, attn_mask=torch.zeros(4, 3, 3).bool())[0].shape
tried(lambda: a(x, x, x[:2])), tried(lambda: a(x, x[:, :1], x[:, :1])), tried(lambda: optim.SGD([x]))
e = filled(nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0))
d = filled(nn.TransformerDecoderLayer(4, 2, 8, dropout=0.0))
d(x, x[:2]), d(x[:, 0], x[:2, 0])
t = nn.TransformerEncoder(e, 2)
t(x).shape, len(t.layers), t.layers[0] is e
nn.Linear(2, 3).to(torch.device("cpu")).in_features
y = torch.ones(4, requires_grad=True)
s = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
s[0], s[-1].out_features, s[:2]
len(list(s.modules())), s.add_module("k", nn.ReLU()), s.k
s.get_submodule("k"), s.register_buffer("q", torch.ones(1)), s.q, list(s.buffers())
s.q = torch.zeros(2)
s.q = None
s.w = nn.Parameter(torch.ones(1))
s.w = None
s.w
class M(nn.Module):
    def __init__(self): self.x = nn.Linear(1, 1)
class N(nn.Module):
    def forward(self, x, k=1): return x * k
l = nn.ModuleList([nn.Linear(1, 1)] * 2)
l.append(nn.ReLU()), l.extend([nn.Tanh()]), l.insert(0, nn.GELU()), len(l), l[-1], l[1] is l[2], l[:2]
nn.Parameter()
nn.init.calculate_gain("leaky_relu", 0.2), nn.init.calculate_gain("tanh")
nn.utils.clip_grad_value_([y], 0.5)
w = nn.Parameter(torch.tensor([1., 2.]))
with torch.enable_grad(): k = torch.is_grad_enabled()
with torch.inference_mode(): k = torch.ones(1, requires_grad=True) * 2
k.requires_grad, torch.get_default_dtype()
def w(f):
    with warnings.catch_warnings(record=True) as got:
        warnings.simplefilter("always")
        f()
    return [g.category.__name__ for g in got]
x = torch.ones(2, requires_grad=True)
y = x * 2
w(lambda: F.l1_loss(torch.ones(2), torch.ones(2, 1)))
w(lambda: torch.floor_divide(torch.ones(2), 2)), w(lambda: F.kl_div(torch.ones(2), torch.ones(2)))
w(lambda: x.new_tensor(torch.ones(1)))
# Operands that are none, and sequences that are no array
x = leaf([[1.0, 2], [3, 4]])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    seen = tried(lambda: (x * 1).grad), x.grad, tried(lambda: torch.zeros(1).grad)
seen
[tried(lambda: torch.from_numpy(a)) for a in ([1.0], np.array(["a"]), np.zeros(2, np.longdouble))]
with torch.no_grad(): y = checkpoint(lambda t: t * 2, x)
y
def cast(code, x=x):
    with torch.autocast("cpu", dtype=torch.bfloat16): return eval(code).dtype
table(cast, """
x @ x
x @ x.bfloat16()
F.linear(x, x)
F.linear(x, x.bfloat16())
x + 1
(x @ x).softmax(-1)
torch.addmm(torch.ones(2), x, x)""")
def widened(code):
    """The losses and sums that autocast computes in float32."""
    x = torch.tensor([[0.3, -1.7, 2.1], [1.1, 0.2, -0.4]], dtype=torch.bfloat16, requires_grad=True)
    z, t = x.detach() * 0, torch.tensor([0, 2])
    with torch.autocast("cpu", dtype=torch.bfloat16): y = eval(code)
    return y.detach(), *grad(y.sum(), x)
table(widened, """
F.mse_loss(x, z)
F.l1_loss(x, target=z)
F.smooth_l1_loss(x, z)
F.kl_div(x, z + 0.3, reduction='sum')
F.nll_loss(x, t)
F.cross_entropy(x, t)
F.binary_cross_entropy_with_logits(x, z)
nn.BCELoss()(x.sigmoid(), z)
x.prod()
x.prod(1)
x.quantile(0.5)
torch.trace(x)
torch.cdist(x, z)""")
torch.addmm(torch.full((2, 2), math.nan), torch.eye(2), torch.eye(2), beta=0), torch.addmm(torch.full((2, 2), math.inf), torch.eye(2), torch.eye(2), beta=0, alpha=0.5)
# Refused
nn.Linear(2, 3).to(torch.int64)
pad_sequence([torch.tensor(1.)])
F.embedding(torch.tensor([0, 2]), torch.ones(3, 2, requires_grad=True), padding_idx=5)
s.q = 3
s.w = torch.ones(1)
M()
N()()
l()
nn.Parameter(torch.tensor([1, 2]))
nn.init.xavier_uniform_(torch.ones(3))
nn.init.calculate_gain("foo")
nn.init.kaiming_uniform_(torch.ones(2, 3), mode="foo")
optim.AdamW([w], lrr=1)
