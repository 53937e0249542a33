"""Parameter."""

import _stepgrad
from _stepgrad import Tensor


class Parameter(Tensor):
    """A tensor that a Module registers. It shares its numbers with `data`."""

    def __init__(self, data=None, requires_grad=True):
        data = _stepgrad._empty((0,), _stepgrad.float32) if data is None else data.detach()
        super().__init__(data)
        Tensor.requires_grad_(self, requires_grad)

    def __deepcopy__(self, memo):
        copy = type(self)(self.detach().clone(), self.requires_grad)
        copy.name = self.name
        return copy

    def __repr__(self):
        return "Parameter containing:\n" + super().__repr__()


class UninitializedParameter(Parameter):
    """One without a size: materialize(size) makes it a Parameter. Until then it can be kept, and no more."""

    cls_to_become = Parameter

    def materialize(self, shape, device=None, dtype=None):
        self.data = _stepgrad._empty(shape, _stepgrad.float32)
        self.__class__ = self.cls_to_become

    def __deepcopy__(self, memo):
        return type(self)(None, self.requires_grad)

    def __repr__(self):
        return f"<{type(self).__name__}>"


def _refused(name, error=ValueError):
    def use(self, *args, **kwargs):
        raise error(f"Attempted to use an uninitialized parameter in {name}: its module has had no input yet")

    return use


UninitializedParameter.shape = property(_refused("shape", RuntimeError))
_KEPT = "size to float half cpu set_name is_floating_point register_hook _register_hook _to __copy__".split()
_COMPARED = "__eq__ __ne__ __lt__ __le__ __gt__ __ge__".split()
for _name in dir(Tensor):
    if callable(getattr(Tensor, _name)) and _name not in [*_KEPT, *vars(UninitializedParameter)] \
            and (_name in _COMPARED or not hasattr(object, _name)):
        setattr(UninitializedParameter, _name, _refused(_name))


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
