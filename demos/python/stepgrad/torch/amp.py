"""torch.amp. As torch without a GPU, what is asked for "cuda" is disabled, with a warning."""

import math
from collections.abc import Iterable as _Iterable

from _stepgrad import Tensor, _Unshown, float32

from .creation import full
from .modes import autocast, without_gpu as _without_gpu


def _in_float32(scale):  # as torch keeps it
    return full((), scale, dtype=float32).item()


_KEPT = "scale growth_factor backoff_factor growth_interval _growth_tracker".split()


class GradScaler:
    """Scales the loss, so that small gradients survive half precision; skips steps with infinities. It tracks each of
    several optimizers since update(). (nn::GradScaler has one of the engine's.)"""

    def __init__(self, device="cuda", init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000,
            enabled=True):
        enabled = _without_gpu("GradScaler", device, enabled)
        if enabled and not backoff_factor < 1 < growth_factor:
            raise AssertionError("The growth factor must be > 1.0, and the backoff factor < 1.0.")
        self._scale, self._growth_factor, self._backoff_factor = _in_float32(init_scale), growth_factor, backoff_factor
        self._growth_interval, self._growth_tracker, self._enabled = growth_interval, 0, enabled
        self._new_round()

    def _new_round(self):
        self._finite = {}  # for each optimizer whose gradients are unscaled: which of them are finite
        self._stepped = set()

    def is_enabled(self):
        return self._enabled

    def scale(self, outputs):
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            return outputs * self._scale
        if not isinstance(outputs, _Iterable):
            raise ValueError("outputs must be a Tensor or an iterable of Tensors")
        scaled = map(self.scale, outputs)
        return type(outputs)(scaled) if isinstance(outputs, (list, tuple)) else scaled

    def get_scale(self):
        return self._scale if self._enabled else 1.0

    def unscale_(self, optimizer):
        if not self._enabled:
            return
        if id(optimizer) in self._finite:
            raise RuntimeError("unscale_() or step() has already been called on this optimizer since the last update().")
        grads = [p.grad for g in optimizer.param_groups for p in g["params"] if p.grad is not None]
        with _Unshown():  # no number of them goes into the program
            self._finite[id(optimizer)] = [bool(grad.isfinite().all()) for grad in grads]
        overflows = abs(self._scale) * float32._most < 1
        inverse = math.copysign(math.inf, self._scale) if overflows else 1 / self._scale
        for grad in grads:
            grad.mul_(inverse)

    def step(self, optimizer, *args, **kwargs):
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if id(optimizer) in self._stepped:
            raise RuntimeError("step() has already been called since the last update().")
        if id(optimizer) not in self._finite:
            self.unscale_(optimizer)
        finite = self._finite[id(optimizer)]
        if not finite:
            raise AssertionError("No inf checks were recorded for this optimizer.")
        self._stepped.add(id(optimizer))
        return optimizer.step(*args, **kwargs) if all(finite) else None

    def update(self, new_scale=None):
        if not self._enabled:
            return
        finite = [each for found in self._finite.values() for each in found]
        if new_scale is None and not finite:
            raise AssertionError("No inf checks were recorded prior to update.")
        if new_scale is not None:
            self._scale = _in_float32(new_scale)
        elif not all(finite):
            self._scale, self._growth_tracker = _in_float32(self._scale * self._backoff_factor), 0
        else:
            self._growth_tracker += 1
            if self._growth_tracker == self._growth_interval:  # never, if that is 0
                self._growth_tracker, grown = 0, self._scale * self._growth_factor
                if abs(grown) <= float32._most:
                    self._scale = _in_float32(grown)
        self._new_round()

    def state_dict(self):
        return {key: getattr(self, "_" + key.lstrip("_")) for key in _KEPT} if self._enabled else {}

    def load_state_dict(self, state_dict):
        if self._enabled and not state_dict:
            raise RuntimeError("GradScaler: the state is empty, that of a disabled one")
        for key in _KEPT if self._enabled else ():
            setattr(self, "_" + key.lstrip("_"), state_dict[key])
