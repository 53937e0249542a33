# Datasets, samplers and loaders, in the orders that are not drawn.
class Squares(Dataset):
    def __init__(self, n): self.n = n
    def __len__(self): return self.n
    def __getitem__(self, i):
        if i >= self.n: raise IndexError(i)
        return torch.tensor(float(i)), i * i
class Stream(IterableDataset):
    def __iter__(self): return iter(range(5))
data = Squares(5)
list(DataLoader(data, 2, pin_memory=True, num_workers=0, timeout=0))
DataLoader(data, 2, shuffle=True, sampler=SequentialSampler(data))
DataLoader(data, 2, batch_sampler=[[0]])
DataLoader(data, batch_size=0)
DataLoader(data, num_workers=-1)
list(DataLoader(Stream()))
DataLoader(Stream(), shuffle=True)
both = ConcatDataset([Squares(2), Squares(3)])
both[1], both[2], both[-1]
(Squares(2) + Squares(1)).cumulative_sizes
ConcatDataset([])
part = Subset(data, [3, 1])
part[0], part[1]
part[2]
a, b = random_split(data, [3, 2], generator=torch.Generator().manual_seed(42))
[len(x) for x in random_split(range(7), [0.5, 0.5])]
random_split(data, [3, 3])
tensors = TensorDataset(torch.arange(4), torch.arange(8.0).view(4, 2))
tensors[1]
next(iter(DataLoader(tensors, batch_size=3)))
len(list(RandomSampler(data, num_samples=3)))
next(iter(RandomSampler(data, replacement=True, num_samples=10**10))) in range(5)
list(BatchSampler(SequentialSampler(range(5)), batch_size=2, drop_last=True))
default_collate([True, False])
default_collate(["a", "b"])
default_collate([np.float32([1, 2]), np.float32([3, 4])])
default_collate([np.int64(1), np.int64(2)])
default_collate([[1, 2], [3]])
default_collate([None, None])
Point = collections.namedtuple("Point", "x y")
default_collate([Point(1, 2), Point(3, 4)]).y
loader = DataLoader(data, 2, drop_last=True)
loader.batch_size, loader.drop_last, loader.num_workers, loader.dataset is data
isinstance(loader.sampler, SequentialSampler), isinstance(loader.batch_sampler, BatchSampler)
Dataset()[0]
