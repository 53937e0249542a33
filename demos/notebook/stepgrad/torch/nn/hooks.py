"""A module's hooks. For hooks on gradients, inputs and outputs pass through ops that note them."""

import itertools

from _stepgrad import Tensor

from stepgrad.tensor import Handle

from ..autograd.function import Function

_numbers = itertools.count()


def added(hooks, hook):
    """A handle that removes the hook."""
    number = next(_numbers)
    hooks[number] = hook
    return Handle(lambda: hooks.pop(number, None))


class _BackwardHook(Function):
    @staticmethod
    def forward(ctx, seen, *tensors):
        ctx.seen = seen
        return tuple(x.view_as(x) for x in tensors)


class BackwardHookOut(_BackwardHook):
    """Notes the gradients of the module's outputs."""

    @staticmethod
    def backward(ctx, *gradients):
        ctx.seen["output"] = gradients
        if not ctx.seen["inputs"]:
            _call(ctx.seen, (None,) * ctx.seen["arguments"])
        return None, *gradients


class BackwardHookIn(_BackwardHook):
    """Notes the gradients of the inputs, and calls the hooks with both."""

    @staticmethod
    def backward(ctx, *gradients):
        return None, *_call(ctx.seen, gradients)


def _call(seen, gradients):
    outputs = seen.pop("output", None)  # whose history may lead here
    if outputs is None:
        return gradients  # a second derivative, which does not pass the outputs
    for hook in list(seen["module"]._backward_hooks.values()):
        changed = hook(seen["module"], gradients, outputs)
        if changed is not None:
            gradients = changed if isinstance(changed, tuple) else (changed,)
    return gradients


def called(module, forward, args, kwargs):
    """forward(*args), with the module's hooks on gradients."""
    at = [i for i, x in enumerate(args) if isinstance(x, Tensor) and x.is_floating_point()]
    seen = {"module": module, "arguments": len(args), "inputs": any(args[i].requires_grad for i in at)}
    args = list(args)
    if seen["inputs"]:
        for i, x in zip(at, BackwardHookIn.apply(seen, *(args[i] for i in at))):
            args[i] = x
    result = forward(*args, **kwargs)
    if isinstance(result, Tensor):
        return BackwardHookOut.apply(seen, result)[0]
    return BackwardHookOut.apply(seen, *result) if isinstance(result, tuple) else result
