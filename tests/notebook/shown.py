"""What came out of a call, as a line: rounded, so that torch's and stepgrad's are the same text."""

import torch


def rounded(values):
    if isinstance(values, list):
        return [rounded(v) for v in values]
    if isinstance(values, float):
        return 0.0 if abs(values) <= 1e-4 else float(f"{values:.3g}")
    return values


def shown(y):
    if isinstance(y, torch.Tensor):
        numbers = rounded(y.tolist())
        return f"{y.dtype} {tuple(y.shape)} {numbers} {y.requires_grad}"
    if isinstance(y, (tuple, list)) and not isinstance(y, torch.Size):
        return "[" + ", ".join(shown(v) for v in y) + "]"
    return repr(rounded(y) if isinstance(y, (list, float)) else y)
