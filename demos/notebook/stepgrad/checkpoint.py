"""A training to go on with, in one file: save_checkpoint("training.pt", model, optimizer, step)."""


def save_checkpoint(path, model, optimizer, step):
    """Writes {"model": ..., "optimizer": ..., "step": ...}, which torch.load reads: whole or not at all."""
    from . import torch

    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, path)


def load_checkpoint(path, model, optimizer):
    """Puts the model and the optimizer back, and returns the step. Both are what they were if the file is
    not of them: RuntimeError or ValueError says why."""
    from . import torch

    found = torch.load(path)
    if not isinstance(found, dict) or not {"model", "optimizer", "step"} <= set(found):
        raise RuntimeError(f"load_checkpoint: {path} is no checkpoint of save_checkpoint's")
    before = optimizer.state_dict()
    optimizer.load_state_dict(found["optimizer"])
    try:
        model.load_state_dict(found["model"])
    except Exception:
        optimizer.load_state_dict(before)
        raise
    return found["step"]
