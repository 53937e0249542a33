"""Random streams: torch.Generator, and the default stream's seed."""

import contextlib
import secrets
import struct

from _stepgrad import uint8 as _uint8, _random_state, _set_random_state, _tensor

from stepgrad.tensor import cpu, on_cpu

__all__ = "Generator manual_seed initial_seed get_rng_state set_rng_state".split()

_FIRST = 67280421310721  # the seed that torch begins with


class Generator:
    """A separate stream: drawing from it changes no other. Its state is a seed and a count of
    draws."""

    _state = (_FIRST, 0)

    def __init__(self, device="cpu"):
        on_cpu(device)
        self.device = cpu

    def manual_seed(self, seed):
        if not -(2**63) <= seed < 2**64:
            raise RuntimeError(f"manual_seed: {seed} has more than 64 bits")
        self._state = (seed % 2**64, 0)
        return self

    def seed(self):
        seed = secrets.randbits(53)
        self.manual_seed(seed)
        return seed

    def initial_seed(self):
        return self._state[0]

    def get_state(self):
        return _tensor(list(struct.pack("<QQ", *self._state)), _uint8)

    def set_state(self, state):
        if state.dtype != _uint8 or state.numel() != 16:
            raise TypeError("a generator's state is what its get_state() gave")
        self._state = struct.unpack("<QQ", bytes(state.tolist()))
        return self

    @contextlib.contextmanager
    def drawing(self):
        """Within it the engine draws from this stream."""
        before = _random_state()
        _set_random_state(*self._state)
        taken = _random_state() == self._state
        try:
            yield
        finally:
            if taken:  # not while a checkpoint replays its draws
                self._state = _random_state()
                _set_random_state(*before)


class _Default(Generator):
    """The default stream: the engine's own."""

    @property
    def _state(self):
        return _random_state()

    @_state.setter
    def _state(self, state):
        _set_random_state(*state)

    def drawing(self):
        return contextlib.nullcontext()


_Default.__name__ = _Default.__qualname__ = "Generator"
default_generator = _Default()
initial_seed = default_generator.initial_seed
get_rng_state = default_generator.get_state


def set_rng_state(new_state):
    default_generator.set_state(new_state)


def manual_seed(seed):
    return default_generator.manual_seed(int(seed))


def drawing(generator):
    """A block that draws from the generator, if there is one."""
    if generator is None:
        return contextlib.nullcontext()
    if not isinstance(generator, Generator):
        raise TypeError(f"generator: a torch.Generator is wanted, not {type(generator).__name__}")
    return generator.drawing()
