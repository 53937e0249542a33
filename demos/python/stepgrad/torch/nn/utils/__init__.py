from _stepgrad import Tensor as _Tensor, _NoGrad, _cat, _tensor

from . import rnn  # noqa: F401


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False):
    """Scales the gradients so that all of them together are no longer than max_norm."""
    parameters = [parameters] if isinstance(parameters, _Tensor) else parameters
    max_norm, norm_type = float(max_norm), float(norm_type)
    grads = [p.grad for p in parameters if p.grad is not None]
    if not grads:
        return _tensor(0.0, None)
    with _NoGrad():
        total = _cat([g.norm(norm_type) for g in grads], 0, True).norm(norm_type)
        if error_if_nonfinite and not bool(total.isfinite()):
            raise RuntimeError(f"the gradients' norm of order {norm_type} is not finite, so it cannot be clipped")
        scale = (max_norm / (total + 1e-6)).clamp(max=1.0)
        for g in grads:
            g.mul_(scale)
    return total


def parameters_to_vector(parameters):
    return _cat([p.view(-1) for p in parameters], 0, False)


def vector_to_parameters(vec, parameters):
    begin = 0
    for p in parameters:
        p.data = vec[begin : begin + p.numel()].view(p.shape)
        begin += p.numel()


def clip_grad_value_(parameters, clip_value):
    for p in [parameters] if isinstance(parameters, _Tensor) else parameters:
        if p.grad is not None:
            p.grad.clamp_(-clip_value, clip_value)


def weight_norm(module, name="weight", dim=0):
    """The weight as g·v/‖v‖, made anew for each call; g and v are the parameters (Salimans and Kingma 2016)."""
    from ..parameter import Parameter

    w = getattr(module, name)
    dims = [d for d in range(w.dim()) if dim is None or d != dim % w.dim()]
    del module._parameters[name]
    module.register_parameter(name + "_g", Parameter(w.detach().norm(2, dims, dim is not None)))
    module.register_parameter(name + "_v", Parameter(w.detach().clone()))

    def made(module, inputs=None):
        v = getattr(module, name + "_v")
        setattr(module, name, v * (getattr(module, name + "_g") / v.norm(2, dims, dim is not None)))

    made(module)
    made.of, made.handle = name, module.register_forward_pre_hook(made)
    return module


def remove_weight_norm(module, name="weight"):
    from ..parameter import Parameter

    for hook in module._forward_pre_hooks.values():
        if getattr(hook, "of", None) == name:
            hook(module)
            hook.handle.remove()
            w = module.__dict__.pop(name)
            del module._parameters[name + "_g"], module._parameters[name + "_v"]
            module.register_parameter(name, Parameter(w.detach()))
            return module
    raise ValueError(f"weight_norm of '{name}' not found in {module}")
