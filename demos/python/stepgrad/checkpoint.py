"""A training that can be resumed, in one file: save_checkpoint("training.pt", model, optimizer,
step)."""


def save_checkpoint(path, model, optimizer, step):
    """Writes {"model": ..., "optimizer": ..., "step": ..., "random": ...}, which torch.load reads;
    on an error the old file stays. "random" is the random generator's state."""
    from . import torch

    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step,
        "random": torch.get_rng_state()}, path)


def load_checkpoint(path, model, optimizer):
    """Restores the model, optimizer and random generator, and returns the step. RuntimeError or
    ValueError, with all unchanged: the file is of another model or optimizer."""
    from . import torch

    found = torch.load(path)
    if not isinstance(found, dict) or not {"model", "optimizer", "step", "random"} <= set(found):
        raise RuntimeError(f"load_checkpoint: {path} is no checkpoint of save_checkpoint's")
    random, before = torch.get_rng_state(), optimizer.state_dict()
    try:
        torch.set_rng_state(found["random"])
        optimizer.load_state_dict(found["optimizer"])
        model.load_state_dict(found["model"])
    except Exception:
        torch.set_rng_state(random)
        optimizer.load_state_dict(before)
        raise
    return found["step"]
