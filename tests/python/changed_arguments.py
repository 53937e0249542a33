# Calls of torch, each with one argument changed at a time, and those of random_options.py with flags that are no bools,
# tensors that are none and NumPy's arrays as numbers: a line each, with what came out, or that it was refused, `raw` by an AttributeError; and whether
# the tensors that the call had are as before, which a refused call must leave alone.
import ast
import copy
import pickle
import random
import sys
import warnings

import numpy
import torch
import torch.nn.functional as F
from torch import nn
from torch.optim import lr_scheduler as S

from random_options import NAMED, by_name
from scripts.filled import filled
from shown import ledger, shown

warnings.simplefilter("ignore")


def half(step):
    return 0.5**step


def numbers(*size):
    n = torch.Size(size).numel()
    return torch.linspace(-1, 1, n).mul(5).sin().reshape(size)


x, y, v, image, ids = numbers(4, 6), numbers(4, 6) + 0.1, numbers(6), numbers(2, 4, 6), torch.tensor([0, 2, 1, 2])
p, mean, var, w2, kernel, q = x.sigmoid(), numbers(6), numbers(6) + 2, numbers(3, 6), numbers(6, 2, 3), numbers(2, 3, 4)
causal, b3 = torch.ones(3, 3).triu(1) > 0, numbers(3)


def optimizer(**options):
    return torch.optim.SGD([{"params": [nn.Parameter(x.clone())]}, {"params": [nn.Parameter(x.clone())], "lr": 0.5}], 1.0, **options)


def rates(s, adds=False, *metrics):
    """The rates and momenta of 12 steps, on the way a group is added or not, and the state is saved and loaded."""
    found, o = [], s.optimizer
    if isinstance(s, (S.CosineAnnealingWarmRestarts, S.ExponentialLR)):
        s.step(1.5)  # the steps go on from there
    for step in range(12):
        found.append([list(map(group.get, ("lr", "momentum", "betas"))) for group in o.param_groups])
        if step == 4 and adds:
            o.add_param_group({"params": [nn.Parameter(x.clone())], "lr": 0.25})
        if step == 7:
            s.load_state_dict(pickle.loads(pickle.dumps(s.state_dict())))
        o.step()
        s.step(*(m / (step + 1) for m in metrics))
    return found


def trained(o):
    """The parameters after three steps on the way to 0, the second without momentum."""
    params, momentum = [p for group in o.param_groups for p in group["params"]], o.param_groups[0].get("momentum")
    for step in range(3):
        o.param_groups[0]["momentum"] = momentum and momentum * (step != 1)
        for p in params:
            p.grad = 2 * p.detach()
        o.step()
    return params


CALLS = """
rates(S.StepLR(optimizer(), 3, 0.5), adds=True)
rates(S.MultiStepLR(optimizer(), [2, 5], 0.5))
rates(S.ExponentialLR(optimizer(), 0.5), adds=True)
rates(S.LambdaLR(optimizer(), [half, half]))
rates(S.LinearLR(optimizer(), 0.25, 0.75, 4))
rates(S.ConstantLR(optimizer(), 0.5, 4), adds=True)
rates(S.CosineAnnealingLR(optimizer(), 5, 0.1))
rates(S.CosineAnnealingWarmRestarts(optimizer(), 3, 2, 0.1))
rates(S.OneCycleLR(optimizer(momentum=0.9), [1.0, 2.0], 20, None, None, 0.3, 'cos', True, 0.8, 0.9, 20.0, 100.0, False))
rates(S.OneCycleLR(optimizer(momentum=0.9), 1.0, epochs=2, steps_per_epoch=10, three_phase=True))
rates(S.ReduceLROnPlateau(optimizer(), 'min', 0.5, 1, 0.1, 'rel', 1, [0.1, 0.2], 1e-3), False, 0.001)
rates(S.ReduceLROnPlateau(optimizer(), 'max', 0.5, 0, 0.1, 'abs'), True, 1.0)
rates(S.SequentialLR(o := optimizer(), [S.ConstantLR(o, 0.5, 4), S.ExponentialLR(o, 0.5)], [3]))
trained(torch.optim.SGD([nn.Parameter(x)], 0.1, 0.9, 0.0, 0.1, False))
trained(torch.optim.Adam([nn.Parameter(x)], 0.1, (0.9, 0.99), 1e-8, 0.1))
trained(torch.optim.AdamW([nn.Parameter(x)], 0.1, (0.9, 0.0), 1e-8, 0.1, True))
trained(torch.optim.RMSprop([nn.Parameter(x)], 0.1, 0.9, 1e-8, 0.1, 0.5))
trained(torch.optim.Adagrad([nn.Parameter(x)], 0.1, 0.1, 0.1, 0.1, 1e-10))
trained(torch.optim.Adadelta([nn.Parameter(x)], 0.1, 0.9, 1e-6, 0.1))
F.glu(x, -1)
F.batch_norm(x, mean, var, v, v, True, 0.1, 1e-5)
F.batch_norm(x, mean, var, v, v, False, 0.1, 1e-5)
F.batch_norm(image, None, None, None, None, True)
F.group_norm(image, 2, v[:4], v[:4], 1e-5)
F.layer_norm(x, (6,), v, v, 1e-5)
F.conv1d(image, kernel, v, 1, 0, 1, 2)
F.conv1d(image, numbers(3, 4, 2), b3, 2, 1, 2, 1)
F.linear(x, w2, b3)
F.embedding(ids, x, 1, None, 2.0, False, False)
F.pad(image, (1, 2), 'constant', 0.5)
F.dropout(x, 0.0, True, False)
F.one_hot(ids, 3)
F.normalize(x, 2.0, 1, 1e-12)
F.cosine_similarity(x, y, 1, 1e-8)
F.softmax(x, 1)
F.log_softmax(x, -1)
F.prelu(x, v)
F.hardtanh(x, -0.5, 0.5, False)
F.leaky_relu(x, 0.1, False)
F.elu(x, 1.0, False)
F.softplus(x, 1, 20)
F.gelu(x, approximate='tanh')
F.mse_loss(x, y, reduction='mean')
F.l1_loss(x, y, reduction='sum')
F.smooth_l1_loss(x, y, reduction='none', beta=1.0)
F.cross_entropy(x, ids, v, reduction='mean', ignore_index=1, label_smoothing=0.1)
F.cross_entropy(image, torch.ones(2, 6).long(), reduction='none')
F.cross_entropy(x, p, reduction='sum')
F.nll_loss(x, ids, v, reduction='mean', ignore_index=-100)
F.kl_div(x, p, reduction='batchmean', log_target=False)
F.binary_cross_entropy(p, p, p, reduction='mean')
F.binary_cross_entropy_with_logits(x, p, p, reduction='mean', pos_weight=v)
torch.bincount(ids, minlength=5)
torch.meshgrid(v, b3, indexing='ij')
torch.cdist(x, y, 2.0)
torch.einsum('ij,kj->ik', x, w2)
torch.einsum('ij,ij->i', x, y)
torch.einsum('i...,i...->...', x, y)
torch.cat([x, y], 0)
torch.stack([x, y], 0)
torch.addmm(x, numbers(4, 2), numbers(2, 6), beta=1, alpha=2)
torch.topk(x, 2, 1, True)[0]
torch.gather(x, 1, ids[None])
torch.repeat_interleave(x, 2, 1)
torch.roll(x, 1, 0)
torch.flip(x, (0,))
torch.tile(x, (2,))
torch.reshape(x, (4, -1))
torch.maximum(x, y)
torch.clamp(x, p, p)
torch.clamp(x, v, v)
torch.quantile(x, 0.5, 1)
torch.std(x, 1, False)
torch.linspace(0, 1, 5)
torch.arange(0, 5, 2)
torch.arange(1, end=5)
torch.arange(end=5, step=2)
torch.randint(1, 5, (2,)).shape
torch.eye(3, 4)
torch.full((2, 3), 1.5)
torch.tril(x, 1)
torch.diag(x[:4, :4], 1)
torch.chunk(x, 2, 1)
torch.split(x, 2, 1)
torch.outer(v, b3)
torch.dot(v, v)
torch.clamp(x, -0.5, 0.5)
torch.cumsum(x, 1)
torch.narrow(x, 1, 1, 2)
torch.movedim(image, (0, 1), (1, 0))
x.roll((1, 2), (0, 1))
x.repeat_interleave(ids, 0)
x.allclose(y, 1e-5, 1e-8)
x.isclose(y, 1e-5, 1e-8)
x.scatter_add(1, ids[:, None], y[:, :1])
x.split([2, 4], 1)
x.unflatten(1, (2, 3))
x.gather(1, ids[:, None])
torch.index_select(x, 1, ids)
nn.Linear(6, 3, True)(x)
nn.Conv1d(4, 6, 3, 1, 1, 1, 2)(image)
nn.Embedding(6, 3, 1)(ids)
nn.BatchNorm1d(6, 1e-5, 0.1, True, True)(x)
nn.BatchNorm1d(4).eval()(image)
nn.LayerNorm(6, 1e-5, True)(x)
nn.LayerNorm((4, 6))(image)
nn.GroupNorm(2, 4, 1e-5, True)(image)
nn.GLU(1)(x)
nn.Hardtanh(-0.5, 0.5)(x)
nn.PReLU(6, 0.25)(x)
nn.Flatten(1, -1)(image)
nn.CrossEntropyLoss(v, reduction='mean', label_smoothing=0.0)(x, ids)
nn.MultiheadAttention(4, 2, 0.0, True, batch_first=True)(q, q, q, attn_mask=causal)[0]
nn.MultiheadAttention(4, 2, kdim=6, vdim=6)(numbers(3, 2, 4), numbers(4, 2, 6), numbers(4, 2, 6), key_padding_mask=numbers(2, 4) > 2)[0]
nn.TransformerEncoderLayer(4, 2, 8, 0.0, 'relu', 1e-5, True)(q, causal)
nn.TransformerDecoderLayer(4, 2, 8, 0.0)(q, q)
nn.utils.clip_grad_norm_([x], 1.0, 2.0)
nn.utils.clip_grad_value_([nn.Parameter(x)], 0.5)
nn.init.constant_(x.clone(), 2.0)
""".strip().splitlines()


def changes(value):
    """Others in the argument's place."""
    if isinstance(value, torch.Tensor):
        small = [value[..., :-1], value[..., :1], value[:-1], value[:1]] if value.dim() else []
        other = value.float() if not value.is_floating_point() else value.long()
        return [*small, value[None], value[0], value.t() if value.dim() == 2 else value[:0], other, value.bool(), None, 2, "up"]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, (int, float)):
        return [0, 1, -1, value + 1, -value, 3 * value, 1.5, -0.5, 5, 7, None, "up"]
    if isinstance(value, str):
        return ["up", "none", "same", "reflect", "xy", "linear", None, 1]
    if isinstance(value, (tuple, list)):
        one = [[*value[:i], c, *value[i + 1:]] for i, v in enumerate(value) if not isinstance(v, list) for c in changes(v)[:8]]
        return [value[:-1], *([*value, *value] for v in value[:1] if not isinstance(v, torch.Tensor)), *one, 3]
    return [x, 3, True, None]


def run(tree, env, title):
    ledger(len(title) % 2 == 1)  # which changes nothing
    tensors = {name: t for name, t in env.items() if isinstance(t, torch.Tensor)}
    before = {name: shown(t) for name, t in tensors.items()}
    try:
        made = eval(compile(ast.fix_missing_locations(ast.Expression(tree)), "call", "eval"), env)
        said = shown(made, 200)
    except Exception as error:
        said = "refused" + " raw" * isinstance(error, AttributeError) + f"  # {type(error).__name__} {error!s:.100}".replace("\n", " ") * ("-v" in sys.argv)
        said += " CHANGED" * any(shown(t) != before[name] for name, t in tensors.items())
    for name, t in KEPT.items():
        globals()[name].data = t.clone()
    print(f"{title} -> {said}")


KEPT = {name: t.clone() for name, t in globals().items() if isinstance(t, torch.Tensor)}


class Module:
    """nn, with numbers that no generator has drawn."""

    def __getattr__(self, name):
        made = getattr(torch.nn, name)
        return (lambda *args, **kwargs: filled(made(*args, **kwargs), 0.5)) if name[0] != "P" and isinstance(made, type) else made


class All(random.Random):
    """Draws each argument of a row of NAMED."""

    def random(self):
        return 0.0


def wrong(value):
    """Others of another kind in its place."""
    return {bool: (None, 3, "no"), torch.Tensor: (None, "up", [1.0], {}), int: (numpy.array(1),),
        torch.dtype: (False, [])}.get(type(value), ())


i = torch.tensor([[0, 2, 1, 0], [2, 1, 0, 2], [1, 1, 2, 0]])
OTHERS = {"x": x[:3, :4], "y": y[:3, :4], "v": v, "w": v[:4], "i": i, "k": i[0], "j": i[0, :2], "t": i[:, 0], "p": p[0, :4],
    "q": p[:3, :4], "e": torch.eye(4), "f": torch.float32, "s": "sum"}
for code, changes, more in [(code, changes, {}) for code in CALLS] + [(by_name(All(0), row), wrong, OTHERS) for row in NAMED]:
    tree = ast.parse(code, mode="eval").body
    env = {**globals(), "nn": Module(), **more}
    run(copy.deepcopy(tree), env, code)
    for call in [node for node in ast.walk(tree) if isinstance(node, ast.Call) and not ast.unparse(node).startswith("numbers")]:
        for arguments, places in (call.args, range(len(call.args))), (call.keywords, range(len(call.keywords))):
            for i in places:
                kept = arguments[i]
                try:
                    value = eval(ast.unparse(kept.value if isinstance(kept, ast.keyword) else kept), env)
                except NameError:
                    continue
                for k, other in enumerate(changes(value)):
                    new = ast.Name("changed", ast.Load())
                    arguments[i] = ast.keyword(kept.arg, new) if isinstance(kept, ast.keyword) else new
                    text = shown(other, 0) if not isinstance(other, torch.Tensor) else f"{other.dtype} {tuple(other.shape)}"
                    run(copy.deepcopy(tree), {**env, "changed": other}, ast.unparse(tree).replace("changed", f"<{text}>"))
                arguments[i] = kept
