"""torch.autograd.Function: a gradient of one's own. It stands on the tape under the class's name."""

import functools

import _stepgrad
from _stepgrad import Tensor


class FunctionCtx:
    """What forward leaves for backward."""

    needs_input_grad = saved_tensors = _changed = _constant = ()

    def save_for_backward(self, *tensors):
        if any(not isinstance(x, Tensor) and x is not None for x in tensors):
            raise TypeError("save_for_backward can only save variables")
        self.saved_tensors = tensors

    def mark_dirty(self, *tensors):
        self._changed = tensors

    def mark_non_differentiable(self, *tensors):
        self._constant = tensors

    def set_materialize_grads(self, value):
        """Gradients that have not arrived are zeros here in any case."""


class Function(FunctionCtx):
    """Derive from it, write forward(ctx, ...) and backward(ctx, *gradients) as static methods, and call
    apply(...)."""

    setup_context = None

    @staticmethod
    def forward(ctx, *args):
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def backward(ctx, *grad_outputs):
        raise NotImplementedError("You must implement either the backward or vjp method for your custom "
                                  "autograd.Function to use it with backward mode AD.")

    @classmethod
    def apply(cls, *args):
        return _Call(cls, args).__dict__.pop("outputs")  # or the call and its node would hold each other


class _Call:
    """One call of a Function. Several outputs are parts of one, laid end to end: a node has one."""

    def __init__(self, cls, args):
        self.cls, self.args, self.ctx = cls, args, FunctionCtx()
        self.ctx.needs_input_grad = tuple(isinstance(x, Tensor) and x.requires_grad for x in args)
        self.places = [i for i, x in enumerate(args) if isinstance(x, Tensor)]
        self.outputs = self._forward(self.ctx, args)
        if _stepgrad.is_grad_enabled() and any(self.ctx.needs_input_grad):
            self._record()

    def _forward(self, ctx, args):
        with _stepgrad._NoGrad():
            if self.cls.setup_context is None:
                return self.cls.forward(ctx, *args)
            y = self.cls.forward(*args)
            self.cls.setup_context(ctx, args, y)
            return y

    def _record(self):
        several = isinstance(self.outputs, tuple)
        outputs = [self._own(x) for x in (self.outputs if several else (self.outputs,))]
        self.smooth = [i for i, x in enumerate(outputs) if isinstance(x, Tensor)
                       and x.is_floating_point() and not _is_in(x, self.ctx._constant)]
        self.shapes = [outputs[i].shape for i in self.smooth]
        self.dtypes = [outputs[i].dtype for i in self.smooth]
        if not self.smooth:
            return
        saved, self.ctx.saved_tensors = self.ctx.saved_tensors, ()
        self.kept = [i for i, x in enumerate(saved) if x is not None]
        self.n_outputs, self.n_saved = len(outputs), len(saved)
        y = _stepgrad._record_function(
            self.cls.__name__, self.backward, self.forward_again, [self.args[i] for i in self.places],
            [saved[i] for i in self.kept], self._joined(outputs))
        for i, part in zip(self.smooth, self._parted(y)):
            changed = _is_in(outputs[i], self.ctx._changed)
            if changed and len(self.smooth) > 1:
                raise NotImplementedError("mark_dirty: an input written over is the only output here")
            outputs[i] = outputs[i] if changed else part
        # The node holds this call, so the call holds what the node was made of no longer.
        self.constants = [None if i in self.places else x for i, x in enumerate(self.args)]
        self.args, self.outputs = None, tuple(outputs) if several else outputs[0]

    def _own(self, x):
        """An input that is returned as it came is another tensor, with the same numbers."""
        same = _is_in(x, self.args) and not _is_in(x, self.ctx._changed)
        return x.detach() if same and isinstance(x, Tensor) else x

    def _joined(self, outputs):
        parts = [outputs[i] for i in self.smooth]
        return parts[0] if len(parts) == 1 else _stepgrad._cat([x.reshape(-1) for x in parts], 0, False)

    def _parted(self, x):
        if len(self.shapes) == 1:
            return [x]
        return [part.reshape(shape)._typed(dtype) for part, shape, dtype in
                zip(x.split([shape.numel() for shape in self.shapes]), self.shapes, self.dtypes)]

    def backward(self, dY, kept):
        ctx, name = self.ctx, self.cls.__name__
        saved, gradients = [None] * self.n_saved, [None] * self.n_outputs
        for i, x in zip(self.kept, kept):
            saved[i] = x
        for i, dy in zip(self.smooth, self._parted(dY)):
            gradients[i] = dy
        before, ctx.saved_tensors = ctx.saved_tensors, tuple(saved)  # of a pass that this one is in
        try:
            with _stepgrad._NoGrad():
                given = self.cls.backward(ctx, *gradients)
        finally:
            ctx.saved_tensors = before
        given = given if isinstance(given, tuple) else (given,)
        n = len(self.constants)
        if len(given) < n or any(x is not None for x in given[n:]):
            raise RuntimeError(f"function {name}Backward returned an incorrect number of gradients "
                               f"(expected {n}, got {len(given)})")
        wrong = [x for x in given if x is not None and not isinstance(x, Tensor)]
        if wrong:
            raise RuntimeError(f"function {name}Backward returned {type(wrong[0]).__name__}, and not a Tensor")
        return [given[i] for i in self.places]

    def forward_again(self, *inputs):
        args = list(self.constants)
        for i, x in zip(self.places, inputs):
            args[i] = x
        y = self._forward(FunctionCtx(), args)
        return self._joined(y if isinstance(y, tuple) else (y,))


def _is_in(x, tensors):
    return any(x is y for y in tensors)


def once_differentiable(f):
    """Every backward() is: gradients of gradients are not recorded."""
    return functools.wraps(f)(lambda ctx, *args: f(ctx, *args))
