"""torch.cuda.amp: torch.amp for "cuda"."""

import _stepgrad

from .. import amp


class autocast(amp.autocast):
    def __init__(self, enabled=True, dtype=_stepgrad.float16, cache_enabled=True):
        super().__init__("cuda", dtype, enabled)


class GradScaler(amp.GradScaler):
    def __init__(self, *args, **options):
        super().__init__("cuda", *args, **options)
