# The graph behind grad_fn, walked as torchviz and PyTorch's tutorials walk it.
from torch.autograd.graph import save_on_cpu, saved_tensors_hooks
a, b, v, m, i = torch.ones(2, 2), leaf([[1.0, 2], [3, 4]]), leaf([1.0, 2]), leaf([[[1.0, 2], [3, 4]]] * 2), torch.tensor([0, 1])
mlp, norm = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.LayerNorm(2)), nn.BatchNorm1d(2)
env = {**locals()}
from shown import graph
def of(code):
    torch.manual_seed(0)
    return graph(eval(code, {**globals(), **env}).grad_fn, env, {})
def written(code):
    y = b * 1
    exec(code, {**globals(), **env, "y": y})
    return graph(y.grad_fn, env, {})
env.update(F=F, nn=nn, torch=torch)
table(of, """
2 * b
1 - b
b - a
1 + b
2 / b
a / b
b ** v
b.square() + b.rsqrt()
b.t() @ b.transpose(0, 1)
b[0] * b[None]
torch.where(a > 0, 0.0, b)
b @ v + v @ v
m @ b
m @ m
m.view(2, 2, 2, 1).transpose(1, 2) @ m.view(2, 2, 1, 2)
F.linear(b, b)
F.linear(m, b, v)
mlp(a)
norm(b)
F.glu(b) + F.logsigmoid(b)
F.group_norm(m, 1)
b.add(v, alpha=2) - b.sub(a, alpha=2)
b % 2 + b % v + torch.pow(2, b)
b[:, 1] + b[1, None, i] + m[..., 0, 1:][0]
v @ b + F.linear(v, b, v)
m @ v
sum(b.split(1) + b.split([1, 1], 1) + b.unbind())
F.cross_entropy(m, i[None].expand(2, 2))
F.cross_entropy(b, v.expand(2, 2))
F.normalize(b) + b.half().float()
torch.vstack([v, v]) + torch.cdist(b, b)
F.elu(b * 1, inplace=True) + F.dropout(b * 1, 0.5, inplace=True)
torch.trace(b)
b[...] + b.t().reshape(4).view(2, 2) + b.clamp(v) + b.clamp_min(v) + torch.xlogy(b, 2)""")
table(written, """
y.add_(b, alpha=2)
y.zero_(); y.fill_(2.0); y.fill_(v[0])
y.copy_(v); y.copy_(a)
y.normal_(); y.uniform_()
y.round_(); y.addcmul_(b, v); y.masked_fill_(a > 0, v[0])
y.scatter_(0, i[None], b); y.scatter_(0, i[None], 1.0); y.index_add_(0, i, b); y.index_fill_(0, i, 1.0); y.index_put_((i,), b)
y[0] = v; y[i] = b; y[:, 1] = 2.0
y[0].mul_(v); y.t().add_(b, alpha=2)
y[i] = v; y[0, i] = v; y[...] = b
y[0].zero_(); y[0].copy_(v); y[0].normal_()""")
def steps(f, seen):
    """Of the usual walk."""
    if f not in seen: seen.add(f); [steps(g, seen) for g, _ in f.next_functions if g]
    return len(seen)
y = b * 1
for _ in range(16): y = y + y
steps(y.sum().grad_fn, set())
y = v * leaf([3.0, 4]); l = y.sum(); f = y.grad_fn
f is y.grad_fn, f is l.grad_fn.next_functions[0][0], hash(f) == hash(y.grad_fn), {f: 1}[y.grad_fn], f.next_functions[0][0].variable is v
f._saved_self is v, f._saved_other, [n for n in dir(f) if n.startswith("_saved_")], y.output_nr, v.pow(2).grad_fn._saved_exponent == 2
s = b.sum(1, True).grad_fn; s._saved_dim, s._saved_keepdim, s._saved_self_sym_sizes == (2, 2)
e = v.exp(); e.grad_fn._saved_result.equal(e), e.grad_fn._saved_result is e
table(lambda code: [g.tolist() for g in eval(code).grad_fn(torch.ones(2))], "v / v\nv - v\nv ** v")
f.metadata.update(said=1); y.grad_fn.metadata
told = []
hooks = [f.register_hook(lambda dX, dY: told.append([dX, dY])), f.register_prehook(lambda dY: (dY[0] * 3,)), l.grad_fn.register_hook(lambda dX, dY: (dX[0] * 2,))]
l.backward(retain_graph=True), told, v.grad
[h.remove() for h in hooks]; v.grad = None
l.backward(retain_graph=True), told, v.grad, f(torch.ones(2))[0].tolist()
h = v.expand_as(v).grad_fn.next_functions[0][0].register_hook(lambda *u: told.append(u)); l.backward(); h.remove(); told[1:], v.grad
v.grad = None; y = v * v; y.sum().backward(); v.grad = None; p, q = leaf([5.0, 6]), b * 2
with saved_tensors_hooks(lambda x: told.append([x is p, x.tolist()]) or x.detach().numpy(), lambda x: told.append(0) or torch.from_numpy(x * 2)): y = (p * q.detach()).tanh()
told[2:], y.sum().backward(), told[2:], p.grad
with save_on_cpu(pin_memory=False): y = p.sigmoid() * p
p.grad = None; y.sum().backward(); p.grad
y = p ** 2; y.grad_fn._raw_saved_self.register_hooks(lambda x: x * 4, lambda x: x / 2); p.grad = None; y.sum().backward(); p.grad
class Exp(Function):
    @staticmethod
    def forward(ctx, x): y = x.exp(); ctx.save_for_backward(y); ctx.word = "kept"; return y
    @staticmethod
    def backward(ctx, g): return g * ctx.saved_tensors[0]
y = Exp.apply(p); f = y.grad_fn; f.name(), f.word, f.saved_tensors
isinstance(p, torch.autograd.Variable), isinstance(torch.inference_mode(), torch.inference_mode), torch.inference_mode(False)(lambda: (p * 1).requires_grad)()
(leaf([1.0, 2]) * 2).grad_fn.next_functions[0][0].variable.size()  # here: AttributeError (a dropped leaf's numbers are gone)
w = b.view(-1); w._base is b, b._base, w[1:]._base is b
# Refused
y.grad_fn._saved_self
with saved_tensors_hooks(lambda x: x, lambda x: None): (v * v).sum().backward()
