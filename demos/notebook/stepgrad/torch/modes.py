"""no_grad and its like, autocast: as `with` and as decorators."""

import contextlib
import functools
import inspect

import _stepgrad
from _stepgrad import is_grad_enabled  # noqa: F401


def _decorated(function, context):
    """The function, each call of it in a context() of its own."""
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


class no_grad:
    guard = _stepgrad._NoGrad

    def __init__(self):
        self._guard = self.guard()

    def __enter__(self):
        self._guard.__enter__()

    def __exit__(self, *error):
        self._guard.__exit__(*error)

    def __call__(self, function):
        return _decorated(function, type(self))


class enable_grad(no_grad):
    guard = _stepgrad._EnableGrad


def inference_mode(mode=True):
    return no_grad() if mode else enable_grad()


class set_grad_enabled:
    """At once, for good; or until the end of a `with` block or a decorated function."""

    def __init__(self, mode):
        self.mode, self.before = mode, is_grad_enabled()
        _stepgrad._set_grad_enabled(mode)

    def __enter__(self):
        _stepgrad._set_grad_enabled(self.mode)

    def __exit__(self, *error):
        _stepgrad._set_grad_enabled(self.before)

    def __call__(self, function):  # which is all that it changes the mode of, as in torch 2
        _stepgrad._set_grad_enabled(self.before)
        return _decorated(function, lambda: type(self)(self.mode))


class autocast(contextlib.ContextDecorator):
    """Products in a narrower format within it: float16 unless said otherwise."""

    def __init__(self, device_type="cpu", dtype=_stepgrad.bfloat16, enabled=True, cache_enabled=True):
        self.dtype = dtype if enabled else _stepgrad.float32
        self._guard = _stepgrad._Autocast()

    def __enter__(self):
        self._guard.enter(self.dtype)
        return self

    def __exit__(self, *error):
        self._guard.exit()


def compile(model=None, **options):  # noqa: A001
    """The model itself: there is nothing to compile it to."""
    return model if model is not None else lambda f: f


script = compile


def trace(model, example_inputs=None, **options):
    return model


def is_scripting():
    return False
