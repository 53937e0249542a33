"""There is no GPU."""

from . import amp  # noqa: F401


def is_available():
    return False


def device_count():
    return 0


def manual_seed_all(seed):
    pass


manual_seed = manual_seed_all
