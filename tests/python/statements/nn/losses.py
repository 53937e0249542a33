# Losses.
def widened(code):
    """The losses and sums that autocast computes in float32."""
    x = torch.tensor([[0.3, -1.7, 2.1], [1.1, 0.2, -0.4]], dtype=torch.bfloat16, requires_grad=True)
    z = x.detach() * 0
    with torch.autocast("cpu", dtype=torch.bfloat16): y = eval(code)
    return y.detach(), *grad(y.sum(), x)
table(widened, """
F.mse_loss(x, z)
F.kl_div(x, z + 0.3, reduction='sum')
F.binary_cross_entropy_with_logits(x, z)
nn.BCELoss()(x.sigmoid(), z)
x.quantile(0.5)
torch.trace(x)""")
SEEDS = -1, 0, 2**63, 2**64 - 1, 2**64, 2**65, -2**63, -2**63 - 1
x = torch.ones(2)
def at(line):
    """CODE; NUMBERS: what comes of each number v."""
    code, numbers = line.split("; ")
    return [tried(eval("lambda v: " + code, globals()), v) for v in eval(numbers, globals())]
table(at, """
torch.manual_seed(v) and 0; SEEDS
torch.Generator().manual_seed(v) and 0; SEEDS
F.binary_cross_entropy(torch.tensor([v]), x[:1]); (-.5, 0., 1., 1.5, math.nan)""")
# Refused
F.cross_entropy(torch.tensor(1.0), torch.tensor(0))
