"""no_grad and the like, autocast: as `with` and as decorators."""

import contextlib
import functools
import inspect
import warnings

import _stepgrad
from _stepgrad import is_grad_enabled


def _decorated(function, context):
    """The function, with each call in a context() of its own."""
    if not inspect.isgeneratorfunction(function):
        @functools.wraps(function)
        def called(*args, **kwargs):
            with context():
                return function(*args, **kwargs)

        return called

    @functools.wraps(function)
    def generator(*args, **kwargs):  # the caller's mode between its values
        inner, sent, send = function(*args, **kwargs), None, None
        while True:
            try:
                with context():
                    value = inner.send(sent) if send is None else send(sent)
            except StopIteration as end:
                return end.value
            send = None
            try:
                sent = yield value
            except GeneratorExit:
                inner.close()
                raise
            except BaseException as error:
                sent, send = error, inner.throw

    return generator


class Block:
    """A guard of the engine's, for a `with` block or each call of a function."""

    def __init__(self, guard):
        self._make, self._guard = guard, guard()

    def __enter__(self):
        self._guard.__enter__()
        return self

    def __exit__(self, *error):
        self._guard.__exit__()

    def __call__(self, func):
        return _decorated(func, self._make)


class AtOnce(Block):
    """Effective from now on, or until the end of a `with` block, or in a function's calls."""

    def __init__(self, guard):
        super().__init__(guard)
        self._guard.__enter__()
        self._entered = True

    def _undo(self):
        if self._entered:
            self.__exit__()

    def __enter__(self):
        self._undo()
        return super().__enter__()

    def __exit__(self, *error):
        self._entered = False
        super().__exit__()

    def __call__(self, func):  # which is all that it changes the mode of, as in torch 2
        self._undo()
        return super().__call__(func)


class no_grad(Block):
    def __init__(self):
        super().__init__(_stepgrad._NoGrad)


class enable_grad(Block):
    def __init__(self):
        super().__init__(functools.partial(_stepgrad._Grad, True))


class inference_mode(Block):
    def __init__(self, mode=True):
        super().__init__(functools.partial(_stepgrad._Grad, not mode))


class set_grad_enabled(AtOnce):
    def __init__(self, mode):
        super().__init__(functools.partial(_stepgrad._Grad, mode))


def without_gpu(what, device, enabled):
    """Whether it stays enabled: for the CPU. A GPU's is disabled, as torch without one does it."""
    if not isinstance(device, str):
        raise ValueError(f"{what}: Expected `device_type` of type `str`, got: `{type(device)}`")
    name = device.partition(":")[0]
    if name not in ("cpu", "cuda"):
        raise RuntimeError(f"{what}: an unsupported device_type '{device}'")
    if enabled and name == "cuda":
        warnings.warn(f"{what} is for 'cuda', but CUDA is not available. Disabling", stacklevel=3)
    return enabled and name == "cpu"


class autocast(Block):
    """Products in a narrower format within it: bfloat16 unless said otherwise."""

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=True):
        on = without_gpu("autocast", device_type, enabled)
        self.dtype = dtype or _stepgrad.bfloat16 if on else _stepgrad.float32
        super().__init__(contextlib.nullcontext if "cuda" in device_type else functools.partial(_stepgrad._Autocast, self.dtype))


def compile(model=None, **options):
    """The model itself: there is nothing to compile it to."""
    return compile if model is None else model
