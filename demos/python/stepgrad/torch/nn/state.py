"""state_dict() and load_state_dict() of modules."""

import itertools
from collections import OrderedDict, namedtuple
from collections.abc import Mapping

import _stepgrad
from _stepgrad import Tensor

from .parameter import UninitializedParameter


class _IncompatibleKeys(namedtuple("_IncompatibleKeys", "missing_keys unexpected_keys")):
    def __repr__(self):
        return super().__repr__() if any(self) else "<All keys matched successfully>"


class _Errors(list):
    """With the copies (to, from) to be made once all is found to fit; None: each is made at once."""

    later = None


def _load_own(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
    """_load_from_state_dict: for this module alone."""
    own, later = dict(self._own_state()), getattr(error_msgs, "later", None)
    for name, x in own.items():
        key = prefix + name
        value = state_dict.get(key)
        if key not in state_dict:
            missing_keys += [key] * strict
        elif isinstance(x, UninitializedParameter):
            if not isinstance(value, UninitializedParameter):
                error_msgs.append(f"{key}: the parameter here has no shape yet.")
        elif not isinstance(value, Tensor):
            error_msgs.append(f"{key}: a tensor was expected, and not {type(value).__name__}.")
        elif value.shape != x.shape:
            error_msgs.append(f"size mismatch for {key}: copying a param with shape {value.shape} from checkpoint, "
                f"the shape in current model is {x.shape}.")
        else:
            _copy([(x, value)]) if later is None else later.append((x, value))
    names = {*own, *self._modules}
    unexpected_keys += [key for key in state_dict if strict and key.startswith(prefix)
        and key[len(prefix):].partition(".")[0] not in names]


def _derives(module, name):
    """Whether its class has a method of that name of its own."""
    return getattr(type(module), name) is not getattr(HasState, name)


def _copy(pairs):
    with _stepgrad._NoGrad():
        for x, value in pairs:
            x.copy_(value)


def _load_all(module, state_dict, strict):
    if not isinstance(state_dict, Mapping):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
    metadata, state_dict = getattr(state_dict, "_metadata", {}), OrderedDict(state_dict)
    missing, unexpected, errors = [], [], _Errors()
    # A module with a loader of its own may read what was loaded.
    if not any(_derives(m, "_load_from_state_dict") for m in module.modules()):
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
    return _IncompatibleKeys(missing, unexpected)


def _load(module, state_dict, prefix, metadata, missing, unexpected, errors):
    module._load_from_state_dict(state_dict, prefix, metadata.get(prefix[:-1], {}), True, missing, unexpected, errors)
    for name, child in module._modules.items():
        if child is not None:
            inner = prefix + name + "."
            part = {key: value for key, value in state_dict.items() if key.startswith(inner)}
            _load(child, part, inner, metadata, missing, unexpected, errors)


class HasState:
    """What a module keeps in files: its parameters and persistent buffers, and those of the modules in it."""

    _version = 1

    def _own_state(self):
        """Parameters and persistent buffers of this module alone."""
        kept = ((name, x) for name, x in self._buffers.items() if name not in self._not_persistent)
        return ((name, x) for name, x in itertools.chain(self._parameters.items(), kept) if x is not None)

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        destination, prefix, keep_vars = (*args, *(destination, prefix, keep_vars)[len(args):])
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=prefix + name + ".", keep_vars=keep_vars)
        return destination

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        """For this module alone: state_dict() calls it for each."""
        for name, x in self._own_state():
            destination[prefix + name] = x if keep_vars else x.detach()

    _load_from_state_dict = _load_own

    def load_state_dict(self, state_dict, strict=True):
        return _load_all(self, state_dict, strict)
