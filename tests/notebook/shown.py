"""What came out of a call, as a line: rounded, so that torch's and stepgrad's are the same text."""

import torch


def rounded(values):
    if isinstance(values, (list, tuple)):
        return type(values)(rounded(v) for v in values)
    if isinstance(values, float):
        return 0.0 if abs(values) <= 1e-4 else float(f"{values:.3g}")
    return values


def shown(y, most=float("inf")):
    """Of a tensor of more than `most` elements their sum."""
    if isinstance(y, torch.Tensor):
        numbers = rounded(y.tolist() if y.numel() <= most else y.sum().item())
        return f"{y.dtype} {tuple(y.shape)} {numbers}" + " grad" * y.requires_grad
    if isinstance(y, (tuple, list)) and not isinstance(y, torch.Size):
        return "[" + ", ".join(shown(v, most) for v in y) + "]"
    if isinstance(y, dict):
        return "{" + ", ".join(f"{k}: {shown(v, most)}" for k, v in y.items()) + "}"
    return repr(rounded(y))
