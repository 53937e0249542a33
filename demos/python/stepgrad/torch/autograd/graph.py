"""torch.autograd.graph: what ops save, packed by one's own functions."""

import functools

import _stepgrad

from stepgrad.grad_fn import Node, Packed as _Packed


class saved_tensors_hooks:
    """Within it, ops keep pack_hook(x) for the x that they save, and backward() reads unpack_hook of that."""

    def __init__(self, pack_hook, unpack_hook):
        self._pack = functools.partial(_Packed, pack_hook, unpack_hook)

    def __enter__(self):
        _stepgrad._push_saved_tensors_hooks(self._pack)

    def __exit__(self, *error):
        _stepgrad._pop_saved_tensors_hooks()


class save_on_cpu(saved_tensors_hooks):
    """Copies of what is saved: all memory is the CPU's."""

    def __init__(self, pin_memory=False, device_type="cuda"):
        super().__init__(lambda x: x.detach().clone(), lambda x: x)
