"""Modules and parameters in sequence, in a list, or by name."""

from collections import OrderedDict

from .module import Module
from .parameter import Parameter

__all__ = """Sequential ModuleList ModuleDict ParameterList ParameterDict DataParallel
DistributedDataParallel""".split()


class _Row(Module):
    """Modules one after another, named by number."""

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __getitem__(self, index):
        found = list(self)[index]
        return self._of(found) if isinstance(index, slice) else found

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    def insert(self, index, module):
        self._renumbered([*self][:index] + [module] + [*self][index:])

    def __setitem__(self, index, module):
        setattr(self, str(range(len(self))[index]), module)

    def __delitem__(self, index):
        left = [*self]
        del left[index]
        self._renumbered(left)

    def _renumbered(self, modules):
        self._modules.clear()
        self.extend(modules)


class Sequential(_Row):
    def __init__(self, *modules):
        super().__init__()
        named = modules[0].items() if len(modules) == 1 and isinstance(modules[0], OrderedDict) else (
            (str(i), module) for i, module in enumerate(modules))
        for name, module in named:
            self.add_module(name, module)

    def _of(self, modules):
        return type(self)(*modules)

    def forward(self, input):
        for module in self:
            input = module(input)
        return input


class ModuleList(_Row):
    def __init__(self, modules=()):
        super().__init__()
        self.extend(modules)

    def _of(self, modules):
        return ModuleList(modules)

    __iadd__ = _Row.extend


class _Named(Module):
    """Modules or parameters by name, as in a dict."""

    def __init__(self, values=()):
        super().__init__()
        self.update(values)

    def update(self, values):
        for name, value in dict(values).items():
            self[name] = value

    def __getitem__(self, name):
        return getattr(self, self._room)[name]

    def __setitem__(self, name, value):
        self._put(name, value)

    def __delitem__(self, name):
        del getattr(self, self._room)[name]

    def __contains__(self, name):
        return name in getattr(self, self._room)

    def __len__(self):
        return len(getattr(self, self._room))

    def __iter__(self):
        return iter(getattr(self, self._room))

    def pop(self, name):
        return getattr(self, self._room).pop(name)

    def clear(self):
        getattr(self, self._room).clear()

    def get(self, name, default=None):
        return getattr(self, self._room).get(name, default)

    def keys(self):
        return getattr(self, self._room).keys()

    def values(self):
        return getattr(self, self._room).values()

    def items(self):
        return getattr(self, self._room).items()


class ModuleDict(_Named):
    _room, _put = "_modules", Module.add_module


class ParameterDict(_Named):
    _room = "_parameters"

    def _put(self, name, value):
        self.register_parameter(name, value if isinstance(value, Parameter) else Parameter(value))

    def extra_repr(self):
        return _listed(self.items())


class ParameterList(Module):
    def __init__(self, values=()):
        super().__init__()
        self.extend(values)

    def append(self, value):
        value = value if isinstance(value, Parameter) else Parameter(value)
        self.register_parameter(str(len(self)), value)
        return self

    def extend(self, values):
        for value in values:
            self.append(value)
        return self

    __iadd__ = extend

    def __len__(self):
        return len(self._parameters)

    def __iter__(self):
        return iter(self._parameters.values())

    def __getitem__(self, index):
        found = list(self)[index]
        return ParameterList(found) if isinstance(index, slice) else found

    def __setitem__(self, index, value):
        setattr(self, str(range(len(self))[index]), value)

    def extra_repr(self):
        return _listed(self._parameters.items())


def _listed(parameters):
    return "\n".join(f"({name}): Parameter containing: [{p.type()} of size {'x'.join(map(str, p.shape))}]"
                     for name, p in parameters)


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
