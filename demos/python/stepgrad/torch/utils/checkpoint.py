"""Functions of which backward saves only the inputs, and recomputes the rest."""

import _stepgrad
from _stepgrad import Tensor


def _each(f, x):
    """x with f(leaf) for each leaf of its tuples, lists and dicts."""
    if isinstance(x, dict):
        made = type(x)()
        made.update((key, _each(f, part)) for key, part in x.items())
        return made
    if isinstance(x, (list, tuple)):
        parts = [_each(f, part) for part in x]
        return type(x)(*parts) if hasattr(x, "_fields") else type(x)(parts)
    return f(x)


def _taken_out(x):
    """x's leaves, and x with None for each."""
    leaves = []
    return leaves, _each(leaves.append, x)


def _put_in(leaves, x):
    leaves = iter(leaves)
    return _each(lambda _: next(leaves), x)


def _joined(tensors):
    """Concatenated to one tensor: an op has one input and one output here."""
    return tensors[0] if len(tensors) == 1 else _stepgrad._cat([x.reshape(-1) for x in tensors], 0, False)


def _parted(x, like):
    if len(like) < 2:
        return [x] * len(like)
    return [part.reshape(shape)._to(dtype) for part, (shape, dtype) in
        zip(x.split([shape.numel() for shape, _ in like]), like)]


def checkpoint(function, *args, use_reentrant=True, preserve_rng_state=True, **kwargs):
    """function(*args) with all its outputs, in any nested tuples, lists and dicts. The recompute
    draws the same random numbers, for either preserve_rng_state."""
    leaves, tree = _taken_out((args, kwargs))
    tensors = [i for i, x in enumerate(leaves) if isinstance(x, Tensor)]
    at = [i for i in tensors if leaves[i].requires_grad] or tensors[:1]
    if not at:
        return function(*args, **kwargs)
    inputs, made = [leaves[i] for i in at], []
    sizes = [(x.shape, x.dtype) for x in inputs]
    for i in at:
        leaves[i] = None  # the op saves it for backward

    def run(x):
        given = list(leaves)
        for i, part in zip(at, _parted(x, sizes)):
            given[i] = part
        args, kwargs = _put_in(given, tree)
        outputs, shape = _taken_out(function(*args, **kwargs))
        smooth = [i for i, y in enumerate(outputs) if isinstance(y, Tensor) and y.is_floating_point()]
        parts = [outputs[i] for i in smooth]
        if not made:  # the first time
            for i in smooth:
                outputs[i] = outputs[i].shape, outputs[i].dtype
            made.extend((outputs, shape, smooth))
        return _joined(parts) if parts else _stepgrad._zeros((), _stepgrad.float32)

    y = _stepgrad._checkpoint(run, _joined(inputs))
    outputs, shape, smooth = made
    for i, part in zip(smooth, _parted(y, [outputs[i] for i in smooth])):
        outputs[i] = part
    return _put_in(outputs, shape)
