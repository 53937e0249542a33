# The last that is allowed and the first that is not, at either side: of indices, sizes, counts, shares.
x = torch.arange(12.0).reshape(3, 4).requires_grad_()
i = lambda *numbers: torch.tensor(numbers)
both = ConcatDataset([[1, 2], [3], [4, 5]])
[len(part) for part in random_split(range(3), [0.5, 0.5])]
torch.iinfo(torch.int8).max, torch.iinfo(torch.int16).min, torch.iinfo(torch.uint8).max, torch.finfo(torch.bfloat16).tiny, torch.finfo(torch.float16).max
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
