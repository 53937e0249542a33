"""Datasets in memory, and batches of them."""

from ..creation import randperm
from ..functions import stack


class Dataset:
    def __getitem__(self, index):
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


def default_collate(items):
    """One batch of what the items are: tensors, numbers, or tuples or dicts of these."""
    first = items[0]
    if isinstance(first, dict):
        return {key: default_collate([item[key] for item in items]) for key in first}
    if isinstance(first, (tuple, list)):
        return [default_collate(part) for part in zip(*items)]
    if hasattr(first, "requires_grad"):
        return stack(items)
    if hasattr(first, "__array__"):  # of NumPy, or one of its numbers
        import numpy

        from .. import from_numpy

        return from_numpy(numpy.stack(items))
    if isinstance(first, (bool, int, float)):
        from ..creation import tensor

        return tensor(items)
    return list(items)


class DataLoader:
    """Batches of a dataset, in this very process."""

    def __init__(self, dataset, batch_size=1, shuffle=False, num_workers=0, collate_fn=None,
                 drop_last=False):
        if num_workers:
            raise NotImplementedError("DataLoader: num_workers other than 0")
        self.dataset, self.batch_size, self.shuffle = dataset, batch_size, shuffle
        self.collate_fn, self.drop_last = collate_fn or default_collate, drop_last

    def __len__(self):
        n = len(self.dataset)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def __iter__(self):
        n = len(self.dataset)
        order = randperm(n).tolist() if self.shuffle else range(n)
        for i in range(len(self)):
            at = order[i * self.batch_size : (i + 1) * self.batch_size]
            yield self.collate_fn([self.dataset[j] for j in at])
