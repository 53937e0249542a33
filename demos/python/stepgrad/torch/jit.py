"""torch.jit: there is nothing to compile to."""

from .modes import compile as script


def trace(model, example_inputs=None, **options):
    return model


def is_scripting():
    return False
