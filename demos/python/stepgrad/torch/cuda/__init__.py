"""There is no GPU: ../elsewhere.py answers."""

from . import amp
