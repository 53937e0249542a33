"""Mixed precision on the CPU, which torch itself leaves to GPUs."""

from _stepgrad import float16

from ..modes import autocast as _autocast


class autocast(_autocast):
    def __init__(self, enabled=True, dtype=float16, cache_enabled=True):
        super().__init__("cpu", dtype, enabled)


class GradScaler:
    """Scales the loss, so that small gradients survive half precision; skips a step of infinities."""

    def __init__(self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5,
                 growth_interval=2000, enabled=True):
        self._scale = init_scale if enabled else 1.0
        self.growth_factor, self.backoff_factor = growth_factor, backoff_factor
        self.growth_interval, self.enabled = growth_interval, enabled
        self._good, self._found, self._unscaled = 0, False, False

    def scale(self, loss):
        return loss * self._scale

    def get_scale(self):
        return self._scale

    def unscale_(self, optimizer):
        for group in optimizer.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.grad.mul_(1 / self._scale)
                    self._found |= not bool(p.grad.isfinite().all())
        self._unscaled = True

    def step(self, optimizer):
        if not self._unscaled:
            self.unscale_(optimizer)
        self._unscaled = False
        if not self._found:
            optimizer.step()

    def update(self):
        if not self.enabled:
            return
        if self._found:
            self._scale, self._good = self._scale * self.backoff_factor, 0
        else:
            self._good += 1
            if self._good == self.growth_interval:
                self._scale, self._good = self._scale * self.growth_factor, 0
        self._found = False
