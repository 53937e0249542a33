from . import _pytree, checkpoint, data, tensorboard  # noqa: F401
