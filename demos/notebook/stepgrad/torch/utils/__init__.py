from . import checkpoint, dlpack  # noqa: F401
