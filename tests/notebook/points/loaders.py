# Datasets, samplers and loaders, in the orders that are not drawn.
import torch, numpy as np, collections, warnings
from torch.utils.data import BatchSampler, ConcatDataset, DataLoader, Dataset, IterableDataset, RandomSampler
from torch.utils.data import SequentialSampler, Subset, TensorDataset, default_collate, random_split
class Squares(Dataset):
    def __init__(self, n): self.n = n
    def __len__(self): return self.n
    def __getitem__(self, i):
        if i >= self.n: raise IndexError(i)
        return torch.tensor(float(i)), i * i
class Stream(IterableDataset):
    def __iter__(self): return iter(range(5))
data = Squares(5)
list(DataLoader(data))
list(DataLoader(data, batch_size=2))
list(DataLoader(data, 2, drop_last=True))
len(DataLoader(data, 2)), len(DataLoader(data, 2, drop_last=True)), len(DataLoader(data, 2, shuffle=True))
list(DataLoader(data, batch_size=2, sampler=SequentialSampler(data)))
list(DataLoader(data, batch_sampler=BatchSampler(SequentialSampler(data), 3, False)))
list(DataLoader(data, batch_sampler=[[0, 4], [1]]))
list(DataLoader(data, batch_size=None))
list(DataLoader(data, 2, collate_fn=lambda items: len(items)))
list(DataLoader(data, 2, pin_memory=True, num_workers=0, timeout=0))
sorted(v for batch in DataLoader(data, 2, shuffle=True) for v in batch[1].tolist())
DataLoader(data, 2, shuffle=True, sampler=SequentialSampler(data))
DataLoader(data, 2, batch_sampler=[[0]])
DataLoader(data, batch_size=None, drop_last=True)
DataLoader(data, batch_size=0)
DataLoader(data, batch_size=-1)
DataLoader(data, num_workers=-1)
list(DataLoader(Stream()))
list(DataLoader(Stream(), batch_size=2))
list(DataLoader(Stream(), batch_size=2, drop_last=True))
list(DataLoader(Stream(), batch_size=None))
DataLoader(Stream(), shuffle=True)
len(DataLoader(Stream(), batch_size=2))
both = ConcatDataset([Squares(2), Squares(3)])
len(both), both[1], both[2], both[-1]
both[-9]
(Squares(2) + Squares(1)).cumulative_sizes
ConcatDataset([])
part = Subset(data, [3, 1])
len(part), part[0], part[1]
part[2]
a, b = random_split(data, [3, 2], generator=torch.Generator().manual_seed(42))
len(a), len(b), sorted(a.indices + b.indices)
[len(x) for x in random_split(range(10), [0.5, 0.25, 0.25])]
[len(x) for x in random_split(range(7), [0.5, 0.5])]
random_split(data, [3, 3])
tensors = TensorDataset(torch.arange(4), torch.arange(8.0).view(4, 2))
tensors[1]
len(tensors)
next(iter(DataLoader(tensors, batch_size=3)))
TensorDataset(torch.ones(2), torch.ones(3))
len(RandomSampler(data)), sorted(RandomSampler(data))
len(list(RandomSampler(data, replacement=True, num_samples=9)))
len(list(RandomSampler(data, num_samples=3)))
next(iter(RandomSampler(data, replacement=True, num_samples=10**10))) in range(5)
len(list(RandomSampler(data, num_samples=7)))
RandomSampler(data, num_samples=0)
list(BatchSampler(SequentialSampler(range(5)), batch_size=2, drop_last=True))
BatchSampler(SequentialSampler(range(5)), batch_size=0, drop_last=True)
default_collate([1, 2])
default_collate([True, False])
default_collate(["a", "b"])
default_collate([("a", 1), ("b", 2)])
default_collate([{"x": torch.ones(2), "y": 1}, {"x": torch.zeros(2), "y": 2}])
default_collate([np.float32([1, 2]), np.float32([3, 4])])
default_collate([np.int64(1), np.int64(2)])
default_collate([[1, 2], [3, 4]])
default_collate([[1, 2], [3]])
default_collate([None, None])
Point = collections.namedtuple("Point", "x y")
default_collate([Point(1, 2), Point(3, 4)]).y
default_collate([torch.ones(2), torch.ones(3)])
loader = DataLoader(data, 2, drop_last=True)
loader.batch_size, loader.drop_last, loader.num_workers, loader.dataset is data
isinstance(loader.sampler, SequentialSampler), isinstance(loader.batch_sampler, BatchSampler)
Dataset()[0]
