"""Loading the result of state_dict()."""

import _stepgrad


class LoadResult(tuple):
    def __new__(cls, missing, unexpected):
        return super().__new__(cls, (missing, unexpected))

    missing_keys = property(lambda self: self[0])
    unexpected_keys = property(lambda self: self[1])

    def __repr__(self):
        if not self[0] and not self[1]:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self[0]}, unexpected_keys={self[1]})"


def load_state(module, mine, state_dict, strict):
    """Writes into the tensors of `mine`, by name; `module` is for the messages."""
    missing = [name for name in mine if name not in state_dict]
    unexpected = [name for name in state_dict if name not in mine]
    errors = []
    if strict and unexpected:
        names = ", ".join(f'"{name}"' for name in unexpected)
        errors.append(f"Unexpected key(s) in state_dict: {names}. ")
    if strict and missing:
        names = ", ".join(f'"{name}"' for name in missing)
        errors.append(f"Missing key(s) in state_dict: {names}. ")
    for name, x in mine.items():
        if name in state_dict and state_dict[name].shape != x.shape:
            errors.append(f"size mismatch for {name}: copying a param with shape "
                          f"{state_dict[name].shape} from checkpoint, the shape in current "
                          f"model is {x.shape}.")
    if errors:
        raise RuntimeError(f"Error(s) in loading state_dict for {module}:\n\t"
                           + "\n\t".join(errors))
    with _stepgrad._NoGrad():
        for name, x in mine.items():
            if name in state_dict:
                x.copy_(state_dict[name])
    return LoadResult(missing, unexpected)
