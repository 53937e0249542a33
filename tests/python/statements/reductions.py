# Reductions and sorting.
nan = torch.tensor([1.0, float("nan"), float("inf")])
torch.allclose(nan, torch.tensor([float("nan"), 1.0, float("inf")]), equal_nan=True)
y = torch.tensor([[0.5, 2.0, -1.5], [3.0, -0.5, 2.5]])
torch.count_nonzero(y), (y > 0).count_nonzero((0, 1))
y.norm(0)
[y.quantile(torch.tensor(q), *of) for q in ([.2, .7], [.5]) for of in ((), (0,), (1, True))]
[(f.tiny, f.resolution, f.max) for f in map(torch.finfo, (torch.half, torch.bfloat16))]
x = leaf([[0.5, -1.5], [2.0, 3.0]])
# Refused
torch.allclose(x, x.long())
# Not refused
x.detach().std(1, True), x.detach().std(False), x.detach().std(dim=(0, 1), keepdim=True)
u = torch.tensor([1, 2, 3], dtype=torch.uint8)
u.clamp(max=-1), u.clamp(-1, 2), u.clone().clamp_(max=-1), u.clamp(-1.)
leaf(4.0).cumprod(0)
cut = nn.init.trunc_normal_(torch.empty(5000), mean=1.0, std=2.0, a=-1.0, b=2.0)
cut.min() >= -1, cut.max() <= 2
# Refused
torch.einsum("ij->ii", x)
