"""The same numbers on every engine, whose random streams differ."""
import torch


def filled(module, size=0.3):
    with torch.no_grad():
        for k, p in enumerate(module.parameters()):
            p.copy_((torch.arange(1.0, p.numel() + 1) * (0.73 + 0.11 * k)).sin().reshape(p.shape) * size)
    return module
