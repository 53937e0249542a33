from _stepgrad import Tensor as _Tensor, _NoGrad, _cat, _tensor

from . import rnn


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


def clip_grad_value_(parameters, clip_value):
    clip_value = float(clip_value)
    for p in [parameters] if isinstance(parameters, _Tensor) else parameters:
        if p.grad is not None:
            p.grad.clamp_(-clip_value, clip_value)
