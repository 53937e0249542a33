"""Datasets, samplers and batches, all in this process."""

import bisect
import itertools
import math
import warnings

from ..creation import tensor
from ..drawn import multinomial, randint, randperm
from .collate import default_collate, default_convert

# ---- Datasets


class Dataset:
    def __getitem__(self, index):
        raise NotImplementedError

    def __add__(self, other):
        return ConcatDataset([self, other])

    def __class_getitem__(cls, item):  # Dataset[int], for those who annotate
        return cls


class IterableDataset(Dataset):
    def __iter__(self):
        raise NotImplementedError


class TensorDataset(Dataset):
    def __init__(self, *tensors):
        if any(x.size(0) != tensors[0].size(0) for x in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(x[index] for x in self.tensors)

    def __len__(self):
        return self.tensors[0].size(0)


class ConcatDataset(Dataset):
    def __init__(self, datasets):
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        self.cumulative_sizes = list(itertools.accumulate(map(len, self.datasets)))

    def __len__(self):
        return self.cumulative_sizes[-1]

    def __getitem__(self, index):
        if index < 0:
            if -index > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            index += len(self)
        which = bisect.bisect_right(self.cumulative_sizes, index)
        return self.datasets[which][index - (self.cumulative_sizes[which - 1] if which else 0)]


class Subset(Dataset):
    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index):
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def __len__(self):
        return len(self.indices)


def random_split(dataset, lengths, generator=None):
    n = len(dataset)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        if any(not 0 <= part <= 1 for part in lengths):
            raise ValueError("random_split: a fraction is not between 0 and 1")
        lengths = [math.floor(n * part) for part in lengths]
        for i in range(n - sum(lengths)):
            lengths[i % len(lengths)] += 1
        if 0 in lengths:
            warnings.warn("random_split: a part is empty", stacklevel=2)
    if sum(lengths) != n:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = randperm(n, generator=generator).tolist()
    ends = itertools.accumulate(lengths)
    return [Subset(dataset, order[end - length : end]) for end, length in zip(ends, lengths)]


# ---- In which order


def _check_positive(**named):
    for name, n in named.items():
        if not isinstance(n, int) or isinstance(n, bool) or n <= 0:
            raise ValueError(f"{name} should be a positive integer value, but got {name}={n}")


class Sampler:
    def __init__(self, data_source=None):
        pass

    def __class_getitem__(cls, item):
        return cls


class SequentialSampler(Sampler):
    def __init__(self, data_source):
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self):
        return len(self.data_source)


class RandomSampler(Sampler):
    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement should be a boolean value, but got replacement={replacement}")
        _check_positive(num_samples=len(data_source) if num_samples is None else num_samples)
        self.data_source, self.replacement, self.generator = data_source, replacement, generator
        self._num_samples = num_samples

    @property
    def num_samples(self):
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self):
        n, left = len(self.data_source), self.num_samples
        if n == 0:
            raise ValueError("RandomSampler: there is nothing to draw from")
        while left > 0:  # num_samples may be 10**10, for a loader without an end
            drawn = randint(n, (32,), generator=self.generator) if self.replacement else randperm(
                n, generator=self.generator)
            yield from drawn.tolist()[:left]
            left -= len(drawn)

    def __len__(self):
        return self.num_samples


def _check_bool(**named):
    for name, value in named.items():
        if not isinstance(value, bool):
            raise ValueError(f"{name} should be a boolean value, but got {name}={value}")


class SubsetRandomSampler(Sampler):
    def __init__(self, indices, generator=None):
        self.indices, self.generator = indices, generator

    def __iter__(self):
        return (self.indices[i] for i in randperm(len(self.indices), generator=self.generator).tolist())

    def __len__(self):
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    def __init__(self, weights, num_samples, replacement=True, generator=None):
        _check_positive(num_samples=num_samples)
        _check_bool(replacement=replacement)
        self.weights, self.num_samples = tensor(list(map(float, weights))), num_samples
        self.replacement, self.generator = replacement, generator

    def __iter__(self):
        yield from multinomial(self.weights, self.num_samples, self.replacement, generator=self.generator).tolist()

    def __len__(self):
        return self.num_samples


class BatchSampler(Sampler):
    def __init__(self, sampler, batch_size, drop_last):
        _check_positive(batch_size=batch_size)
        _check_bool(drop_last=drop_last)
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self):
        items = iter(self.sampler)
        while batch := list(itertools.islice(items, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self):
        n = len(self.sampler)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)


class DistributedSampler(Sampler):
    def __init__(self, *args, **kwargs):
        raise RuntimeError("DistributedSampler: there is one process here; the engine's are demos/run distributed")


def get_worker_info():
    """None: there are no worker processes."""


# ---- In batches


class _Batches:
    """An iterator with a length."""

    def __init__(self, loader):
        self._loader, self._batches = loader, loader._batches()

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._batches)

    def __len__(self):
        return len(self._loader)


class DataLoader:
    _told = _ready = False

    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0,
            collate_fn=None, pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None,
            multiprocessing_context=None, generator=None, *, prefetch_factor=2,
            persistent_workers=False, pin_memory_device=""):
        if num_workers < 0 or timeout < 0:
            raise ValueError("num_workers and timeout options should be non-negative")
        if num_workers == 0 and (persistent_workers or prefetch_factor not in (None, 2)):
            raise ValueError("prefetch_factor and persistent_workers options need num_workers > 0")
        if num_workers and not DataLoader._told:
            DataLoader._told = True
            warnings.warn("DataLoader: the work of num_workers is done by this process here", stacklevel=2)
        self.dataset, self.num_workers, self.generator = dataset, num_workers, generator
        self.pin_memory, self.timeout, self.worker_init_fn = pin_memory, timeout, worker_init_fn
        self._iterable = isinstance(dataset, IterableDataset)
        if self._iterable and (shuffle or sampler is not None or batch_sampler is not None):
            raise ValueError("an IterableDataset excludes the options shuffle, sampler and batch_sampler")
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError("batch_sampler excludes the options batch_size, shuffle, sampler and drop_last")
            batch_size = None
        elif batch_size is None and drop_last:
            raise ValueError("batch_size=None excludes drop_last")
        if sampler is None and not self._iterable:
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(iter(()) if self._iterable else sampler, batch_size, drop_last)
        self.batch_size, self.drop_last = batch_size, drop_last
        self.sampler, self.batch_sampler = sampler, batch_sampler
        self.collate_fn = collate_fn or (default_collate if batch_sampler is not None else default_convert)
        self._ready = True

    def __setattr__(self, name, value):
        if self._ready and name in "batch_size batch_sampler sampler drop_last dataset persistent_workers".split():
            raise ValueError(f"{name} attribute should not be set after DataLoader is initialized")
        super().__setattr__(name, value)

    def __len__(self):
        if self._iterable:
            return len(self.dataset if self.batch_size is None else BatchSampler(
                self.dataset, self.batch_size, self.drop_last))
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)

    def __iter__(self):
        return _Batches(self)

    def _batches(self):
        if self._iterable:
            items = iter(self.dataset)
            batches = items if self.batch_size is None else BatchSampler(
                items, self.batch_size, self.drop_last)
            yield from map(self.collate_fn, batches)
        elif self.batch_sampler is None:
            for i in self.sampler:
                yield self.collate_fn(self.dataset[i])
        else:
            for batch in self.batch_sampler:
                yield self.collate_fn([self.dataset[i] for i in batch])
