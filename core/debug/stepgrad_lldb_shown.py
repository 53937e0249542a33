"""Tensors and nodes in lldb: one line each, and rows for an IDE's tree of variables."""

import lldb
from stepgrad_lldb_values import check_version, of
from stepgrad_memory import Problem, Unreadable
from stepgrad_tensor import LINES, tensor_of


def summary(text_of):
    """A function for `type summary add` from one that takes a dereferenced value."""

    def run(value, unused):
        try:
            check_version(value.GetTarget())
            return text_of(of(value).pointed())
        except (Problem, Unreadable) as problem:
            return "<%s>" % problem

    return run


tensor_summary = summary(lambda value: tensor_of(value).line())
node_summary, input_summary, shape_summary = map(summary, LINES.values())


class TensorChildren:
    """A tensor's rows, or its elements if it has one dimension, for an IDE's tree of
    variables."""

    LIMIT = 100

    def __init__(self, value, unused):
        self.value = value
        self.update()

    def update(self):
        try:
            self.tensor = tensor_of(of(self.value))
        except (Problem, Unreadable):
            self.tensor = None
        shape = self.tensor.shape if self.tensor else [0]
        self.columns = shape[-1] if len(shape) > 1 else 1
        self.rows = self.tensor.count // self.columns if self.tensor and self.columns else 0

    def has_children(self):
        return self.rows > 0

    def num_children(self):
        return min(self.rows, self.LIMIT)

    def get_child_index(self, name):
        return int(name.strip("[]")) if name.strip("[]").isdigit() else -1

    def get_child_at_index(self, index):
        name = {4: lldb.eBasicTypeFloat, 8: lldb.eBasicTypeDouble}[self.tensor.item_size]
        type = self.value.GetTarget().GetBasicType(name)
        if len(self.tensor.shape) > 1:
            type = type.GetArrayType(self.columns)
        address = self.tensor.data + index * type.GetByteSize()
        return self.value.CreateValueFromAddress("[%d]" % index, address, type)
