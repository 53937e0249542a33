"""Items of a data set as one batch of tensors."""

from collections.abc import Mapping, Sequence

from _stepgrad import _from_array, _warn_of_float64

from ..creation import from_numpy, tensor
from ..functions import stack


def _sequence(x):
    return isinstance(x, Sequence) and not isinstance(x, (str, bytes))


def _like(x, parts):
    """The parts, a dict or a list, in a container of x's type if it is made of one, as torch does."""
    if isinstance(x, tuple):
        return type(x)(*parts) if hasattr(x, "_fields") else parts
    try:
        return type(x)(parts)
    except TypeError:
        return parts


def default_collate(batch):
    """One batch of the items: tensors, numbers, or tuples or dicts of these."""
    first = batch[0]
    if isinstance(first, Mapping):
        return _like(first, {key: default_collate([item[key] for item in batch]) for key in first})
    if _sequence(first):
        if any(len(item) != len(first) for item in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return _like(first, [default_collate(part) for part in zip(*batch)])
    if hasattr(first, "requires_grad"):
        return stack(list(batch))
    if hasattr(first, "__array__"):  # of NumPy, or one of its numbers
        import numpy

        return from_numpy(numpy.stack(batch))
    if isinstance(first, (bool, int, float)):
        if isinstance(first, float):
            _warn_of_float64()
        return tensor(batch)
    if isinstance(first, (str, bytes)):
        return batch
    raise TypeError(f"default_collate: a batch is of tensors, arrays, numbers, dicts or lists, and not {type(first)}")


def default_convert(data):
    """An item without a batch: NumPy's arrays and numbers become tensors, also in dicts and lists."""
    if isinstance(data, Mapping):
        return _like(data, {key: default_convert(value) for key, value in data.items()})
    if _sequence(data):
        return _like(data, [default_convert(value) for value in data])
    if hasattr(data, "__array__") and not hasattr(data, "requires_grad"):
        import numpy

        if numpy.asarray(data).dtype.kind in "SUO":
            return data
        return from_numpy(data) if isinstance(data, numpy.ndarray) else _from_array(numpy.asarray(data))
    return data
