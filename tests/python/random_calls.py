# Losses, optimizers, loaders and functions with random options, printed
# one a line: what comes out, gradients, state and text, or the type of the error. The test compares
# torch's lines and stepgrad's.
import random
import sys
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

from random_options import NAMED, TF, by_name, call, integers, options, tensor
from shown import digits, graph, shown
from random_training import of_data, of_optimizer, of_schedule

warnings.simplefilter("ignore")
first, count = int(sys.argv[1]), int(sys.argv[2])

# ---- Losses


def of_loss(r):
    rows = r.choice(((), (3,), (3, 2)))
    reduction = {"reduction": ("none", "mean", "sum", "some")}
    x, y = tensor(r, *rows, 4), tensor(r, *rows, 4)
    weight = r.choice((None, torch.tensor([0.5, 2.0, 1.0, 0.25])))
    kind = r.choice(("classes", "classes", "probabilities", "pairs", "pairs", "binary", "divergence"))
    env = {"F": F, "nn": nn, "x": x, "y": y, "w": weight, "t": integers(r, 3, *rows)}
    more = "weight=w" if weight is not None else ""
    if kind == "classes":
        if len(rows) == 2:
            env["x"] = x = x.detach().permute(0, 2, 1).clone().requires_grad_()
        smooth = {"label_smoothing": (0.1, 0.5)}
        name, also, inputs = r.choice((("cross_entropy", smooth, "x"), ("nll_loss", {}, "x.log_softmax(1 if x.dim() > 1 else 0)")))
        text = call(f"F.{name}", inputs, "t", more, options(
            r, ignore_index=(0, 2, -100) if rows else (-100,), **also, **reduction))
    elif kind == "probabilities":
        env["y"] = y.detach().softmax(-1)
        if len(rows) == 2:
            env["x"], env["y"] = x.detach().permute(0, 2, 1).clone().requires_grad_(), env["y"].permute(0, 2, 1)
        text = call("F.cross_entropy", "x", "y", more, options(r, label_smoothing=(0.1,), **reduction))
    elif kind == "pairs":
        text = r.choice((
            call("F.mse_loss", "x", "y", options(r, **reduction)), call("F.l1_loss", "x", "y", options(r, **reduction)),
            call("F.smooth_l1_loss", "x", "y", options(r, beta=(0.0, 0.5, 2.0), **reduction)),
            call("F.cosine_similarity", "x", "y", options(r, dim=(0, -1), eps=(1e-8, 1.0))),
            call("nn.SmoothL1Loss", options(r, beta=(0.5, 2.0), **reduction)) + "(x, y)",
            call("F.mse_loss", "x", "y", options(r, size_average=TF, reduce=TF))))
    elif kind == "binary":
        env["y"] = y.detach().sigmoid().round() if r.random() < 0.5 else y.detach().sigmoid()
        pos = "pos_weight=torch.tensor([0.5, 2.0, 1.0, 3.0])" if r.random() < 0.5 else ""
        env["torch"] = torch
        text = r.choice((call("F.binary_cross_entropy_with_logits", "x", "y", more, pos, options(r, **reduction)),
            call("F.binary_cross_entropy", "x.sigmoid()", "y", more, options(r, **reduction))))
    else:
        env["y"] = y.detach().log_softmax(-1)
        log = r.choice(TF)
        text = call("F.kl_div", "x.log_softmax(-1)", "y" if log else "y.exp()", f"log_target={log}", options(
            r, reduction=("none", "mean", "sum", "batchmean")))
    yield f"{text} of {tuple(env['x'].shape)} {weight is not None}"
    loss = eval(text, env)
    yield shown(loss)
    if loss.requires_grad:
        (loss * torch.arange(1.0, loss.numel() + 1).reshape(loss.shape)).sum().backward()
        yield shown([env["x"].grad, y.grad])


# ---- Functions

def of_function(r, row=None):
    x, y = tensor(r, *r.choice(((3, 4), (3, 4), (2, 3, 4)))), tensor(r, 3, 4)
    v, w, i = tensor(r, 5), tensor(r, 4), integers(r, 2, 3, 4)
    env = {"x": x, "y": y, "v": v, "w": w, "i": i, "k": integers(r, 4, 6), "torch": torch, "F": F, "nn": nn,
        "j": torch.tensor(r.sample(range(3), 2)), "t": i[:, 0], "p": w.detach().exp(),
        "q": y.detach().sigmoid(), "e": torch.eye(4), "f": torch.float32, "s": "sum"}
    text = by_name(r, row)
    yield f"{text} of {tuple(x.shape)}"
    y = eval(text, env)
    yield shown(tuple(y) if type(y).__module__.startswith("torch.return_types") else y)
    y = [part for part in (y if isinstance(y, (tuple, list)) else [y]) if isinstance(part, torch.Tensor) and part.requires_grad]
    if y:
        if not any(word in text for word in ("cosine_similarity", "quantile", "label_smoothing")):  # of other ops in torch
            yield str(graph(y[0].grad_fn, env, {}))
        sum((part * torch.arange(1.0, part.numel() + 1).reshape(part.shape)).sum() for part in y).backward()
        yield shown([env[name].grad for name in "xyvw"])


KINDS = (of_loss, of_loss, of_optimizer, of_optimizer, of_schedule, of_schedule, of_data, *(of_function,) * 4)
for seed in range(first, first + count):
    said = []
    r = random.Random(seed)
    try:
        row = None if seed % 13 else NAMED[seed // 13 % len(NAMED)]  # each of them once in 1300
        for text in of_function(r, row) if row else r.choice(KINDS)(r):
            said.append(text)
    except Exception as error:
        said.append(type(error).__name__ + (f"   # {str(error)[:150]!r}" if "-v" in sys.argv else ""))
    print(f"{seed} " + " | ".join(said).replace("\n", "\\n"))
