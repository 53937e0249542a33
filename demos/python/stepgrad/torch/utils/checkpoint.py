"""Functions of which backward saves only the inputs, and recomputes the rest."""

import _stepgrad
from _stepgrad import Tensor


def _leaves(tree):
    """The leaves of nested lists, tuples and dicts."""
    if not isinstance(tree, (dict, list, tuple)):
        return [tree]
    return [leaf for part in (tree.values() if isinstance(tree, dict) else tree) for leaf in _leaves(part)]


def _rebuilt(tree, leaves):
    """The same containers with other leaves, those of an iterator."""
    if isinstance(tree, dict):
        return type(tree)((key, _rebuilt(part, leaves)) for key, part in tree.items())
    if isinstance(tree, (list, tuple)):
        parts = [_rebuilt(part, leaves) for part in tree]
        return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)
    return next(leaves)


def _joined(tensors):
    """Concatenated to one tensor: an op has one input and one output here."""
    return tensors[0] if len(tensors) == 1 else _stepgrad._cat([x.reshape(-1) for x in tensors], 0, False)


def _parted(x, like):
    if len(like) < 2:
        return [x] * len(like)
    return [part.reshape(shape)._typed(dtype) for part, (shape, dtype) in
            zip(x.split([shape.numel() for shape, _ in like]), like)]


def checkpoint(function, *args, use_reentrant=True, preserve_rng_state=True, **kwargs):
    """function(*args) with all its outputs, in any nested tuples, lists and dicts. The recompute
    draws the same random numbers, for either preserve_rng_state."""
    given = args, kwargs
    leaves = _leaves(given)
    tensors = [i for i, x in enumerate(leaves) if isinstance(x, Tensor)]
    at = [i for i in tensors if leaves[i].requires_grad] or tensors[:1]
    if not at:
        return function(*args, **kwargs)
    inputs, made = [leaves[i] for i in at], []
    sizes = [(x.shape, x.dtype) for x in inputs]
    for i in at:
        leaves[i] = None  # the op saves it for backward
    given = _rebuilt(given, iter(leaves))
    del args, kwargs

    def run(x):
        all_leaves = list(leaves)
        for i, part in zip(at, _parted(x, sizes)):
            all_leaves[i] = part
        args, kwargs = _rebuilt(given, iter(all_leaves))
        result = function(*args, **kwargs)
        outputs = _leaves(result)
        smooth = [i for i, y in enumerate(outputs) if isinstance(y, Tensor) and y.is_floating_point()]
        parts = [outputs[i] for i in smooth]
        if not made:  # the first time
            for i in smooth:
                outputs[i] = outputs[i].shape, outputs[i].dtype
            made.extend((outputs, _rebuilt(result, iter(range(len(outputs)))), smooth))
        return _joined(parts) if parts else _stepgrad._zeros((), _stepgrad.float32)

    y = _stepgrad._checkpoint(run, _joined(inputs))
    outputs, places, smooth = made
    for i, part in zip(smooth, _parted(y, [outputs[i] for i in smooth])):
        outputs[i] = part
    return _rebuilt(places, iter(outputs))
