"""Module."""

import itertools
from collections import OrderedDict

import _stepgrad
from _stepgrad import Tensor, _call_module, is_grad_enabled

from stepgrad.tensor import on_cpu

from . import hooks
from .parameter import Parameter, check_dtype, zero_grads
from .state import HasState


def _indented(text, spaces):
    first, *others = text.split("\n")
    return "\n".join([first] + [" " * spaces + line for line in others])


def _give_names(name, value):
    """Names parameters without a user's name by their attribute path: fc.weight."""
    own = [("", value)] if isinstance(value, Parameter) else value.named_parameters() if value is not None else []
    for path, parameter in own:
        if parameter.name in ("", path):
            parameter.name = f"{name}.{path}".rstrip(".")


class Module(HasState):
    training = True

    def __init__(self):
        for name in ("_parameters", "_buffers", "_modules", "_forward_hooks", "_forward_pre_hooks", "_backward_hooks"):
            object.__setattr__(self, name, OrderedDict())
        object.__setattr__(self, "_not_persistent", set())
        object.__setattr__(self, "training", True)

    def forward(self, *args):
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *args, **kwargs):
        if not (self._forward_hooks or self._forward_pre_hooks or self._backward_hooks):
            return _call_module(self.forward, *args, **kwargs)
        for hook in list(self._forward_pre_hooks.values()):
            changed = hook(self, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
        seen = None
        if self._backward_hooks and is_grad_enabled():
            seen, args = hooks.entered(self, args)
        result = _call_module(self.forward, *args, **kwargs)
        for hook in list(self._forward_hooks.values()):
            changed = hook(self, args, result)
            result = result if changed is None else changed
        return result if seen is None else hooks.left(seen, result)

    # ---- Attributes: parameters, buffers and modules have their own dicts ----

    def _rooms(self):
        mine = self.__dict__
        if "_parameters" not in mine:
            return None
        return mine["_parameters"], mine["_buffers"], mine["_modules"]

    def __setattr__(self, name, value):
        rooms = self._rooms()
        special = isinstance(value, (Parameter, Module))
        if rooms is None:
            if special:
                what = "parameters" if isinstance(value, Parameter) else "module"
                raise AttributeError(f"cannot assign {what} before Module.__init__() call")
            return object.__setattr__(self, name, value)
        parameters, buffers, modules = rooms
        if special:
            own = parameters if isinstance(value, Parameter) else modules
            for room in (self.__dict__, *rooms):
                if room is not own:  # an existing name keeps its place
                    room.pop(name, None)
            own[name] = value
            _give_names(name, value)
        elif name in parameters or name in modules:
            room, kind = (parameters, "Parameter") if name in parameters else (modules, "Module")
            if value is not None:
                raise TypeError(f"cannot assign '{_type_name(value)}' as '{name}' (torch.nn.{kind} or None expected)")
            room[name] = None
        elif name in buffers:
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(f"cannot assign '{_type_name(value)}' as '{name}' (torch.Tensor or None expected)")
            buffers[name] = value
        else:
            object.__setattr__(self, name, value)

    def __getattr__(self, name):
        mine = self.__dict__
        for room in ("_parameters", "_modules", "_buffers"):
            if room in mine and name in mine[room]:
                return mine[room][name]
        why = "" if "_modules" in mine else ": super().__init__() was not called"
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'{why}")

    def __delattr__(self, name):
        for room in self._rooms() or ():
            if name in room:
                del room[name]
                return
        object.__delattr__(self, name)

    def __dir__(self):
        names = [*object.__dir__(self), *itertools.chain(*(self._rooms() or ()))]
        return sorted(name for name in names if not name[:1].isdigit())  # names that no program can write

    def register_buffer(self, name, tensor, persistent=True):
        self._check_new(name, self._buffers, tensor, Tensor)
        self._buffers[name] = tensor
        if persistent:
            self._not_persistent.discard(name)
        else:
            self._not_persistent.add(name)

    def register_parameter(self, name, param):
        self._check_new(name, self._parameters, param, Parameter)
        self._parameters[name] = param
        _give_names(name, param)

    def add_module(self, name, module):
        self._check_new(name, self._modules, module, Module)
        self._modules[name] = module
        _give_names(name, module)

    def _check_new(self, name, room, value, kind):
        if not isinstance(name, str):
            raise TypeError(f"a name should be a string, and not {type(name).__name__}")
        if not (value is None or isinstance(value, kind)):
            raise TypeError(f"cannot register '{_type_name(value)}' as '{name}' ({kind.__name__} or None required)")
        if hasattr(self, name) and name not in room:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name or name == "":
            raise KeyError(f"a name can't be empty or contain '.', got: '{name}'")

    def __setstate__(self, state):
        Module.__init__(self)  # PyTorch's module of that name lacks it
        self.__dict__.update(state)
        self._not_persistent.update(state.get("_non_persistent_buffers_set", ()))

    # ---- Contents ----

    def _members(self, room, prefix, recurse, remove_duplicate=True):
        seen = set()
        modules = self.named_modules(None, prefix, remove_duplicate) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, value in getattr(module, room).items():
                if value is not None and id(value) not in seen:
                    if remove_duplicate:
                        seen.add(id(value))
                    yield (path + "." if path else "") + name, value

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        return self._members("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse=True):
        return (p for _, p in self.named_parameters(recurse=recurse))

    def named_buffers(self, prefix="", recurse=True):
        return self._members("_buffers", prefix, recurse)

    def buffers(self, recurse=True):
        return (b for _, b in self.named_buffers(recurse=recurse))

    def named_children(self):
        seen = set()
        for name, module in self._modules.items():
            if module is not None and id(module) not in seen:
                seen.add(id(module))
                yield name, module

    def children(self):
        return (module for _, module in self.named_children())

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        memo = set() if memo is None else memo
        if id(self) in memo:
            return
        if remove_duplicate:
            memo.add(id(self))
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                path = (prefix + "." if prefix else "") + name
                yield from module.named_modules(memo, path, remove_duplicate)

    def modules(self):
        return (module for _, module in self.named_modules())

    def get_submodule(self, target):
        module = self
        for name in target.split(".") if target else []:
            module = getattr(module, name)
            if not isinstance(module, Module):
                raise AttributeError(f"{target}: '{name}' is not an nn.Module")
        return module

    # ---- Changes of all contents ----

    def apply(self, fn):
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self, mode=True):
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for p in self.parameters():
            p.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=False):
        zero_grads(self.parameters(), set_to_none)

    def to(self, *args, **kwargs):
        """To the CPU and float32, where it already is."""
        for x in [*args, *kwargs.values()]:
            if isinstance(x, _stepgrad.dtype) and not x.is_floating_point:
                raise TypeError(f"nn.Module.to only accepts floating point dtypes, but got desired dtype={x}")
            if isinstance(x, _stepgrad.dtype):
                check_dtype(x)
        _stepgrad._zeros((1,), _stepgrad.float32).to(*args, **kwargs)
        return self

    def cpu(self):
        return self

    float = cpu

    def cuda(self, device=None):
        on_cpu("cuda")

    def half(self):
        return self.to(_stepgrad.float16)

    def bfloat16(self):
        return self.to(_stepgrad.bfloat16)

    def double(self):
        raise NotImplementedError("double: parameters are float32 here")

    # ---- Hooks ----

    def register_forward_hook(self, hook):
        return hooks.added(self._forward_hooks, hook)

    def register_forward_pre_hook(self, hook):
        return hooks.added(self._forward_pre_hooks, hook)

    def register_full_backward_hook(self, hook):
        """hook(module, gradients of the inputs, of the outputs) may return other gradients for the
        inputs."""
        return hooks.added(self._backward_hooks, hook)

    # ---- Text ----

    _extra_repr = ""

    def extra_repr(self):
        return self._extra_repr.format_map(vars(self))

    def _get_name(self):
        return type(self).__name__

    def __repr__(self):
        extra = self.extra_repr().split("\n") if self.extra_repr() else []
        lines = [f"({name}): " + _indented(repr(m), 2) for name, m in self._modules.items()]
        if not lines and len(extra) <= 1:
            return self._get_name() + "(" + "".join(extra) + ")"
        return self._get_name() + "(\n  " + "\n  ".join(extra + lines) + "\n)"


def _type_name(value):
    kind = type(value)
    return "torch.FloatTensor" if isinstance(value, Tensor) else f"{kind.__name__}"
