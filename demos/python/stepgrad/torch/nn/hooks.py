"""A module's hooks. For hooks on gradients, its inputs and its outputs go through two ops, whose backward notes the
gradients and calls the hooks."""

import functools
import itertools

from _stepgrad import Tensor

from stepgrad.tensor import Handle

from ..autograd.function import Function

_numbers = itertools.count()


def added(hooks, hook):
    """A handle that removes the hook."""
    number = next(_numbers)
    hooks[number] = hook
    return Handle(functools.partial(hooks.pop, number, None))


class _BackwardHook(Function):
    @staticmethod
    def forward(ctx, seen, *tensors):
        ctx.seen, seen_as = seen, tuple(x.view_as(x) for x in tensors)
        ctx.mark_non_differentiable(*(y for x, y in zip(tensors, seen_as) if not x.requires_grad))
        return seen_as


class BackwardHookOut(_BackwardHook):
    """Notes the gradients of the module's outputs."""

    @staticmethod
    def forward(ctx, seen, *tensors):
        ctx.set_materialize_grads(False)  # hooks get None for an output that has none
        return _BackwardHook.forward(ctx, seen, *tensors)

    @staticmethod
    def backward(ctx, *gradients):
        ctx.seen["output"] = _placed(gradients, *ctx.seen["outputs"])
        if not ctx.seen["inputs"]:
            _call(ctx.seen, ())
        return None, *gradients


class BackwardHookIn(_BackwardHook):
    """Notes the gradients of the inputs, and calls the hooks with both."""

    @staticmethod
    def backward(ctx, *gradients):
        return None, *_call(ctx.seen, gradients)


def _placed(gradients, at, n):
    """The gradients at these of n places, None at the others."""
    found = dict(zip(at, gradients))
    return tuple(found.get(i) for i in range(n))


def _call(seen, gradients):
    outputs = seen.pop("output", None)  # whose history may lead here
    if outputs is None:
        return gradients  # a second derivative, which does not pass the outputs
    at, n = seen["inputs"], seen["arguments"]
    given = _placed(gradients, at, n)
    for hook in list(seen["module"]._backward_hooks.values()):
        changed = hook(seen["module"], given, outputs)
        if changed is not None:
            given = changed if isinstance(changed, tuple) else (changed,)
            if len(given) != n:
                raise RuntimeError(f"a backward hook returned {len(given)} gradients of inputs, and not {n}")
            if not at and any(g is not None for g in given):
                raise RuntimeError("a backward hook returned gradients of inputs, none of which requires one")
    return tuple(given[i] for i in at)


def _floating(values):
    return [i for i, x in enumerate(values) if isinstance(x, Tensor) and x.is_floating_point()]


def _through(function, seen, at, values):
    """The values, with the tensors among them as outputs of the function."""
    values = list(values)
    for i, x in zip(at, function.apply(seen, *(values[i] for i in at)) if at else ()):
        values[i] = x
    return tuple(values)


def entered(module, args):
    """What left() needs, and the arguments through BackwardHookIn."""
    at = _floating(args) if any(isinstance(x, Tensor) and x.requires_grad for x in args) else []
    seen = {"module": module, "arguments": len(args), "inputs": at}
    return seen, _through(BackwardHookIn, seen, at, args)


def left(seen, result):
    """The module's result through BackwardHookOut."""
    if not isinstance(result, (Tensor, tuple)):
        return result
    values = result if isinstance(result, tuple) else (result,)
    seen["outputs"] = _floating(values), len(values)
    values = _through(BackwardHookOut, seen, seen["outputs"][0], values)
    return values if isinstance(result, tuple) else values[0]
