# torch.utils.checkpoint.
x = torch.arange(1., 7.).view(2, 3).requires_grad_()
w = leaf([2., -1., 3.])
sum((y * y).sum() for y in checkpoint(lambda a, b: (a * b, b), x, w))
Both = collections.namedtuple("Both", "a b")
checkpoint(lambda both: Both(both.a * both.b, both.b), Both(x, w), use_reentrant=False).a.sum()
# A checkpoint's result is of its own dtype
half = torch.tensor([1.0, 2.0], dtype=torch.float16, requires_grad=True)
checkpoint(lambda t: t > 1, half)
with torch.no_grad(): y = checkpoint(lambda t: t * 2, x)
y
kept = []
checkpoint(lambda t: kept.append(t.dtype) or t * 2, half)
kept
checkpoint(lambda n: n * 2, 3, use_reentrant=False)
