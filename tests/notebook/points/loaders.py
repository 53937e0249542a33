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
list(DataLoader(Stream()))
both = ConcatDataset([Squares(2), Squares(3)])
both[1], both[2], both[-1]
(Squares(2) + Squares(1)).cumulative_sizes
len(list(RandomSampler(data, num_samples=3)))
next(iter(RandomSampler(data, replacement=True, num_samples=10**10))) in range(5)
default_collate([np.int64(1), np.int64(2)])
Point = collections.namedtuple("Point", "x y")
default_collate([Point(1, 2), Point(3, 4)]).y
# Refused
DataLoader(data, 2, shuffle=True, sampler=SequentialSampler(data))
DataLoader(data, 2, batch_sampler=[[0]])
DataLoader(data, batch_size=0)
DataLoader(Stream(), shuffle=True)
ConcatDataset([])
random_split(data, [3, 3])
Dataset()[0]
