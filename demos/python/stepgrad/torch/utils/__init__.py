from . import checkpoint, data, tensorboard
