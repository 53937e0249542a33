"""There is no GPU: what is asked of it is answered in ../elsewhere.py."""

from . import amp  # noqa: F401
