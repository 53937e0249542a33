"""torch.amp: torch.cuda.amp with an explicit device."""

from .cuda import amp
from .modes import autocast  # noqa: F401


class GradScaler(amp.GradScaler):
    def __init__(self, device="cpu", *args, **options):
        super().__init__(*args, **options)
