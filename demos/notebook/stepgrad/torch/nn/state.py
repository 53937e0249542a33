"""Loading the result of state_dict()."""

from collections import OrderedDict
from collections.abc import Mapping

import _stepgrad
from _stepgrad import Tensor

EXTRA = "_extra_state"


class LoadResult(tuple):
    def __new__(cls, missing, unexpected):
        return super().__new__(cls, (missing, unexpected))

    missing_keys = property(lambda self: self[0])
    unexpected_keys = property(lambda self: self[1])

    def __repr__(self):
        if not self[0] and not self[1]:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self[0]}, unexpected_keys={self[1]})"


class _Errors(list):
    """With the copies (to, from) to be made once all is found to fit; None: each is made at once."""

    later = None


def load_own(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
    """Module._load_from_state_dict: for this module alone."""
    for hook in self._load_state_dict_pre_hooks.values():
        hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
    own, later = dict(self._own_state()), getattr(error_msgs, "later", None)
    for name, x in own.items():
        key = prefix + name
        value = state_dict.get(key)
        if key not in state_dict:
            missing_keys += [key] * strict
        elif not isinstance(value, Tensor):
            error_msgs.append(f"{key}: a tensor was expected, and not {type(value).__name__}.")
        elif value.shape != x.shape and not (x.dim() == 0 and value.dim() == 1):  # a number, before PyTorch 0.4
            error_msgs.append(f"size mismatch for {key}: copying a param with shape {value.shape} from checkpoint, "
                              f"the shape in current model is {x.shape}.")
        else:
            copies = [(x, value if value.shape == x.shape else value[0])]
            _copy(copies) if later is None else later.extend(copies)
    if _derives(self, "set_extra_state"):
        own[EXTRA] = None
        if prefix + EXTRA in state_dict:
            self.set_extra_state(state_dict[prefix + EXTRA])
        elif strict:
            missing_keys.append(prefix + EXTRA)
    names = {*own, *self._modules}
    unexpected_keys += [key for key in state_dict if strict and key.startswith(prefix)
                        and key[len(prefix):].partition(".")[0] not in names]


def _derives(module, name):
    """Whether its class has a method of that name of its own."""
    from .module import Module

    return getattr(type(module), name) is not getattr(Module, name)


def _copy(pairs):
    with _stepgrad._NoGrad():
        for x, value in pairs:
            x.copy_(value)


def load(module, state_dict, strict):
    if not isinstance(state_dict, Mapping):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
    metadata, state_dict = getattr(state_dict, "_metadata", {}), OrderedDict(state_dict)
    missing, unexpected, errors = [], [], _Errors()
    # A module with a loader or hooks of its own may read what was loaded.
    if not any(m._load_state_dict_pre_hooks or m._load_state_dict_post_hooks or _derives(m, "_load_from_state_dict")
               or _derives(m, "set_extra_state") for m in module.modules()):
        errors.later = []
    _load(module, state_dict, "", metadata, missing, unexpected, errors)
    found = []
    for what, names in (("Missing", missing), ("Unexpected", unexpected)):
        if strict and names:
            found.append(f"{what} key(s) in state_dict: " + ", ".join(f'"{name}"' for name in names) + ". ")
    if found or errors:
        raise RuntimeError(f"Error(s) in loading state_dict for {type(module).__name__}:\n\t"
                           + "\n\t".join(found + errors))
    _copy(errors.later or ())
    return LoadResult(missing, unexpected)


def _load(module, state_dict, prefix, metadata, missing, unexpected, errors):
    module._load_from_state_dict(state_dict, prefix, metadata.get(prefix[:-1], {}), True, missing, unexpected, errors)
    for name, child in module._modules.items():
        if child is not None:
            inner = prefix + name + "."
            part = {key: value for key, value in state_dict.items() if key.startswith(inner)}
            _load(child, part, inner, metadata, missing, unexpected, errors)
    for hook in module._load_state_dict_post_hooks.values():
        if hook(module, LoadResult(missing, unexpected)) is not None:
            raise AssertionError("register_load_state_dict_post_hook: a hook writes to the keys, and returns None")
