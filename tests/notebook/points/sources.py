# What is written in Python over the engine: larger sources, lists of dimensions,
# numbers in the middle, options of optimizers, hooks that have gone, and what lies behind a batch.
x = torch.tensor([[1.5, -2.5, 3.5], [4.0, 0.5, -6.0]], requires_grad=True)
y = torch.tensor([[0.5, 2.0, -1.5], [3.0, -0.5, 2.5]])
m = torch.arange(12.0).reshape(3, 4)
[tried(lambda: getattr(torch.tensor([1, 2]), name + "_")(torch.tensor([0.5, 2.0]))) for name in ("divide", "fmod", "multiply", "pow", "remainder", "subtract", "true_divide", "floor_divide", "add", "div")]
tried(lambda: torch.tensor([1, 2]).addcdiv_(torch.tensor([1.0, 2]), torch.tensor([2.0, 2]))), torch.tensor([True, False]).logical_or_(torch.tensor([0.0, 2])), torch.tensor([1.0, 2]).eq_(2)
# A plain tensor's deep copy has its gradient
t = torch.tensor([1.0, 2.0], requires_grad=True); t.grad = torch.tensor([3.0, 4.0]); a, b = copy.deepcopy([t, t])
# A hook of what no longer requires a gradient
order, k = [], t.register_hook(lambda g: order.append("gone"))
t.requires_grad_(False) is t, tried(k.remove), t.requires_grad_() is t, (t * 2).sum().backward(), order
# Along a dimension
[m.diagonal(o) for o in (-3, -2, -1, 0, 1, 2, 3, 4)], [m.t().diagonal(o) for o in (-2, 2)], torch.arange(24).reshape(2, 3, 4).diagonal(1, -1, 0), torch.arange(24).reshape(2, 3, 4).diagonal(-1, 1, 2), [torch.tensor([1, 2]).diag(o) for o in (-1, 0, 2)]
m.median(1), m.median(0, True), m.t().median(1).values, torch.tensor([[3.0, 1, 2, 4], [1, 1, 0, 9]]).median(1), m.median(), torch.tensor([[3, 1], [2, 2]]).median(-1), torch.tensor([[1.0, float("nan"), 0.5], [2, 1, 3]]).median(1)
torch.tensor([0.5, 0.5]).mean(0, dtype=torch.float32), torch.tensor([1.5, 1.5]).prod(dtype=torch.int64), torch.tensor([1.9, 1.9]).cumsum(0, dtype=torch.int64)
[y.norm(p) for p in (0, 0.5, 1, 1.5, 2, 3, 4)], y.norm(3, 0), y.norm(3, 1, True), y.norm(float("-inf"), 1)
[y.quantile(0.4, 1, interpolation=i) for i in ("linear", "lower", "higher", "nearest", "midpoint")]
# Functions: what their backward is run with, and what it leaves
class Leaves(Function):
    @staticmethod
    def forward(ctx, a): ctx.times = 1; return a * 2
    @staticmethod
    def backward(ctx, dy):
        ctx.times += 1
        return dy * ctx.times if not torch.is_grad_enabled() else dy * 100
z = Leaves.apply(x)
z.sum().backward(retain_graph=True); x.grad
z.sum().backward(); x.grad
x.grad = None
torch.autograd.backward([x * 2, x * 3], [y, torch.ones(2, 3)]), x.grad
x.grad = None
q = (x * x * x).sum(); g = grad(q, x, create_graph=True, retain_graph=True)[0]; grad(g.sum(), x, retain_graph=True)[0]
g = grad((x * x * x).sum(), x, create_graph=True)[0]; g.sum().backward(); x.grad
# Modules: places, children, and names
n = nn.Sequential(nn.Linear(1, 1), nn.Sequential(nn.Dropout(0.5), nn.BatchNorm1d(1)))
n[0].weight = nn.Parameter(torch.ones(1, 1)); [k for k, _ in n.named_parameters()], n[0].register_parameter("bias", None), [k for k, _ in n.named_parameters()]
b = nn.BatchNorm1d(2); v = torch.tensor([[1.0, 2.0], [3.0, 5.0], [0.0, 4.0]]); b(v), b.running_mean, b.running_var, b.num_batches_tracked, b.eval()(v), b.num_batches_tracked, b.running_mean
c = nn.BatchNorm1d(2, momentum=None); c(v), c(v * 2), c.running_mean, c.running_var, nn.BatchNorm1d(2, track_running_stats=False).eval()(v), nn.BatchNorm1d(2)(torch.ones(2, 2, 3)).shape
l = nn.ModuleList([nn.ReLU(), nn.Tanh(), nn.GELU()])
l.insert(2, nn.Sigmoid()), [type(t).__name__ for t in l], l.insert(1, nn.SiLU()), [type(t).__name__ for t in l], type(l[1:3]).__name__, [type(t).__name__ for t in l[-2:]], list(l._modules), type(l[:0]).__name__
del l[1]; [k for k, _ in l.named_children()], tried(lambda: l.__setitem__(9, nn.ReLU())), l.__setitem__(-1, nn.ELU()), [type(t).__name__ for t in l]
e = nn.Embedding(3, 2, padding_idx=-1); e(torch.tensor([2, 0])).sum().backward(); e.weight.grad, F.embedding(torch.tensor([[2, 1], [2, 2]]), e.weight.detach().clone().fill_(1).requires_grad_(), -1)
[F.conv1d(torch.arange(8.0).reshape(1, 1, 8), torch.arange(1.0, k + 1).reshape(1, 1, k), padding="same", dilation=d) for k, d in ((2, 1), (3, 1), (4, 1), (2, 3), (3, 2))]
lazy = nn.LazyLinear(2); lazy(torch.ones(1, 3)).shape, lazy.weight.shape, lazy.in_features
a, b = torch.empty(3), torch.empty(3, dtype=torch.int64); torch.max(torch.tensor([[1.0, 5], [7, 2], [0, 3]]), 1, out=(a, b)), a, b
torch.as_tensor([1.5], dtype=torch.int64)
table = torch.ones(3, 2, requires_grad=True); (F.embedding(torch.tensor([[2, 1], [2, 0]]), table, -1) * 3).sum().backward(); table.grad
half = (torch.arange(1.0, 9) / 7).half(); (half.var() * 1.0).float().sub(0.1224).mul(1e6), half.std().float().sub(0.3499).mul(1e6), half.var(0, unbiased=False).float().sub(0.1071).mul(1e6)
