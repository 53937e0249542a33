# The last that is allowed and the first that is not, at either side: of indices, sizes, counts, shares.
x = torch.arange(12.0).reshape(3, 4).requires_grad_()
i = lambda *numbers: torch.tensor(numbers)
both = ConcatDataset([[1, 2], [3], [4, 5]])
[len(part) for part in random_split(range(3), [0.5, 0.5])]
torch.finfo(torch.bfloat16).tiny, torch.finfo(torch.float16).max
sgd = lambda **more: optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0, **more)
S.OneCycleLR(optim.Adam([torch.zeros(1, requires_grad=True)]), 1.0, total_steps=3).get_last_lr()
one = sgd()
# What is computed in a narrow dtype is computed of numbers that this has, also of Python's and of tensors without dimensions
def brought(x): return (x.float() * 1e6).long().tolist()
narrow = [(torch.arange(1.0, 9) / 7).to(d).requires_grad_() for d in (torch.float16, torch.bfloat16)]
[brought(x.detach().clone().div_(8.1)) for x in narrow]
[brought(y) for x in narrow for y in (x.var(), x.std(), x.var(0, unbiased=False), x.std(0, keepdim=True), x.sum())]
c = leaf(8.1)
(narrow[0] * c).sum().backward(); brought(narrow[0].grad), brought(c.grad), c.grad.dtype
c = (torch.arange(24.0) * 1.7).sin().reshape(2, 3, 4)
[f(d, keepdim=k) for f in (c.amax, c.amin, c.sum, c.std) for d in ((0, 2), (2, 0), (-1, 1), (0, 1, 2), 1) for k in (False, True)]
[f(torch.tensor(3.0), d, keepdim=k) for f in (torch.amax, torch.amin, torch.sum) for d in (0, -1) for k in (False, True)]
# The numbers in the messages about an index, in each dimension
import re
def numbers(*codes):
    found = []
    for code in codes:
        try: eval(code)
        except Exception as error: found.append(re.findall(r"-?\d+", str(error).splitlines()[0]))
    return found
numbers("c[5]", "c[0, 5]", "c[:, -4]", "c[0, 0, 4]", "c[1, ..., -5]", "c[i(0), i(4)]", "c.scatter(2, i(5)[None, None], 1.0)", "c.scatter(1, i(3)[None, None], 1.0)")
numbers("c[torch.ones(2, 2).bool()]", "c[:, torch.ones(2).bool()]", "c[:, :, torch.ones(3).bool()]", "c[:, torch.ones(3, 5).bool()]", "c.index_fill(2, i(4), 0.0)")
# Reached just so: a norm, a tolerance, a least step; and what does not count
def clipped(most, p):
    ws = [nn.Parameter(torch.ones(2)) for _ in range(2)]
    for w, g in zip(ws, ([3.0, 0.0], [0.0, -4.0])): w.grad = torch.tensor(g)
    return nn.utils.clip_grad_norm_(ws, most, p), [w.grad for w in ws]
[clipped(m, p) for m in (0.5, 4.0, 5.0, 7.0, 100.0) for p in (1, 2, math.inf)]
a, b = torch.tensor([1.0, 2.0]), torch.tensor([1.5, 4.0])
a.isclose(b, rtol=0.0, atol=0.5), a.isclose(b, rtol=0.5, atol=0.0), b.isclose(a, rtol=0.5, atol=0.0), a.isclose(b, rtol=0.25, atol=0.125)
def plateau(eps):
    o = sgd()
    s = S.ReduceLROnPlateau(o, factor=0.5, patience=0, eps=eps)
    return [(s.step(1.0), o.param_groups[0]["lr"])[1] for _ in range(3)]
[plateau(eps) for eps in (0.25, 0.5, 0.75)], torch.tensor([math.nan, 2.0, 0.0]).norm(0)
[F.cross_entropy(x * 0.1, i(1, -100, 3), w, label_smoothing=0.2, reduction=r).detach() for r in ("none", "sum", "mean") for w in (None, torch.tensor([1.0, 2.0, 0.5, 3.0]))]
[F.kl_div(x.detach() * 0.1, x.detach() * 0.1, reduction=r, log_target=t) for r in ("none", "sum", "batchmean") for t in (False, True)]
# Refused
torch.bincount(i(-1))
x.split([1, 4], 1)
x.chunk(0, 1)
x.repeat_interleave(i(2, 0), 0)
x.repeat_interleave(-1, 0)
torch.rand(2, dtype=torch.int64)
both[-6]
random_split(range(5), [1.5, -0.5])
RandomSampler(range(5), num_samples=0)
RandomSampler(range(5), replacement=1)
TensorDataset(torch.ones(2), torch.ones(3))
DataLoader(range(3), num_workers=-1)
S.StepLR(sgd(), 1, last_epoch=3)
S.LambdaLR(sgd(), [])
S.OneCycleLR(optim.Adagrad([torch.zeros(1, requires_grad=True)]), 1.0, total_steps=3)
S.SequentialLR(one, [S.ConstantLR(one, 0.1, 2), S.ExponentialLR(one, 0.9)], [])
S.SequentialLR(one, [S.ConstantLR(sgd(), 0.1, 2), S.ExponentialLR(one, 0.9)], [2])
optim.SGD(x, lr=1.0)
optim.SGD([], lr=1.0)
optim.SGD([x * 2], lr=1.0)
