from . import checkpoint, data, tensorboard  # noqa: F401
