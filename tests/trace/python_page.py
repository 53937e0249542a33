"""usage: python_page.py PAGES

Tapes of the Python face, a program for each call that random programs draw from, and of what a loss is
after: PAGES/python.jsonl, a line {"program": text, "tape": ...} each; and PAGES/steps.jsonl, of
programs with steps, and of random ones with constants, no_grad and numbers that leave the tensors, the
replay of a live page and what they compute with one number changed."""

import json
import math
import pathlib
import random
import re
import sys

import stepgrad
import stepgrad.torch
import torch
import torch.nn.functional as F
from torch.nn import table

sys.path.append(str(pathlib.Path(__file__).parents[1] / "python/random_programs"))
import programs

SMOOTH = "sin cos tan asin acos atan sinh cosh asinh atanh log2 log10 log1p exp2 expm1 erfc".split()
CALLS = (*programs.UNARY, *programs.BINARY, *programs.ROWS, *programs.WHOLE,
    *(f"({{a}} / 4).{op}()" for op in SMOOTH), "({a} ** 2 + 1.5).acosh()",
    "F.leaky_relu({a}, 0.3)", "F.hardtanh({a}, -0.5, 0.3)", "F.elu({a}, 0.5)",
    "F.softplus({a}, 2, 1)", "{a} @ {b}.transpose(0, 1)", "F.linear({a}, {b}, {b}[:, 0])",
    "{a}[[2, 0, 2], [1, 2, 1]]", "{a}[{a} > 0]", "{a}.prod({d})", "{a}.topk(2, {d})[0]",
    "{a}.sort({d})[0]", "{a} % 0.7", "{a} % {b}",
    "({a} - {a}.detach().floor()) ** 2",
    "F.cross_entropy({a}, torch.tensor([1, -100, 3]), label_smoothing=0.1)",
    "F.embedding(torch.tensor([2, 0, 2]), {a})", "F.dropout({a}, 0.4)",
    "F.mse_loss({a}, {b})", "F.gelu({a}) * {a}.pow({b} * 0 + 2)",
    "({a} * {a} + 0.1).pow({b})", "({a}.sqrt() + {a}.log() + {a} ** 0.5) * ({a} > 0)",
    "torch.utils.checkpoint.checkpoint(torch.tanh, {a})",
    *(f"nn.{module}({{a}})" for module in """LayerNorm(4) RMSNorm(4) GroupNorm(2,4) BatchNorm1d(4)
         Linear(4,2) PReLU() Conv1d(3,2,2) Identity() Dropout()""".split()),
    *(f"nn.{name}({'1' if name in ('Softmax', 'LogSoftmax') else ''})({{a}})" for name in table._ACTIVATIONS),
    *(f"nn.{name}()({{a}}, {{b}})" for name in table._LOSSES if name not in ("BCELoss", "NLLLoss", "TripletMarginLoss")),
    "nn.TripletMarginLoss()({a}, {b}, {a} * {b})", "nn.BCELoss()({a}.sigmoid(), {b}.sigmoid())", "nn.NLLLoss()({a}, torch.tensor([1, 0, 3]))",
    # A row of ROW lets no key through.
    *(call.replace("M)", mask + ")") for mask in ("", ", attn_mask=torch.eye(3) > 0", ", attn_mask=ROW")
    for call in ("F.scaled_dot_product_attention({a}, {b}, {b}M)",
    "nn.MultiheadAttention(4, 2)({a}, {b}, {b}M)[0]")),
    "nn.MultiheadAttention(4, 2)({a}, {b}, {b}, key_padding_mask=torch.ones(3) > 0)[0]",
    *(f"nn.TransformerEncoderLayer(4, 2, 8)({{a}}{mask})" for mask in ("", ", ROW")),
    *(f"nn.TransformerDecoderLayer(4, 2, 8)({{a}}, {{b}}{mask})" for mask in ("", ", memory_mask=ROW")))
# What is not smooth, and what names places.
STEPS = ("torch.where(a > 0, 5 * a, b)", "(a >= b).float() * a", "a * (a == 1) + a * (a != 0.5)",
    "a * ((a > -1) & (a < 1))", "a * ((a < -1) | (a > 1))", "a * ~(a > 0)",
    "a * (a > 0).logical_not()", "a.max({d})[0]", "a.min({d})[0]",
    "b.gather({d}, a.max({d}, keepdim=True)[1])", "a.topk(2, {d})[0]", "a.sort({d})[0]",
    "b.gather({d}, a.topk(2, {d})[1])", "b.gather({d}, a.argsort({d}))",
    "F.embedding(a.argmax(1), b.T)", "F.embedding(a.argmin(1), b.T)", "b * a.argmax()",
    "b * F.one_hot(a.argmax(1), 4)", "a.masked_fill(a < 0.5, -1)",
    *(f"a.{op}() * b" for op in "floor ceil round trunc sign long bool isfinite".split()),
    "a - a.detach().floor()", "a * a.detach()", "a.clamp(min=b)", "torch.maximum(a, b)",
    "F.softmax(a, 1) * (a > a.mean())", "F.cross_entropy(a, b.argmax(1)) * a",
    "F.cross_entropy(b, a.argmax(1)) * a", "a[1] * b", "a[:, [0, 2]]", "a[..., 1:].T",
    "a.cumsum(1)[:, None, ::2]", "nn.MultiheadAttention(4, 2, batch_first=True)(a, b, b)[0]")
# For random programs: what keeps the shape, and what takes numbers out of the tensors.
KEEPS = ("{a} * {b}", "({a} - {a}.mean()) / ({a}.std() + 1)", "torch.cat([{a}[:1], {b}[1:]])", "{a} / {a}.norm()",
    "torch.where({a} > {b}, {a}, {b})", "{a} * ({b} > {b}.mean())", "{a}.detach() // 0.5 + {a}", "{a} % 0.7",
    "F.softmax({a}, 1)", "{a}.clamp(-0.7, 0.9)", "{a}.long().float() + {a}", "{a}.median() * {b}",
    "{a}.gather(1, {b}.argsort(1))", "{a}.logsumexp(1, True) + {b}", "{a}.clone()", "{a}.T.contiguous().T",
    "{a}.masked_fill({b} > 0, 1)", "F.one_hot({a}.argmax(1), 4) + {a}", "{a}.half().float()", "{a}.detach() * {b}")
READS = ("{a} / {b}.abs().max().item()", "{a} * torch.from_numpy({b}.detach().numpy() * 2)", "{a} * float({b}.mean())",
    "{a} + torch.tensor({b}.tolist())", "({a} if {b}.sum() > 0 else 2 * {a})", "{b}.T[{a}.argmax(1)][:, :1] + {a}",
    "{a} * (1 if {b}.detach().allclose({a}.detach()) else 2)", "{a} * torch.full((3, 4), {b}.detach().max())",
    "{a}[:, [0, 1, int({b}.argmax()) % 4, 2]]", "{a} * len({b}.nonzero())", "({a}.long() & 3) * {b}",
    "{a}.scatter(1, {b}.argmax(1, True), 3.0)",
    "{a} * float(str({b}.detach().max())[7:-1])", "{a}[{a} > 0].sum() * {b}", "{b}.to(torch.int8) * {a}")
READS += ("W = torch.nn.Linear(4, 4); W.weight.data.copy_({b}.detach().T @ {b}.detach()); t = W({a})",
    "z = torch.zeros(3, 4, requires_grad=True); (z * {b}).sum().backward(); t = z.grad * {a}")
# A pass before, whose gradients leave the tensors, or are written to others. (A text of them may be printed.)
PASS = ("z = torch.ones(3, 4, requires_grad=True); (z * c ** 3).sum().backward(); saved, z.grad = z.grad, None\n"
    "(z ** 2 * c ** 3).sum().backward(); seen = []\n")
GRADIENTS = (*(call.format(a="a", b="z.grad") for call in READS if "str(" not in call and "z =" not in call),
    *("a * " + call for call in (
                 "float(torch.nn.utils.clip_grad_norm_([z], 1.0))", "max(z.grad[0]).item()", "saved.max().item()",
                 "torch.autograd.grad((z * c).sum(), z)[0].mean().item()", "torch.ones(3, 4).copy_(z.grad)",
                 "torch.ones(3, 4).mul_(z.grad)", "(z.grad * 2).detach().requires_grad_()")),
    "z.register_hook(lambda g: seen.append(g.mean().item())); (z ** 3 * c).sum().backward(); t = a * seen[0]")
WRITES = ("mul_(0.5)", "add_({a}.detach())", "copy_({a}.detach())", "fill_({a}.detach().max())", "zero_()", "tanh_()")
LINES = ("y = {a} * 1; y[[0, 2, 0], [1, 1, 1]] = {b}[0, :3]; y.index_put_((torch.tensor([1, 0]), "
    "torch.tensor([2, 2])), {b}[0, :2], accumulate=True)",
    *(f"y = {{a}} * 1; y{call[3:]}" for call in programs.IN_PLACE))
ROW = torch.tensor([[0, -math.inf, 1], [-math.inf] * 3, [0, 0, -math.inf]])
AFTER = ("", "with torch.no_grad(): a -= 0.1 * a.grad", "torch.optim.SGD([a, b], 0.1).step()",
    "torch.optim.Adam([b]).step()", "a.detach().numpy()[:] += 1", "a.data.zero_()")


def ran(program, changed="a", i=0, x=None):
    """What the program has made, with a number changed. `a`, `b`, `g` and `h` are leaves, `c` and `d` constants."""
    torch.manual_seed(0)
    names = {"torch": torch, "F": F, "nn": torch.nn, "nan": math.nan, "inf": math.inf, "ROW": ROW}
    for name, shape in zip("abghcd", ((3, 4), (3, 4), (4,), (4,), (3, 4), (3, 4))):
        names[name] = torch.randn(*shape, requires_grad=name in "abgh")
        if name in "acd":
            names[name].name = name
    if x is not None:
        names[changed].data.reshape(-1)[i] = x
    exec(program, names)
    return names


def random_program(r):
    lines, names = [], ["a", "c", "d"]
    for k in range(r.randint(2, 5)):
        pool = r.choice((names, ["c", "d"]))
        with_ = {"a": r.choice(pool), "b": r.choice(pool)}
        made = r.choice(KEEPS if r.random() < 0.85 else READS).format(**with_)
        lines.append(made.replace("; t = ", f"; t{k} = ") if "; t = " in made else
            ("with torch.no_grad(): " if r.random() < 0.3 else "") + f"t{k} = {made}")
        if r.random() < 0.15:
            lines.append(f"t{k} = t{k}.detach().clone(); t{k}.{r.choice(WRITES).format(**with_)}")
        names.append(f"t{k}")
    return "\n".join(lines) + "\ny = (0.3 * a * " + " + ".join(names[3:]) + " - 0.2) ** 2"


def within(page, part):
    return re.search(f'id="{part}">(.*?)</script>', page, re.S)[1]


def tape(program):
    return json.loads(within(ran(program)["loss"].trace(), "tape"))


def changes(program, names="a"):
    for name in names:
        for i in (0, 6, 11):
            for x in (None, -1.6, 0.0, 0.37, 1.0, 2.2):
                made = ran(program, name, i, x)
                yield {"name": name, "i": i, "x": made[name].flatten()[i].item(), "loss": made["loss"].item(),
                    "grad": made["a"].grad.flatten().tolist() if made["a"].grad is not None else [0] * 12}


stepgrad.set_ledger(True)
weighted = ("\nloss = (y * torch.linspace(0.5, 1.5, y.numel()).reshape(y.shape)).sum()"
    "\nloss.backward()\n")
found = [call.format(a="a", b="b", g="g", h="h", d=d) for call in CALLS
    for d in ((0, 1) if "{d}" in call else (0,))]
# Numbers of every kind, and the ops' bounds.
wild = ("a.data[:] = torch.tensor([[nan, inf, -1e6, 1e-30], [-inf, 0, 1e6, 2], [-0.5, 0.3, 0.5, 65520]]); y = ",
    "a.data[:] = torch.tensor([[-0., 1e-45, 3.4028235e38, -1e-45], [1e20, -1e-38, 2, 3.4028235e38], "
    "[1, -1, 65519.996, 1.5]]); "
    "b.data[1:] = torch.tensor([[1e20, 3e-39, -1e38, 5e-20], [-0., 0, -1e-45, inf]]); y = ")
made = [begin + text + weighted for begin in ("y = ", *wild) for text in dict.fromkeys(found)]
made += [lines.format(a="a", b="b") + weighted for lines in LINES]
made += ["a.data[:, :2] = 9.0; y = " + call + weighted
    for call in ("a.max(1)[0]", "a.topk(1)[0]", "a.amax(1)", "torch.where(a > 9, a * 5, b)",
    "a * a.argmax(1, True)", "a * a.trunc()", "a * (a / 18).round()")]
made += ["y = F.softmax(a * b, 1) @ (a * 0.8).T" + weighted + after for after in AFTER]
with open(sys.argv[1] + "/python.jsonl", "w") as out:
    for program in made:
        try:
            out.write(json.dumps({"program": program, "tape": tape(program)}) + "\n")
        except RuntimeError as error:
            print(program, error)
with open(sys.argv[1] + "/steps.jsonl", "w") as out:
    programs = [(f"y = {call} + 0 * a.sum()", "a")
        for call in dict.fromkeys(call.format(d=d) for call in STEPS for d in (0, 1))]
    programs += [("a.data[0, :2] = 0.5; y = b.gather(1, a.argsort(1)) * a", "")]
    programs += [(random_program(random.Random(seed)), "acd") for seed in range(120)]
    programs += [(f"s = {read}; torch.ones(3, requires_grad=True).sum().backward(); y = a * d * s", "acd")
        for read in ("(a * c).sum().item()", "(a * c).max().detach().numpy() * 1", "max((a * c)[0]).tolist()")]
    programs += [(PASS + ("" if "; t = " in call else "t = ") + call + "\ny = (a * d * t - 0.2) ** 2 * c", "acd")
        for call in GRADIENTS]
    for program, names in programs:
        page = ran(program + weighted)["loss"].trace(live=True)
        out.write(json.dumps({"program": program, "tape": json.loads(within(page, "tape")),
            "replay": within(page, "replay"),
            "changes": list(changes(program + weighted, names))}) + "\n")
