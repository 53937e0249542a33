"""How a saved tensor is put together again: the names are those that PyTorch's files have."""


def _rebuild_tensor_v2(storage, storage_offset, size, stride, requires_grad=False, backward_hooks=(),
                       metadata=None):
    return storage.tensor(storage_offset, size, stride).requires_grad_(requires_grad)


def _rebuild_parameter(data, requires_grad, backward_hooks):
    from .nn import Parameter

    return Parameter(data, requires_grad)


for _function in (_rebuild_tensor_v2, _rebuild_parameter):
    _function.__module__ = "torch._utils"
