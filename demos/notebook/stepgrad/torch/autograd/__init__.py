"""torch.autograd."""

import _stepgrad

from ..modes import AtOnce, Block, enable_grad, no_grad, set_grad_enabled  # noqa: F401


class set_detect_anomaly(AtOnce):
    """Raises at the first op that makes a NaN or an infinity, also in forward: the engine's
    detection."""

    def __init__(self, mode, check_nan=True):
        super().__init__(lambda: _stepgrad._DetectNan(mode))


class detect_anomaly(Block):
    def __init__(self, check_nan=True):
        super().__init__(lambda: _stepgrad._DetectNan(True))


def _list(x, n=1):
    return list(x) if isinstance(x, (list, tuple)) else [x] * n


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None):
    tensors = _list(tensors)
    for i, (x, grad) in enumerate(zip(tensors, _list(grad_tensors, len(tensors))), 1):
        x.backward(grad, retain_graph or i < len(tensors), create_graph, inputs)  # the last frees what they share


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False,
         allow_unused=False):
    """The gradients of `inputs`, which are not added to any .grad."""
    outputs = _list(outputs)
    found = _stepgrad._gradients(outputs, _list(grad_outputs, len(outputs)), _list(inputs),
                                 bool(retain_graph), bool(create_graph))
    if not allow_unused and any(x is None for x in found):
        raise RuntimeError("grad: an input was not used in the graph; allow_unused=True gives None for it")
    return tuple(found)


from . import function, functional  # noqa: E402,F401
from .function import Function  # noqa: E402,F401
from .gradcheck import GradcheckError, gradcheck  # noqa: E402,F401


def Variable(data, requires_grad=False):
    """A tensor, as since PyTorch 0.4."""
    return data.requires_grad_() if requires_grad else data.detach()
