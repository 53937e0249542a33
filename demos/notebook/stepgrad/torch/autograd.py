"""torch.autograd, as far as it is here."""

import _stepgrad
from _stepgrad import set_detect_nan


class set_detect_anomaly:
    """The first op that makes a NaN raises: by the engine's own search."""

    def __init__(self, mode):
        set_detect_nan(mode)


def backward(tensors, grad_tensors=None, retain_graph=None):
    tensors = [tensors] if isinstance(tensors, _stepgrad.Tensor) else list(tensors)
    grads = grad_tensors if isinstance(grad_tensors, (list, tuple)) else [grad_tensors] * len(tensors)
    for x, grad in zip(tensors, grads):
        x.backward(grad, retain_graph=retain_graph)
