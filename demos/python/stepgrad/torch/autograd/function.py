"""torch.autograd.Function: a user's own gradient. On the tape it has the class's name."""

import functools

import _stepgrad
from _stepgrad import Tensor


class FunctionCtx:
    """What forward passes to backward."""

    needs_input_grad = saved_tensors = _changed = _constant = ()
    _materialize = True

    def save_for_backward(self, *tensors):
        if any(not isinstance(x, Tensor) and x is not None for x in tensors):
            raise TypeError("save_for_backward can only save variables")
        self.saved_tensors = tensors

    def mark_dirty(self, *tensors):
        self._changed = tensors

    def mark_non_differentiable(self, *tensors):
        self._constant = tensors

    def set_materialize_grads(self, value):
        self._materialize = value


class Function(FunctionCtx):
    """Derive from it, define the static methods forward(ctx, ...) and backward(ctx, *gradients),
    and call apply(...)."""

    setup_context = None

    @staticmethod
    def forward(ctx, *args):
        raise NotImplementedError("a Function has a static method forward(ctx, ...)")

    @staticmethod
    def backward(ctx, *grad_outputs):
        raise NotImplementedError("a Function has a static method backward(ctx, *gradients)")

    @classmethod
    def apply(cls, *args):
        return _Call(cls, args).__dict__.pop("outputs")  # the call and its node must not own each other


class _Call:
    """One call of a Function."""

    def __init__(self, cls, args):
        self.cls, self.args, self.ctx = cls, args, FunctionCtx()
        self.ctx.needs_input_grad = tuple(isinstance(x, Tensor) and x.requires_grad for x in args)
        self.places = [i for i, x in enumerate(args) if isinstance(x, Tensor)]
        self.outputs = self._forward(self.ctx, args)
        returned = self.outputs if isinstance(self.outputs, tuple) else (self.outputs,)
        if any(not _is_in(x, returned) for x in self.ctx._changed):
            raise RuntimeError("mark_dirty: an input that is written over must be an output, too")
        if _stepgrad.is_grad_enabled() and any(self.ctx.needs_input_grad):
            self._record(returned, isinstance(self.outputs, tuple))
        elif any(self.ctx.needs_input_grad):  # an input that is returned has no history
            given = [x for x in args if isinstance(x, Tensor) and not _is_in(x, self.ctx._changed)]
            plain = tuple(x.detach() if _is_in(x, given) else x for x in returned)
            self.outputs = plain if isinstance(self.outputs, tuple) else plain[0]

    def _forward(self, ctx, args):
        with _stepgrad._NoGrad():
            if self.cls.setup_context is None:
                return self.cls.forward(ctx, *args)
            y = self.cls.forward(*args)
            self.cls.setup_context(ctx, args, y)
            return y

    def _record(self, outputs, several):
        ctx = self.ctx
        last = {id(x): i for i, x in enumerate(outputs) if isinstance(x, Tensor)}  # of one that is there twice
        self.sizes = [isinstance(x, Tensor) and (x.shape, x.dtype) for x in outputs]
        self.smooth = sorted(i for i in last.values() if outputs[i].is_floating_point()
            and not _is_in(outputs[i], ctx._constant))
        dirty = [_is_in(outputs[i], ctx._changed) for i in self.smooth]
        if len(self.smooth) > 1 and any(outputs[i]._is_view() for i, changed in zip(self.smooth, dirty) if changed):
            raise RuntimeError("mark_dirty: a view that is written over must be the only output")
        saved, ctx.saved_tensors = ctx.saved_tensors, ()
        self.kept = [i for i, x in enumerate(saved) if x is not None]
        self.n_saved, own = len(saved), {}
        if self.smooth:
            made = _stepgrad._record_function(
                self.cls.__name__, self, [self.args[i] for i in self.places], [saved[i] for i in self.kept],
                [outputs[i] for i in self.smooth], dirty)
            own = {id(outputs[i]): y for i, y, changed in zip(self.smooth, made, dirty) if not changed}
        constant = [x for x in ctx._constant if _is_in(x, self.args) and not _is_in(x, ctx._changed)]
        own.update((id(x), x.detach()) for x in constant)
        outputs = tuple(own.get(id(x), x) for x in outputs)
        # The node owns this call, so the call drops the node's inputs and outputs.
        self.constants = [None if i in self.places else x for i, x in enumerate(self.args)]
        self.args, self.outputs = None, outputs if several else outputs[0]

    def backward(self, dYs, kept):
        ctx, name = self.ctx, self.cls.__name__
        saved, gradients = [None] * self.n_saved, [None] * len(self.sizes)
        for i, x in zip(self.kept, kept):
            saved[i] = x
        for i, dy in zip(self.smooth, dYs):
            gradients[i] = dy
        if ctx._materialize:
            gradients = [_stepgrad._zeros(*size) if dy is None and size else dy
                for dy, size in zip(gradients, self.sizes)]
        before, ctx.saved_tensors = ctx.saved_tensors, tuple(saved)  # of an enclosing pass
        try:
            given = self.cls.backward(ctx, *gradients)
        finally:
            ctx.saved_tensors = before
        given = given if isinstance(given, tuple) else (given,)
        n = len(self.constants)
        if len(given) < n or any(x is not None for x in given[n:]):
            raise RuntimeError(f"function {name}Backward returned {len(given)} gradients, and not {n}")
        wrong = [x for x in given if x is not None and not isinstance(x, Tensor)]
        if wrong:
            raise RuntimeError(f"function {name}Backward returned {type(wrong[0]).__name__}, and not a Tensor")
        return [given[i] for i in self.places]

    def forward_again(self, *inputs):
        args = list(self.constants)
        for i, x in zip(self.places, inputs):
            args[i] = x
        y = self._forward(FunctionCtx(), args)
        return [y[i] for i in self.smooth] if isinstance(y, tuple) else [y]


def _is_in(x, tensors):
    return any(x is y for y in tensors)


class _DelayedError(Function):
    """The same tensors, as outputs that a backward must not reach."""

    @staticmethod
    def forward(ctx, *tensors):
        return tuple(x if x is None else x.clone() for x in tensors)

    @staticmethod
    def backward(ctx, *grad_outputs):
        raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")


def once_differentiable(f):
    """For a backward() that create_graph cannot record: its own gradient raises."""
    @functools.wraps(f)
    def call(ctx, *args):
        with _stepgrad._NoGrad():
            made = f(ctx, *args)
        if not (_stepgrad.is_grad_enabled() and any(isinstance(x, Tensor) and x.requires_grad for x in args)):
            return made
        made = made if isinstance(made, tuple) else (made,)
        return _DelayedError.apply(*(x if x is None else x.detach().requires_grad_() for x in made))

    return call
