from . import checkpoint, data, dlpack, tensorboard  # noqa: F401
