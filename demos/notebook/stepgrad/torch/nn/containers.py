"""Modules and parameters in a row, in a list, or by name."""

from collections import OrderedDict

from .module import Module


class _Row(Module):
    """Modules one after the other, named by their numbers."""

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

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    def __setitem__(self, index, module):
        setattr(self, str(range(len(self))[index]), module)


class ModuleDict(Module):
    def __init__(self, modules=()):
        super().__init__()
        for name, module in dict(modules).items():
            self.add_module(name, module)

    def __getitem__(self, name):
        return self._modules[name]

    def __setitem__(self, name, module):
        self.add_module(name, module)

    def __contains__(self, name):
        return name in self._modules

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def keys(self):
        return self._modules.keys()

    def values(self):
        return self._modules.values()

    def items(self):
        return self._modules.items()


class ParameterList(Module):
    def __init__(self, parameters=()):
        super().__init__()
        for p in parameters:
            self.append(p)

    def append(self, p):
        self.register_parameter(str(len(self)), p)
        return self

    def __len__(self):
        return len(self._parameters)

    def __iter__(self):
        return iter(self._parameters.values())

    def __getitem__(self, index):
        return list(self._parameters.values())[index]
