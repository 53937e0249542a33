# Losses.
x = torch.arange(12.0).reshape(3, 4).requires_grad_()
i = lambda *numbers: torch.tensor(numbers)
[F.cross_entropy(x * 0.1, i(1, -100, 3), w, label_smoothing=0.2, reduction=r).detach() for r in ("none", "sum", "mean") for w in (None, torch.tensor([1.0, 2.0, 0.5, 3.0]))]
[F.kl_div(x.detach() * 0.1, x.detach() * 0.1, reduction=r, log_target=t) for r in ("none", "sum", "batchmean") for t in (False, True)]
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
m, i0 = torch.tensor([True, False]), torch.tensor([0])
SHARES = -.5, 0., .5, 1., 1.5, math.nan
SEEDS = -1, 0, 2**63, 2**64 - 1, 2**64, 2**65, -2**63, -2**63 - 1
x, z = torch.ones(2), torch.zeros(1, 2)
def at(line):
    """CODE; NUMBERS: what comes of each number v."""
    code, numbers = line.split("; ")
    return [tried(eval("lambda v: " + code, globals()), v) for v in eval(numbers, globals())]
table(at, """
torch.manual_seed(v) and 0; SEEDS
torch.Generator().manual_seed(v) and 0; SEEDS
F.cross_entropy(z, torch.tensor([v])); (-1, 0, 1, 2)
F.nll_loss(z, torch.tensor([v])); (-1, 0, 2)
F.cross_entropy(z, i0, label_smoothing=v); (0., 1., 1.5)
F.binary_cross_entropy(torch.tensor([v]), x[:1]); SHARES
F.smooth_l1_loss(x, x + 2, beta=v); (0., 1., -1.)
F.one_hot(torch.tensor([v]), 3); (3, -1)
F.one_hot(i0, v); (-2,)
F.embedding(torch.tensor([v]), torch.ones(3, 2)); (3, -1)
x.quantile(v); SHARES
x.topk(v); (-1, 0, 2, 3)""")
# Refused
F.smooth_l1_loss(torch.tensor([1]), torch.tensor([2]))
F.cross_entropy(torch.tensor(1.0), torch.tensor(0))
