# What callers ask for: checkpoints, gradients of some leaves, optimizers, schedules, distributions, and names of one line.
x = torch.arange(1., 7.).view(2, 3).requires_grad_()
w = leaf([2., -1., 3.])
sum((y * y).sum() for y in checkpoint(lambda a, b: (a * b, b), x, w))
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
d = torch.distributions
n, c, b = d.Normal(torch.tensor([0., 1.]), torch.tensor([1., 2.])), d.Categorical(torch.tensor([[.2, .3, .5], [1., 1., 2.]])), d.Bernoulli(torch.tensor([.2, .9]))
n.log_prob(torch.tensor([.5, -1.])), n.entropy(), n.mean, n.stddev, n.variance, n.cdf(torch.tensor([0., 2.])), n.sample((3,)).shape, n.rsample().shape
c.log_prob(torch.tensor([2, 0])), c.entropy(), c.probs, c.sample().shape, c.sample((4,)).shape, c.log_prob(c.sample((4,))).shape, d.Categorical(logits=torch.tensor([0., 1.])).probs
b.log_prob(torch.tensor([1., 0.])), b.entropy(), b.mean, b.variance, b.sample((3,)).shape, d.Bernoulli(logits=torch.tensor([0., 2.])).probs
d.Categorical(logits=w).log_prob(torch.tensor(1))
d.Normal(w, w * w).log_prob(torch.tensor([1., 2., 3.]))
x.unflatten(-1, (3, 1)).shape
torch.tensor([2, 1, 2, 1]).sort(stable=True), torch.sort(torch.tensor([2, 1, 2, 1]), stable=True, descending=True), torch.tensor([1, 0]).sort(0, True)
v = torch.arange(1., 9.).view(1, 2, 4).requires_grad_()
F.pad(v, (2, 1), "reflect"), F.pad(v, (5, 0), "replicate"), F.pad(v, (1, 4), "circular"), F.pad(v[None], (1, 1, 1, 0), mode="reflect").shape, F.pad(v[0], (1, 1), mode="replicate").shape
F.gumbel_softmax(torch.zeros(5, 3), hard=True).sum(-1), F.gumbel_softmax(leaf([0., 99., 0.]), hard=True), F.gumbel_softmax(torch.zeros(5, 3), tau=.5).sum(-1), F.gumbel_softmax(x, hard=True).requires_grad
e = nn.Embedding(3, 2, max_norm=1., scale_grad_by_freq=True)
with torch.no_grad(): e.weight.copy_(x.view(3, 2))
e(torch.tensor([0, 2, 2])).sum().backward(), e.weight, e.weight.grad, e
F.hardtanh(w), F.selu(w), nn.Hardtanh(-2, 2)
torch.utils.data.get_worker_info(), len(list(torch.utils.data.WeightedRandomSampler([.1, .9, 0], 5))), sorted(torch.utils.data.WeightedRandomSampler([1, 1, 1], 3, replacement=False)), int(torch.__version__.split(".")[0]) > 0
torch.testing.assert_close(x, x + 1e-7), torch.testing.assert_close([1, x], [1, x]), torch.testing.assert_close({"a": w}, {"a": w * (1 + 1e-7)})
with torch.cpu.amp.autocast() if hasattr(torch, "cpu") else torch.autocast("cpu"): q = x @ x.t()
q.dtype
# Refused
only()
d.Normal(0., -1.)
d.Normal(0., 0.)
d.Categorical(torch.tensor([-1., 2.]))
x.unflatten(1, (2, 2))
F.pad(v, (4, 0), "reflect")
torch.testing.assert_close(x, x + 1)
torch.testing.assert_close(x, x.long())
torch.testing.assert_close(x, w)
