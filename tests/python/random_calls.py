# Thousands of layers, losses, optimizers, schedulers, loaders and functions with random options, printed
# one a line: what comes out, gradients, state and text, or the type of the error. The test compares
# torch's lines and stepgrad's.
import random
import sys
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

from random_options import NAMED, TF, by_name, call, integers, options, tensor
from scripts.filled import filled
from shown import digits, shown
from random_training import of_data, of_optimizer, of_scheduler

warnings.simplefilter("ignore")
first, count = int(sys.argv[1]), int(sys.argv[2])

# ---- Layers


def layer(r):
    kind = r.choice(("linear", "conv", "embedding", "norm", "batch", "activation", "attention", "block"))
    batch = r.choice(((), (2,), (2, 3)))
    if kind == "linear":
        return call("nn.Linear", "3", "4", options(r, bias=TF)), [tensor(r, *batch, 3)]
    if kind == "conv":
        groups = r.choice((1, 1, 2))
        made = call("nn.Conv1d", "4", "2", str(r.randint(1, 3)), f"groups={groups}", options(
            r, stride=(1, 2, 3), padding=(0, 1, 2, "same", "valid"), dilation=(1, 2), bias=TF))
        return made, [tensor(r, *r.choice(((4, 7), (2, 4, 8), (1, 4, 5))))]
    if kind == "embedding":
        return call("nn.Embedding", "5", "3", options(r, padding_idx=(0, 2, -1, -5, 5))), [integers(r, 4, *batch, 2)]
    if kind == "norm":
        sizes = r.choice(((4,), (3, 4)))
        return call("nn.LayerNorm", str(r.choice((sizes, list(sizes)))), options(
            r, eps=(1e-5, 0.1), elementwise_affine=TF)), [tensor(r, 2, *sizes)]
    if kind == "batch":
        return call("nn.BatchNorm1d", "3", options(
            r, eps=(1e-5, 0.1), momentum=(0.1, 0.5, None), affine=TF, track_running_stats=TF)), [
                tensor(r, *r.choice(((4, 3), (2, 3, 4), (3,), (1, 3, 2))))]
    if kind == "activation":
        made = r.choice((
            call("nn.LeakyReLU", options(r, negative_slope=(0.1, 0.5), inplace=TF)),
            call("nn.ELU", options(r, alpha=(0.5, 2.0))), call("nn.GLU", options(r, dim=(0, 1, -1))),
            call("nn.Softplus", options(r, beta=(1, 2), threshold=(1, 20))), call("nn.ReLU6", options(r, inplace=TF)),
            call("nn.GELU", options(r, approximate=("none", "tanh", "other"))),
            call("nn.Softmax", options(r, dim=(0, 1, -1))), call("nn.LogSoftmax", options(r, dim=(0, 1, -2))),
            call("nn.Flatten", options(r, start_dim=(0, 1), end_dim=(-1, 1))), "nn.SiLU()"))
        x = tensor(r, *r.choice(((4, 2), (2, 4, 2), (4,))))
        return made, [x * 3 if r.random() < 0.7 else x]
    if kind == "attention":
        first_ = r.choice(TF)
        made = call("nn.MultiheadAttention", "4", str(r.choice((1, 2, 4))), f"batch_first={first_}", options(r, bias=TF))
        q, k = [(2, n, 4) if first_ else (n, 2, 4) for n in (3, 3)]
        named = options(r, need_weights=TF, average_attn_weights=TF)
        if r.random() < 0.4:
            named += (named and ", ") + "key_padding_mask=torch.tensor([[False, True, False], [False, False, True]])"
        if r.random() < 0.4:
            named += (named and ", ") + r.choice(("attn_mask=torch.ones(3, 3).triu(1).bool()",
                                                  "attn_mask=torch.ones(3, 3).triu(1) * -2.5"))
        return made, [tensor(r, *q), tensor(r, *k), tensor(r, *k)], named
    made = call("nn.TransformerEncoderLayer", "4", "2", "6", "dropout=0.0", "layer_norm_eps=0.1", options(
        r, activation=("relu", "gelu"), batch_first=TF, norm_first=TF))
    return made, [tensor(r, 2, 3, 4, grad=True)]


def of_layer(r):
    made, inputs, *named = layer(r)
    mode = r.choice(("train()", "train()", "eval()"))
    yield f"{made}.{mode} of {[tuple(x.shape) for x in inputs]} {named}"
    m = getattr(filled(eval(made), 1.0), mode[:-2])()
    yield repr(m)
    for _ in range(r.randint(1, 2)):
        y = eval(call("m", *(f"inputs[{i}]" for i in range(len(inputs))), *named), {"m": m, "inputs": inputs, "torch": torch})
        yield shown(y)
    y = y[0] if isinstance(y, tuple) else y
    if y.requires_grad:
        (y * torch.arange(1.0, y.numel() + 1).reshape(y.shape)).sum().backward()
        yield shown([x.grad for x in (*inputs, *m.parameters()) if x.is_leaf and x.requires_grad])
    yield str({name: digits(x.tolist()) for name, x in m.state_dict().items() if "num" in name or "running" in name})


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

DIMS = (0, 1, -1, -2, (0, 1), (-1, 0), None)


def of_function(r, row=None):
    x, y = tensor(r, *r.choice(((3, 4), (3, 4), (2, 3, 4)))), tensor(r, 3, 4)
    v, w, i = tensor(r, 5), tensor(r, 4), integers(r, 2, 3, 4)
    env = {"x": x, "y": y, "v": v, "w": w, "i": i, "k": integers(r, 4, 6), "torch": torch, "F": F, "nn": nn,
           "j": torch.tensor(r.sample(range(3), 2)), "t": i[:, 0], "p": w.detach().exp(),
           "q": y.detach().sigmoid(), "e": torch.eye(4), "f": torch.float32, "s": "sum"}
    keep = {"keepdim": TF}
    text = by_name(r, row) if row or r.random() < 0.5 else r.choice((
        lambda: call(f"x.{r.choice(('sum', 'mean'))}", f"dim={r.choice(DIMS)}", options(r, dtype=(torch.float32,), **keep)),
        lambda: f"x.{r.choice(('sum', 'mean'))}()",
        lambda: call(f"x.{r.choice(('amax', 'amin'))}", options(r, dim=DIMS[:-1], **keep)),
        lambda: call(f"x.{r.choice(('var', 'std'))}", f"dim={r.choice(DIMS[:-1])}", options(r, unbiased=TF, **keep)),
        lambda: call("x.norm", options(r, p=(1, 2, 3.0, float("inf")), dim=DIMS[:-1], **keep)).replace("=inf", "=float('inf')"),
        lambda: call("x.logsumexp", f"dim={r.choice(DIMS[:-1])}", options(r, **keep)),
        lambda: call("x.quantile", str(r.choice((0.0, 0.3, 0.5, 1.0, 1.5))), options(r, dim=(0, 1, -1), **keep)),
        lambda: call("x.topk", str(r.randint(1, 3)), options(r, dim=(0, 1, -1), largest=TF, sorted=(True,))),
        lambda: call("x.sort", options(r, dim=(0, 1, -1), descending=TF)),
        lambda: call("k.unique", options(r, return_inverse=TF, return_counts=TF)),
        lambda: call("i.unique", options(r, dim=(0, 1, None), return_inverse=TF, return_counts=TF)),
        lambda: call(f"x.{r.choice(('cumsum', 'cumprod'))}", f"dim={r.choice((0, 1, -1, -2))}"),
        lambda: call("x.diagonal", options(r, offset=(-1, 0, 1, 2), dim1=(0, 1), dim2=(1, -1))),
        lambda: call("x.roll", str(r.choice((1, -2, 5))), options(r, dims=(0, 1, -1))),
        lambda: f"x.roll({r.choice(((1, 2), (-1, 3)))}, {r.choice(((0, 1), (1, -1)))})",
        lambda: call("x.repeat_interleave", str(r.randint(0, 3)), options(r, dim=(0, 1, -1))),
        lambda: call("torch.div", "x", "2.3", options(r, rounding_mode=("floor", "trunc", None))),
        lambda: call("torch.div", "i", str(r.choice((2, -3))), options(r, rounding_mode=("floor", "trunc", None))),
        lambda: call("x.round", options(r, decimals=(0, 1, -1))), lambda: f"x.clamp({r.choice(('w, 2 * w', 'None, w', '-1, 0.5', 'w', '-0.5'))})",
        lambda: call("F.pad", "x", str(r.choice(((1, 2), (0, 1, 2, 0), (-1, 1)))), options(r, mode=("constant",), value=(0.0, 3.5))),
        lambda: call("F.normalize", "x", options(r, p=(1.0, 2.0), dim=(0, 1, -1), eps=(1e-12, 3.0))),
        lambda: call("torch.arange", str(r.choice((0, 1, -2))), str(r.choice((5, 4.5, -7))), str(r.choice((1, 2, 0.5, -1)))),
        lambda: f"x.{r.choice(('triu', 'tril'))}({r.randint(-2, 3)})",
        lambda: f"x.flatten({r.choice((0, 1))}, {r.choice((-1, 1))})",
        lambda: f"torch.einsum({r.choice(('ij,kj->ik', 'ij,ij->i', 'ij,ij', 'ij,kj->jki', 'ij,kl->', 'i...,i...->...'))!r}, y, y * 2)",
        lambda: f"x.split({r.choice((1, 2, [1, 2], [0, 3], 5))}, {r.choice((0, -2))})", lambda: f"x.chunk({r.randint(1, 5)}, {r.choice((0, 1, -1))})",
        lambda: f"torch.cat([x, x * 2], dim={r.choice((0, 1, -1, -2))})", lambda: f"torch.stack([x, x * 2], {r.choice((0, 1, 2, -1, -3))})",
        lambda: f"torch.{r.choice(('hstack', 'vstack'))}([{r.choice(('w', 'y'))}, {r.choice(('w', 'y'))}])",
    ))()
    yield f"{text} of {tuple(x.shape)}"
    y = eval(text, env)
    yield shown(tuple(y) if type(y).__module__.startswith("torch.return_types") else y)
    y = [part for part in (y if isinstance(y, (tuple, list)) else [y]) if isinstance(part, torch.Tensor) and part.requires_grad]
    if y:
        sum((part * torch.arange(1.0, part.numel() + 1).reshape(part.shape)).sum() for part in y).backward()
        yield shown([env[name].grad for name in "xyvw"])


KINDS = (of_layer, of_layer, of_loss, of_optimizer, of_optimizer, of_scheduler, of_scheduler, of_data, *(of_function,) * 5)
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
