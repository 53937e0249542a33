"""torch.amp: what torch.cuda.amp has, for a device that is named."""

from .cuda import amp
from .modes import autocast  # noqa: F401


class GradScaler(amp.GradScaler):
    def __init__(self, device="cpu", *args, **options):
        super().__init__(*args, **options)
