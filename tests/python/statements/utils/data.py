# Datasets, samplers and loaders.
[len(part) for part in random_split(range(3), [0.5, 0.5])]
# Refused
random_split(range(5), [1.5, -0.5])
TensorDataset(torch.ones(2), torch.ones(3))
# Not refused
torch.utils.data.get_worker_info(), int(torch.__version__.split(".")[0]) > 0
table(lambda code: tried(lambda: list(eval(f"DataLoader({code})"))), """
[torch.ones(1), 1], 2
[(1, 2), (1,)], 2
[object()]
[b"a", b"b"], 2""")
class Squares(Dataset):
    def __init__(self, n): self.n = n
    def __len__(self): return self.n
    def __getitem__(self, i): return torch.tensor(float(i)), i * i
class Stream(IterableDataset):
    def __iter__(self): return iter(range(5))
data = Squares(5)
list(DataLoader(Stream()))
len(list(RandomSampler(data, num_samples=3)))
default_collate([np.int64(1), np.int64(2)])
Subset(torch.arange(5) * 2, [4, 2, 0])[[0, 2]]
[next(iter(DataLoader([item], batch_size=None))) for item in (np.ones(2, np.float32), {"a": np.ones(1, np.float32), "b": [3, "c"]}, (np.int64(3), torch.ones(1)), 3)]
l = DataLoader(data, 2, num_workers=0, prefetch_factor=2)
convert = torch.utils.data.default_convert
[convert(each) for each in (range(3), [np.int64(1)], (np.int64(1), "a"))]
# Refused
DataLoader(data, 2, shuffle=True, sampler=SequentialSampler(data))
DataLoader(data, 2, batch_sampler=[[0]])
DataLoader(Stream(), shuffle=True)
random_split(data, [3, 3])
Dataset()[0]
DataLoader([], shuffle=True)
list(RandomSampler([], num_samples=1))  # here: ValueError (a sentence says why)
# Not refused
Dataset[int] is not None, IterableDataset[int] is not None
