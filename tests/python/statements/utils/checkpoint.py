# torch.utils.checkpoint.
x = torch.arange(1., 7.).view(2, 3).requires_grad_()
w = leaf([2., -1., 3.])
sum((y * y).sum() for y in checkpoint(lambda a, b: (a * b, b), x, w))
# A checkpoint's result is of its own dtype
half = torch.tensor([1.0, 2.0], dtype=torch.float16, requires_grad=True)
checkpoint(lambda t: t > 1, half)
# Operands that are none, and sequences that are no array
x = leaf([[1.0, 2], [3, 4]])
with torch.no_grad(): y = checkpoint(lambda t: t * 2, x)
y
# Dtypes: of what was saved, of gradients, and of what hooks and checkpoints are given
kept = []
h = torch.tensor([1.5, -2.0], dtype=torch.float16, requires_grad=True)
y = checkpoint(lambda t: kept.append(t.dtype) or t * 2, h)
y
checkpoint(lambda n: n * 2, 3, use_reentrant=False)
