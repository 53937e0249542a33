"""torch.amp. As torch without a GPU, what is asked for "cuda" is disabled, with a warning."""

from .modes import autocast, without_gpu as _without_gpu  # noqa: F401


class GradScaler:
    """Disabled: the loss as it is, and plain steps. (nn::GradScaler, in C++, scales.)"""

    def __init__(self, device="cuda", init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000,
                 enabled=True):
        if _without_gpu("GradScaler", device, enabled):
            raise NotImplementedError("GradScaler('cpu') is not here")

    def is_enabled(self):
        return False

    def scale(self, outputs):
        return outputs

    def get_scale(self):
        return 1.0

    def unscale_(self, optimizer):
        pass

    def step(self, optimizer, *args, **kwargs):
        return optimizer.step(*args, **kwargs)

    def update(self, new_scale=None):
        pass

    def state_dict(self):
        return {}

    def load_state_dict(self, state_dict):
        pass
