"""Modules and parameters in sequence, in a list, or by name."""

import operator
from collections import OrderedDict

from .module import Module
from .parameter import Parameter

__all__ = """Sequential ModuleList ModuleDict ParameterList DataParallel
DistributedDataParallel""".split()


class _Row(Module):
    """Modules or parameters one after another, named by number."""

    _room, _put = "_modules", Module.add_module

    @property
    def _held(self):
        return getattr(self, self._room)

    def __len__(self):
        return len(self._held)

    def __iter__(self):
        return iter(self._held.values())

    def __getitem__(self, index):
        found = [*self._held.items()][index]
        return self._of(OrderedDict(found)) if isinstance(index, slice) else found[1]

    def append(self, value):
        self._put(str(len(self)), value)
        return self

    def extend(self, values):
        for value in values:
            self.append(value)
        return self

    def insert(self, index, value):
        index, others = operator.index(index), [*self]
        self.append(value)  # which refuses what is no module
        value = self._held[str(len(others))]
        self._renumbered([*others[:index], value, *others[index:]])

    def __setitem__(self, index, value):
        setattr(self, [*self._held][operator.index(index)], value)

    def __delitem__(self, index):
        left = [*self]
        del left[index]
        self._renumbered(left)

    def _renumbered(self, values):
        self._held.clear()
        self.extend(values)


class Sequential(_Row):
    def __init__(self, *modules):
        super().__init__()
        named = modules[0].items() if len(modules) == 1 and isinstance(modules[0], OrderedDict) else (
            (str(i), module) for i, module in enumerate(modules))
        for name, module in named:
            self.add_module(name, module)

    def _of(self, named):
        return type(self)(named)

    def insert(self, index, module):
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        super().insert(index, module)
        return self

    def forward(self, input):
        for module in self:
            input = module(input)
        return input


class _List(_Row):
    def __init__(self, modules=None):
        super().__init__()
        self.extend(modules or ())

    def _of(self, named):
        return type(self)(named.values())

    __iadd__ = _Row.extend


class ModuleList(_List):
    """Modules in a list."""


class _Named(Module):
    """Modules or parameters by name, as in a dict."""

    _held = _Row._held

    def __init__(self, modules=None):
        super().__init__()
        self.update(modules or ())

    def update(self, values):
        for name, value in dict(values).items():
            self[name] = value

    def __setitem__(self, name, value):
        self._put(name, value)


def _of_dict(name):
    def call(self, *args):
        return getattr(self._held, name)(*args)
    return call


for _name in "__getitem__ __delitem__ __contains__ __len__ __iter__ pop clear get keys values items".split():
    setattr(_Named, _name, _of_dict(_name))


class ModuleDict(_Named):
    _room, _put = "_modules", Module.add_module


class _OfParameters:
    _room = "_parameters"

    def _put(self, name, value):
        self.register_parameter(name, value if isinstance(value, Parameter) else Parameter(value))

    def extra_repr(self):
        return "\n".join(f"  ({name}): Parameter containing: [{p.dtype} of size {'x'.join(map(str, p.shape))}]"
            for name, p in self._parameters.items())


class ParameterList(_OfParameters, _List):
    def __init__(self, values=None):
        super().__init__(values)


class DataParallel(Module):
    """The module itself, as on a machine without GPUs."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)


class DistributedDataParallel(DataParallel):
    def __init__(self, *args, **kwargs):
        raise NotImplementedError("torch.nn.parallel.DistributedDataParallel: there is one process here; the "
            "engine's processes are demos/run distributed, in C++")
