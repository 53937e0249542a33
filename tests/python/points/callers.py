# What callers ask for: checkpoints, gradients of some leaves, optimizers, schedules, distributions, and names of one line.
from torch.utils.checkpoint import checkpoint_sequential
x = torch.arange(1., 7.).view(2, 3).requires_grad_()
w = leaf([2., -1., 3.])
sum((y * y).sum() for y in checkpoint(lambda a, b: (a * b, b), x, w))
(checkpoint_sequential([torch.sin, lambda a: a * w, torch.exp], 2, x) ** 2).sum()
def only(*inputs, **options):
    a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    c = a * 3
    y = (c * b * 2).sum() + a.sum()
    y.backward(inputs=[{"a": a, "b": b, "c": c}[i] for i in inputs] if inputs != ("one",) else a, **options)
    return a.grad, b.grad
only("b"), only("a", "b"), only("one"), only("a", "b", "a"), only("c", "c", "a")
def graph(f): return [f.name()] + [graph(g) if g else g for g, _ in f.next_functions]
graph((x.exp() * w).sum().grad_fn), graph((x[0] * w.detach()).grad_fn)
(x * 1).grad_fn.next_functions[0][0].variable.shape, x.grad_fn
def set_to(x, *source): return x.set_(*source) is x, x, x.requires_grad
set_to(torch.zeros(2)), x.shape
a, b = torch.zeros(2), torch.ones(3); a.set_(b), a
with torch.no_grad(): a = set_to(nn.Parameter(torch.ones(1)), w)
a
a = torch.ones(2, requires_grad=True)
p = [nn.Parameter(torch.tensor([1., -2.])), nn.Parameter(torch.tensor([[.5]]))]
o = optim.NAdam(p, lr=.1, weight_decay=.1, momentum_decay=.1)
def closure():
    o.zero_grad()
    loss = ((p[0] - p[1]) ** 2).sum() + (p[0] ** 4).sum()
    loss.backward()
    return loss
last = [o.step(closure) for _ in range(4)][-1].detach()
[q.detach() for q in p], last  # here: [[torch.float32 (2,) [0.707671344, -1.69356096], torch.float32 (1, 1) [[0.188685104]]], torch.float32 () 14.1561174] (1.13 has mu twice in the next product)
d = torch.distributions
n, c, b = d.Normal(torch.tensor([0., 1.]), torch.tensor([1., 2.])), d.Categorical(torch.tensor([[.2, .3, .5], [1., 1., 2.]])), d.Bernoulli(torch.tensor([.2, .9]))
n.log_prob(torch.tensor([.5, -1.])), n.entropy(), n.mean, n.stddev, n.variance, n.cdf(torch.tensor([0., 2.])), n.sample((3,)).shape, n.rsample().shape
c.log_prob(torch.tensor([2, 0])), c.entropy(), c.probs, c.sample().shape, c.sample((4,)).shape, c.log_prob(c.sample((4,))).shape, d.Categorical(logits=torch.tensor([0., 1.])).probs
b.log_prob(torch.tensor([1., 0.])), b.entropy(), b.mean, b.variance, b.sample((3,)).shape, d.Bernoulli(logits=torch.tensor([0., 2.])).probs
d.Categorical(logits=w).log_prob(torch.tensor(1))
d.Normal(w, w * w).log_prob(torch.tensor([1., 2., 3.]))
torch.atan2(leaf([1., 1., -1., -1., 0.]), torch.tensor([2., -2., 2., -2., -1.])), torch.arctan2(torch.tensor([3.]), torch.tensor([.1]))
torch.fmax(w, torch.tensor([math.nan, 0., 3.])), torch.fmin(w, torch.tensor([math.nan, 0., 3.]))
torch.var_mean(x, 1), torch.var_mean(x), torch.std_mean(x, 0, keepdim=True), torch.var_mean(x, 0, False)
torch.triu_indices(3, 4), torch.tril_indices(3, 2, -1), torch.triu_indices(2, 2, 1, dtype=torch.int32)
[p.detach() for p in torch.tensor_split(x, 2, 1)], [p.detach() for p in x.tensor_split((1, -1), dim=1)]
x.unflatten(-1, (3, 1)).shape, nn.Unflatten(1, (3, 1))(x).shape
torch.arange(6.).unfold(0, 3, 2), x.unfold(1, 2, 1), torch.tensor(3.).unfold(0, 1, 1)
torch.zeros(3, 3).fill_diagonal_(2.), torch.zeros(2, 3).fill_diagonal_(1), torch.zeros(7, 2).fill_diagonal_(1, wrap=True)
torch.tensor([2, 1, 2, 1]).sort(stable=True), torch.sort(torch.tensor([2, 1, 2, 1]), stable=True, descending=True), torch.tensor([1, 0]).sort(0, True)
v = torch.arange(1., 9.).view(1, 2, 4).requires_grad_()
F.pad(v, (2, 1), "reflect"), F.pad(v, (5, 0), "replicate"), F.pad(v, (1, 4), "circular"), F.pad(v[None], (1, 1, 1, 0), mode="reflect").shape, F.pad(v[0], (1, 1), mode="replicate").shape
F.gumbel_softmax(torch.zeros(5, 3), hard=True).sum(-1), F.gumbel_softmax(leaf([0., 99., 0.]), hard=True), F.gumbel_softmax(torch.zeros(5, 3), tau=.5).sum(-1), F.gumbel_softmax(x, hard=True).requires_grad
l = nn.utils.weight_norm(nn.Linear(3, 2))
with torch.no_grad(): l.weight_g.fill_(2.), l.weight_v.copy_(x), l.bias.zero_()
l(x).sum().backward(), l.weight, l.weight_g.grad, l.weight_v.grad, [k for k, _ in l.named_parameters()], [k for k, _ in nn.utils.remove_weight_norm(l).named_parameters()], l.weight
e = nn.Embedding(3, 2, max_norm=1., scale_grad_by_freq=True)
with torch.no_grad(): e.weight.copy_(x.view(3, 2))
e(torch.tensor([0, 2, 2])).sum().backward(), e.weight, e.weight.grad, e
F.hardtanh(w), F.hardsigmoid(w), F.hardswish(w), F.mish(w), F.selu(w), F.softsign(w), nn.Hardtanh(-2, 2), nn.Mish()(w), nn.PairwiseDistance()(x, x * 2)
torch.get_float32_matmul_precision(), torch.set_float32_matmul_precision("high"), torch.get_float32_matmul_precision(), torch.use_deterministic_algorithms(True), torch.are_deterministic_algorithms_enabled(), torch.use_deterministic_algorithms(False)
torch.utils.data.get_worker_info(), len(list(torch.utils.data.WeightedRandomSampler([.1, .9, 0], 5))), sorted(torch.utils.data.WeightedRandomSampler([1, 1, 1], 3, replacement=False)), int(torch.__version__.split(".")[0]) > 0
torch.testing.assert_close(x, x + 1e-7), torch.testing.assert_close([1, x], [1, x]), torch.testing.assert_close({"a": w}, {"a": w * (1 + 1e-7)})
from torch.utils._pytree import tree_flatten, tree_map, tree_unflatten
tree_flatten({"a": [1, (2, 3)], "b": None})[0], tree_map(lambda v: v * 2, {"a": [1, (2, 3)], "b": 4}), tree_unflatten(*tree_flatten([1, {"k": (2,)}]))
with torch.cpu.amp.autocast() if hasattr(torch, "cpu") else torch.autocast("cpu"): q = x @ x.t()
q.dtype
# Refused
set_to(x, torch.ones(1))
set_to(torch.zeros(2), torch.ones(2).long())
only()
optim.NAdam([nn.Parameter(x.detach())], momentum_decay=-1)
d.Normal(0., -1.)
d.Normal(0., 0.)
d.Categorical(torch.tensor([-1., 2.]))
x.tensor_split(0)
x.unflatten(1, (2, 2))
x.unfold(0, 3, 1)
torch.zeros(3).fill_diagonal_(1)
F.pad(v, (4, 0), "reflect")
torch.testing.assert_close(x, x + 1)
torch.testing.assert_close(x, x.long())
torch.testing.assert_close(x, w)
