"""Modules in sequence, in a list, or by name."""

from collections import OrderedDict

from .module import Module

__all__ = """Sequential ModuleList ModuleDict DataParallel
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

    def append(self, value):
        self.add_module(str(len(self)), value)
        return self

    def extend(self, values):
        for value in values:
            self.append(value)
        return self

    def insert(self, index, value):
        self._renumbered([*self][:index] + [value] + [*self][index:])

    def __setitem__(self, index, value):
        setattr(self, str(range(len(self))[index]), value)

    def __delitem__(self, index):
        left = [*self]
        del left[index]
        self._renumbered(left)

    def _renumbered(self, values):
        self._modules.clear()
        self.extend(values)


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
    """Modules in a list."""

    def __init__(self, modules=None):
        super().__init__()
        self.extend(modules or ())

    def _of(self, values):
        return type(self)(values)

    __iadd__ = _Row.extend


class ModuleDict(Module):
    """Modules by name, as in a dict."""

    def __init__(self, modules=None):
        super().__init__()
        self.update(modules or ())

    def update(self, values):
        for name, value in dict(values).items():
            self[name] = value

    def __setitem__(self, name, value):
        self.add_module(name, value)


def _of_dict(name):
    def call(self, *args):
        return getattr(self._modules, name)(*args)
    return call


for _name in "__getitem__ __delitem__ __contains__ __len__ __iter__ pop clear get keys values items".split():
    setattr(ModuleDict, _name, _of_dict(_name))


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
