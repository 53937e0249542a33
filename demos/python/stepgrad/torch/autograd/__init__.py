"""torch.autograd."""

import functools

import _stepgrad

from stepgrad.calls import check_tensors as _check_tensors

from ..modes import AtOnce as _AtOnce, Block as _Block, enable_grad, no_grad, set_grad_enabled


class set_detect_anomaly(_AtOnce):
    """Raises at the first op that makes a NaN or an infinity, also in forward: the engine's
    detection."""

    def __init__(self, mode, check_nan=True):
        super().__init__(functools.partial(_stepgrad._DetectNan, mode))


class detect_anomaly(_Block):
    def __init__(self, check_nan=True):
        super().__init__(functools.partial(_stepgrad._DetectNan, True))


def _list(x):
    return list(x) if isinstance(x, (list, tuple)) else [x]


def _given(gradients, tensors):
    """One for each tensor; None is for a number's."""
    found = [None] * len(tensors) if gradients is None else _list(gradients)
    if len(found) != len(tensors):
        raise RuntimeError(f"got {len(tensors)} tensors and {len(found)} gradients")
    return found


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None):
    if grad_tensors is not None and grad_variables is not None:
        raise RuntimeError("'grad_tensors' and 'grad_variables' are the same argument: pass only grad_tensors")
    tensors = _list(tensors)
    _check_tensors("backward", *tensors)
    grads = _given(grad_variables if grad_tensors is None else grad_tensors, tensors)
    _stepgrad._backward(tensors, grads, bool(retain_graph), bool(create_graph), inputs)


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True,
        allow_unused=False, is_grads_batched=False):
    """The gradients of `inputs`, which are not added to any .grad."""
    outputs, inputs = _list(outputs), _list(inputs)
    given = _given(grad_outputs, outputs)
    if not inputs:
        raise ValueError("grad requires non-empty inputs.")
    if is_grads_batched:
        raise NotImplementedError("grad: is_grads_batched is not here; functional.jacobian goes row by row")
    found = _stepgrad._gradients(outputs, given, inputs, bool(retain_graph), bool(create_graph))
    if not allow_unused and any(x is None for x in found):
        raise RuntimeError("grad: an input was not used in the graph; allow_unused=True gives None for it")
    return tuple(found)


from . import function, functional, graph
from .function import Function
from .gradcheck import GradcheckError, gradcheck, gradgradcheck


class _VariableMeta(type):
    def __instancecheck__(cls, x):
        return isinstance(x, _stepgrad.Tensor)


class Variable(metaclass=_VariableMeta):
    """A tensor, as since PyTorch 0.4."""

    def __new__(cls, data, requires_grad=False):
        return data.requires_grad_() if requires_grad else data.detach()
