"""Parameter."""

import _stepgrad
from _stepgrad import Tensor


class Parameter(Tensor):
    """A tensor that a Module registers. It shares its numbers with `data`."""

    def __init__(self, data=None, requires_grad=True):
        data = _stepgrad._empty((0,), _stepgrad.float32) if data is None else data.detach()
        super().__init__(data)
        self.requires_grad_(requires_grad)

    def __deepcopy__(self, memo):
        copy = type(self)(self.detach().clone(), self.requires_grad)
        copy.name = self.name
        return copy

    def __repr__(self):
        return "Parameter containing:\n" + super().__repr__()


def check_dtype(dtype):
    if dtype not in (None, _stepgrad.float32):
        raise NotImplementedError(f"{dtype}: parameters are float32; torch.autocast('cpu', {dtype}) narrows products")


def zero_grads(parameters, set_to_none):
    """zero_grad() of modules and optimizers. A gradient with a history (create_graph) loses it."""
    for p in parameters:
        if set_to_none:
            p.grad = None
        elif (g := p.grad) is not None:
            if g.requires_grad:
                p.grad = g = g.detach()
            g.zero_()
