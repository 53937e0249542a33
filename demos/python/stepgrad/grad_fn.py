"""x.grad_fn: the nodes behind a tensor, and their next_functions."""

from _stepgrad import Tensor


class _GradFn:
    """A tensor's node; its class has the node's name, as in torch."""

    def __init__(self, node):
        self._node = node

    def name(self):
        return self._node.name

    @property
    def next_functions(self):
        """The nodes of its inputs; None for those that require no gradient."""
        return tuple((_of_node(node), 0) for node in self._node.inputs)

    def __repr__(self):
        return f"<{self._node.name}>"


class AccumulateGrad(_GradFn):
    """A leaf's node."""

    @property
    def variable(self):
        return self._node.variable

    def name(self):
        return "torch::autograd::AccumulateGrad"


_classes = {"AccumulateGrad": AccumulateGrad}


def _of_node(node):
    return node and _classes.setdefault(node.name, type(node.name, (_GradFn,), {}))(node)


def _grad_fn(x):
    return _of_node(x._node)


Tensor.grad_fn = property(_grad_fn)
