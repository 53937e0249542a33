from . import _pytree, checkpoint, data, dlpack, tensorboard  # noqa: F401
