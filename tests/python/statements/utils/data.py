# Datasets, samplers and loaders.
[[len(part) for part in random_split(range(n), parts)] for n in (3, 7, 11) for parts in ([.5, .25, .25], [.1, .2, .7], [1/3] * 3, [1., 0.], [0., 1.])]
# Refused
random_split(range(5), [1.5, -0.5])
RandomSampler(range(5), replacement=1)
TensorDataset(torch.ones(2), torch.ones(3))
# Not refused
torch.utils.data.get_worker_info(), len(list(torch.utils.data.WeightedRandomSampler([.1, .9, 0], 5))), sorted(torch.utils.data.WeightedRandomSampler([1, 1, 1], 3, replacement=False)), int(torch.__version__.split(".")[0]) > 0
table(lambda code: tried(lambda: list(eval(f"DataLoader({code})"))), """
[torch.ones(1), 1], 2
[(1, 2), (1,)], 2
[(1, 2), (1,), (1, 2)], 3
[{"a": 1}, {"a": 2, "b": 3}], 2
[{"a": 1, "b": 1}, {"a": 2}], 2
[object()]
[b"a", b"b"], 2""")
class Squares(Dataset):
    def __init__(self, n): self.n = n
    def __len__(self): return self.n
    def __getitem__(self, i): return torch.tensor(float(i)), i * i
class Stream(IterableDataset):
    def __iter__(self): return iter(range(5))
class Measured(Stream):
    def __len__(self): return 5
data = Squares(5)
list(DataLoader(Stream()))
(Squares(2) + Squares(1)).cumulative_sizes
[(len(l), len(list(l))) for l in (DataLoader(Measured(), n, drop_last=last) for n in (1, 2, 5, 6) for last in (False, True))], len(DataLoader(Measured(), None))
default_collate([np.int64(1), np.int64(2)])
Subset(torch.arange(5) * 2, [4, 2, 0])[[0, 2]]
[next(iter(DataLoader([item], batch_size=None))) for item in (np.ones(2, np.float32), {"a": np.ones(1, np.float32), "b": [3, "c"]}, (np.int64(3), torch.ones(1)), 3)]
table(lambda name: tried(setattr, DataLoader(data), name, 5), "batch_size batch_sampler sampler drop_last dataset persistent_workers timeout".replace(" ", "\n"))
[batch.tolist() for batch in DataLoader(Stream(), 2, drop_last=True)]
def epochs(code):
    """Whether an epoch is another than the one before, and the same again from the generator's state; and what it has."""
    g = torch.Generator().manual_seed(3)
    made, kept = eval(code, {**globals(), "g": g}), g.get_state()
    first, second, _, third = list(made), list(made), g.set_state(kept), list(made)
    return str(first) == str(third) != str(second), sorted(sum(first, []) if isinstance(first[0], list) else first)
table(epochs, """
RandomSampler(range(9), generator=g)
RandomSampler(range(9), num_samples=18, generator=g)
torch.utils.data.SubsetRandomSampler(range(3, 12), g)
torch.utils.data.WeightedRandomSampler([1.0] * 9, 9, False, g)
DataLoader(range(9), 2, shuffle=True, generator=g, collate_fn=list)""")
def grown(code): d = [1, 2, 3]; made = eval(code, {**globals(), "d": d}); d += [4, 5]; return len(made), sorted(map(int, made))
table(grown, """RandomSampler(d)
DataLoader(d, shuffle=True)
DataLoader(d)""")
g, h = (torch.Generator().manual_seed(3) for _ in "gh")
[*RandomSampler(data, generator=g), *RandomSampler(data, generator=g)] == [*RandomSampler(data, num_samples=10, generator=h)]  # here: True (no order is drawn that is not used)
class List(list): pass
convert = torch.utils.data.default_convert
[convert(each) for each in (collections.UserList([np.float32(1)]), range(3), List([np.int64(1)]), (np.int64(1), "a"))], type(convert(List([1]))).__name__, type(default_collate([List([1]), List([2])])).__name__
Pair = collections.namedtuple("Pair", "a b"); default_collate([Pair(1, 2), Pair(3, 4)]).b, convert(Pair(np.int64(1), "a")).a
# Refused
DataLoader(data, 2, shuffle=True, sampler=SequentialSampler(data))
DataLoader(data, 2, batch_sampler=[[0]])
DataLoader(Stream(), shuffle=True)
ConcatDataset([])
random_split(data, [3, 3])
Dataset()[0]
DataLoader(data, timeout=-1)
DataLoader(data, prefetch_factor=4)
DataLoader([], shuffle=True)
list(RandomSampler([], num_samples=1))  # here: ValueError (a sentence says why)
# Not refused
Dataset[int] is not None, IterableDataset[int] is not None
# Refused
BatchSampler(range(3), 2, drop_last=3)
