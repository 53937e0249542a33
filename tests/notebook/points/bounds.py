# The last that is allowed and the first that is not, at either side: of indices, sizes, counts, shares.
import torch, math
import torch.nn.functional as F
from torch import nn, optim
from torch.utils.data import BatchSampler, ConcatDataset, DataLoader, RandomSampler, SequentialSampler, Subset, TensorDataset, random_split
x = torch.arange(12.0).reshape(3, 4).requires_grad_()
v = torch.tensor([3.0, -1.0, 2.0, 0.5])
i = lambda *numbers: torch.tensor(numbers)
x[2], x[-3], x[:, 3], x[:, -4]
x[3]
x[-4]
x[0, 4]
x[i(2, -3)]
x[i(3)]
x[i(-4)]
x.index_select(0, i(2, 0))
x.index_select(0, i(3))
x.index_select(0, i(-1))
x.gather(0, torch.tensor([[2, 0, 1, 2]]))
x.gather(0, torch.tensor([[3, 0, 1, 2]]))
x.gather(1, torch.tensor([[3], [0], [1]]))
x.gather(1, torch.tensor([[4], [0], [1]]))
x.gather(1, torch.tensor([[-1], [0], [1]]))
torch.zeros(3, 4).scatter(0, torch.tensor([[2, 0, 1, 2]]), 1.0)
torch.zeros(3, 4).scatter(0, torch.tensor([[3, 0, 1, 2]]), 1.0)
torch.zeros(3).index_add(0, i(0, 2, 2), torch.tensor([1.0, 2.0, 4.0]))
torch.zeros(3).index_add(0, i(0, 3), torch.tensor([1.0, 2.0]))
torch.zeros(3).index_fill(0, i(2, -1), 5.0)
torch.zeros(3).index_fill(0, i(3), 5.0)
v.take(i(3, -4))
v.take(i(4))
F.embedding(i(2, 0), x.reshape(3, 4))
F.embedding(i(3), x.reshape(3, 4))
F.embedding(i(-1), x.reshape(3, 4))
F.one_hot(i(0, 3), 4)
F.one_hot(i(0, 4), 4)
F.one_hot(i(-1), 4)
F.cross_entropy(x, i(3, 0, 1))
F.cross_entropy(x, i(4, 0, 1))
F.nll_loss(x, i(0, -1, 1))
x.narrow(1, 1, 3), x.narrow(1, 4, 0)
x.narrow(1, 2, 3)
x.select(1, 3), x.select(1, -4)
x.select(1, 4)
x.sum(1), x.sum(-2)
x.sum(2)
x.sum(-3)
x.unsqueeze(2).shape, x.unsqueeze(-3).shape
x.unsqueeze(3)
x.unsqueeze(-4)
x.topk(4, 1)[1], x.topk(0, 1)[0].shape
x.topk(5, 1)
v.quantile(0.0), v.quantile(1.0)
v.quantile(1.0001)
v.quantile(-0.0001)
v.histc(4, -1.0, 3.0), v.histc(4, 0.0, 2.0), v.histc(2, 0.5, 0.5)
v.histc(0)
torch.bincount(i(0, 2, 2)), torch.bincount(i(0, 2), minlength=3), torch.bincount(i(0, 2), minlength=4)
torch.bincount(i(-1))
torch.searchsorted(torch.tensor([1.0, 2.0, 2.0, 3.0]), torch.tensor([0.0, 1.0, 2.0, 3.0, 4.0]))
torch.searchsorted(torch.tensor([1.0, 2.0, 2.0, 3.0]), torch.tensor([0.0, 1.0, 2.0, 3.0, 4.0]), right=True)
torch.bucketize(torch.tensor([0.0, 1.0, 2.0, 3.0]), torch.tensor([1.0, 2.0])), torch.bucketize(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0]), right=True)
x.split(4, 1)[0].shape, len(x.split(3, 1)), [part.shape for part in x.split([1, 3], 1)]
x.split([1, 2], 1)
x.split([1, 4], 1)
[part.shape for part in x.chunk(3, 1)], [part.shape for part in x.chunk(5, 1)]
x.chunk(0, 1)
x.repeat_interleave(i(2, 0, 1), 0)
x.repeat_interleave(i(2, 0), 0)
x.repeat_interleave(-1, 0)
x.roll(4, 1), x.roll(-5, 1)
x.triu(3), x.triu(4), x.tril(-2), x.tril(-3)
x.diagonal(3), x.diagonal(-2), x.diagonal(4).shape
torch.linspace(0, 1, 1), torch.linspace(0, 1, 2), torch.linspace(0, 1, 0).shape
torch.linspace(0, 1, -1)
torch.arange(0, 1, 0.25), torch.arange(1, 1).shape, torch.arange(3, 0, -1)
torch.arange(0, 1, -1)
torch.arange(0, 1, 0)
torch.randperm(0).shape, torch.randperm(1), torch.randint(5, (0,)).shape, torch.randint(2, 3, (4,))
torch.randint(3, 3, (1,))
torch.randint(0, (1,))
torch.rand(2, dtype=torch.int64)
torch.randn(2, dtype=torch.int32)
torch.normal(0.0, 0.0, (2,)), torch.bernoulli(torch.tensor([0.0, 1.0])), torch.zeros(2).bernoulli_(1.0)
torch.bernoulli(torch.tensor([1.01]))
torch.bernoulli(torch.tensor([-0.01]))
torch.multinomial(torch.tensor([0.0, 2.0, 0.0]), 1), torch.multinomial(torch.tensor([0.0, 2.0, 1.0]), 2).sort()[0]
F.dropout(torch.ones(3), 0.0), F.dropout(torch.ones(3), 1.0)
F.dropout(torch.ones(3), 1.01)
nn.Dropout(-0.01)
nn.Embedding(3, 2, padding_idx=2).weight[2], nn.Embedding(3, 2, padding_idx=-3).padding_idx
nn.Embedding(3, 2, padding_idx=3)
nn.Embedding(3, 2, padding_idx=-4)
for make in (optim.SGD, optim.Adam, optim.AdamW, optim.RMSprop, optim.Adagrad): make([torch.zeros(1, requires_grad=True)], lr=0.0)
optim.SGD([torch.zeros(1, requires_grad=True)], lr=-0.01)
optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1, momentum=-0.01)
optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1, weight_decay=-0.01)
optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1, momentum=0, nesterov=True)
optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1, momentum=0.1, dampening=0.1, nesterov=True)
optim.Adam([torch.zeros(1, requires_grad=True)], betas=(0.0, 0.0)).param_groups[0]["betas"]
optim.Adam([torch.zeros(1, requires_grad=True)], betas=(1.0, 0.9))
optim.Adam([torch.zeros(1, requires_grad=True)], betas=(0.9, 1.0))
optim.Adam([torch.zeros(1, requires_grad=True)], betas=(-0.1, 0.9))
optim.Adam([torch.zeros(1, requires_grad=True)], eps=-1e-9)
optim.AdamW([torch.zeros(1, requires_grad=True)], weight_decay=-0.1)
optim.Adagrad([torch.zeros(1, requires_grad=True)], lr_decay=-0.1)
optim.RMSprop([torch.zeros(1, requires_grad=True)], alpha=-0.1)
def rates(losses, **options):
    optimizer = optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    scheduler, found = optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, **options), []
    for loss in losses:
        scheduler.step(loss)
        found.append((optimizer.param_groups[0]["lr"], scheduler.num_bad_epochs, scheduler.cooldown_counter))
    return found
rates([1.0, 1.0, 1.0, 1.0], patience=0), rates([1.0, 1.0, 1.0, 1.0], patience=1), rates([1.0, 1.0, 1.0, 1.0, 1.0], patience=2)
rates([1.0, 0.9, 0.81, 0.729], patience=0, threshold=0.1), rates([1.0, 0.8999, 0.81], patience=0, threshold=0.1)
rates([1.0, 0.9, 0.75, 0.65], patience=0, threshold=0.125, threshold_mode="abs"), rates([1.0, 0.875, 0.74], patience=0, threshold=0.125, threshold_mode="abs")
rates([1.0, 1.1, 1.2, 1.3], patience=0, mode="max", threshold=0.1), rates([1.0, 1.125, 1.26], patience=0, mode="max", threshold=0.125, threshold_mode="abs")
rates([1.0] * 9, patience=0, cooldown=2), rates([1.0, 2.0, 2.0, 0.5, 2.0, 2.0], patience=1, cooldown=1)
rates([1.0] * 5, patience=0, min_lr=0.3), rates([1.0] * 5, patience=0, eps=0.25)
optim.lr_scheduler.ReduceLROnPlateau(optim.SGD([x], lr=1.0), factor=1.0)
optim.lr_scheduler.ReduceLROnPlateau(optim.SGD([x], lr=1.0), mode="most")
both = ConcatDataset([[1, 2], [3], [4, 5]])
[both[k] for k in range(-5, 5)], len(both), both.cumulative_sizes
both[5]
both[-6]
len(random_split(range(5), [5, 0])[1]), [len(part) for part in random_split(range(10), [0.33, 0.33, 0.34])], [len(part) for part in random_split(range(3), [0.5, 0.5])]
random_split(range(5), [1.5, -0.5])
random_split(range(5), [0.5, 0.6])
list(BatchSampler(SequentialSampler(range(6)), 3, False)), list(BatchSampler(SequentialSampler(range(7)), 3, False)), list(BatchSampler(SequentialSampler(range(7)), 3, True))
len(BatchSampler(SequentialSampler(range(6)), 3, False)), len(BatchSampler(SequentialSampler(range(7)), 3, False)), len(BatchSampler(SequentialSampler(range(7)), 3, True))
BatchSampler(SequentialSampler(range(6)), 0, False)
BatchSampler(SequentialSampler(range(6)), True, False)
len(list(RandomSampler(range(5), num_samples=12))), sorted(list(RandomSampler(range(5), num_samples=10))), len(list(RandomSampler(range(3), replacement=True, num_samples=40)))
RandomSampler(range(5), num_samples=0)
RandomSampler(range(5), replacement=1)
TensorDataset(torch.ones(2), torch.ones(2, 3))[-1], len(TensorDataset(torch.ones(2)))
TensorDataset(torch.ones(2), torch.ones(3))
Subset(range(10, 20), [3, 0])[1], len(Subset(range(10), [3, 0]))
DataLoader(range(3), num_workers=-1)
DataLoader(range(3), batch_size=None, drop_last=True)
DataLoader(range(3), sampler=SequentialSampler(range(3)), shuffle=True)
DataLoader(range(3), batch_sampler=BatchSampler(SequentialSampler(range(3)), 2, False), drop_last=True)
DataLoader(range(3), batch_sampler=BatchSampler(SequentialSampler(range(3)), 2, False), batch_size=2)
[len(DataLoader(range(n), batch_size=3, drop_last=drop)) for n in (0, 1, 3, 4) for drop in (False, True)]
torch.Generator().set_state(torch.zeros(16))
torch.iinfo(torch.int8).max, torch.iinfo(torch.int16).min, torch.iinfo(torch.uint8).max, torch.finfo(torch.bfloat16).tiny, torch.finfo(torch.float16).max
torch.tensor([127, -128]).to(torch.int8), torch.tensor([128, -129]).to(torch.int8), torch.tensor([256, -1]).to(torch.uint8)
