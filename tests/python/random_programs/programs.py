"""Random programs of torch's surface: drawn under torch, as text, so that any engine can run them."""

import array
import math
import pathlib
import random
import re
import sys

import torch
import torch.nn.functional as F

from inputs import NUMBERS

sys.path.append(str(pathlib.Path(__file__).parents[2] / "golden"))
import ops

LARGEST = 1100  # elements
SIZES = (0, 1, 1, 2, 3, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33)
UNARY = [re.sub(r"\ba\b", "{a}", text) for _, text, rest in ops.examples()
    if not re.search("(Tensors|Shapes){", rest)]
UNARY += ["{a}." + call for call in """square() sqrt() log() contiguous() clone() detach() t() cumsum(0)
flatten() triu() tril()""".split()]
BINARY = ("{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} / {b}", "torch.maximum({a}, {b})",
    "torch.minimum({a}, {b})", "torch.where({a} > 0, {a}, {b})", "{a} * ({a} > {b})")
IN_PLACE = ("{a}.add_({b})", "{a}.mul_({b})", "{a}.sub_(0.5)", "{a}.div_(2)", "{a}.clamp_(min=-1)",
    "{a}.zero_()", "{a}.relu_()", "{a}.masked_fill_({a} > 1, 0.25)", "{a} += {b}", "{a}[0] = 2.0")
ROWS = ("F.softmax({a}, dim={d})", "F.log_softmax({a}, dim={d})", "{a}.sum({d})", "{a}.mean({d}, keepdim=True)",
    "{a}.amax({d})", "{a}.amin({d}, keepdim=True)", "{a}.cumsum({d})", "{a}.var({d})", "{a}.std({d})",
    "{a}.max({d})[0]", "{a}.min({d})[0]", "{a}.transpose({d}, -1)", "{a}.unsqueeze({d})",
    "{a}.select({d}, 0)", "{a}.narrow({d}, 0, 1)", "{a}.split(2, {d})[-1]", "{a}.chunk(2, {d})[0]",
    "torch.cat([{a}, {a}], {d})", "torch.stack([{a}, {a}], {d})", "{a}.softmax({d})",
    "F.layer_norm({a}, {a}.shape[-1:])", "F.layer_norm({a}, {a}.shape[-1:], {g}, {h})")
WHOLE = ("{a}.view(-1)", "{a}.reshape(-1, 1)", "{a}.expand(2, *{a}.shape)", "{a}.repeat(2, *[1] * {a}.dim())",
    "{a}[:2]", "{a}[..., -1:]", "{a}[-1]", "{a}[1:]", "{a} ** 2", "{a} ** 3", "{a}.sigmoid().pow(2.5)", "2 - {a}",
    "1 / ({a} + 0)", "{a} * 0.5", "{a}.clamp(-1, 1)", "{a}.clamp(min=0)", "{a}.sum()", "{a}.mean()",
    "{a}.masked_fill({a} < 0, -1.5)", "{a}.squeeze()", "torch.where({a} == {a}, {a}, 0.5)")


class Drawing:
    """A random program: its lines, and their results under this process's torch, or the error of the last."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.second = seed % 4 == 3  # derivatives
        self.lines = []
        self.names = {"torch": torch, "F": F, **NUMBERS}
        self.variables = []
        self.error = None

    def fresh(self):
        return f"v{len(self.variables)}"

    def run(self, line, makes=None):
        """Whether to keep the line: most lines that torch refuses are dropped, a few stay as the
        last."""
        try:
            exec(line, self.names)
        except Exception as error:
            if self.r.random() < 0.9:
                return True
            self.error = told(len(self.lines), error)
            self.lines.append(line)
            return False
        if makes:
            made = self.names[makes]
            if made.numel() > LARGEST or made.dim() > 5:
                del self.names[makes]
                return True
            self.variables.append(makes)
        self.lines.append(line)
        return True

    def input(self, shape, kind=None, grad=None):
        r = self.r
        while math.prod(shape) > LARGEST:
            shape = shape[1:]
        n = math.prod(shape)
        kind = kind or r.choice(("RANDOM",) * 3 + ("TIES",))
        begin = r.randrange(len(NUMBERS[kind]) - n)
        name = self.fresh()
        grad = r.random() < 0.8 if grad is None else grad
        self.run(f"{name} = torch.tensor({kind}[{begin}:{begin + n}]).reshape({tuple(shape)}).clone()" +
            (".requires_grad_()" if grad else ""), name)
        return name

    def pick(self):
        return self.r.choice(self.variables[-4:] if self.r.random() < 0.7 else self.variables)

    def partner(self, a):
        """A tensor that broadcasts with a, often a itself."""
        r, shape = self.r, list(self.names[a].shape)
        if r.random() < 0.4:
            return self.pick()
        kept = [1 if r.random() < 0.2 else n for n in shape[r.randint(0, len(shape)):]]
        return self.input(kept)

    def step(self):
        r, a = self.r, self.pick()
        x = self.names[a]
        d = r.randint(-x.dim(), x.dim() - 1) if x.dim() else 0
        kind = r.choice("unary binary binary rows rows whole whole place product loss".split())
        if kind == "unary":
            text = r.choice(UNARY)
            if "tri" in text and x.dim() < 2:
                return True  # torch takes [0] for a matrix
        elif kind == "binary":
            text = r.choice(BINARY)
        elif kind == "rows":
            text = r.choice(ROWS)
            if not x.dim() or ("layer_norm" in text and x.shape[-1] < 2) or x.shape[d] < 2:
                return True  # of rows of one, torch has what rounding leaves, and infinite gradients
        elif kind == "whole":
            text = r.choice(WHOLE)
        elif kind == "place":
            flat = re.compile(rf"(v\d+ = {a}|{a} = v\d+)\.(reshape\(-1|flatten)")
            if any(shared(x, self.names[v]) for v in self.variables if v != a) or any(map(flat.match, self.lines)):
                return True  # what is a view in torch may be a copy here, as the README says, and the reverse
            if self.second and x._is_view():
                return True  # torch's grad() adds to the leaves that are written to it
            if is_parameter(x) and r.random() < 0.9:
                return True  # refused; torch takes milliseconds to say so
            text = r.choice(IN_PLACE)
            b = self.partner(a) if "{b}" in text else None
            return self.run(text.format(a=a, b=b))
        elif kind == "product":
            k = x.shape[-1] if x.dim() else 1
            n = r.choice(SIZES)
            b = self.input(r.choice(([k, n], [k], [k, n], [2, k, n])))
            if r.random() < 0.3:
                b, c = self.input([n, k]), self.input([n])
                text = r.choice(("F.linear({a}, " + b + ", " + c + ")", "F.linear({a}, " + b + ")"))
            elif r.random() < 0.3 and x.dim() >= 2:
                text = "{a} @ {a}.transpose(-1, -2)"
            else:
                text = "{a} @ " + b
        else:
            rows, classes = r.randint(1, 5), r.choice((1, 2, 5, 17))
            if x.dim() == 2 and 0 < x.shape[0] < 40 and x.shape[1] > 0:
                rows, classes = x.shape
            else:
                a = self.input([rows, classes])
            targets = [r.choice((r.randrange(classes), r.randrange(classes), -100)) for _ in range(rows)]
            indices = [r.randrange(rows) for _ in range(4)]
            text = r.choice((
                "F.cross_entropy({a}, torch.tensor(%s))" % targets,
                "F.cross_entropy({a}, torch.tensor(%s), reduction='sum')" % targets,
                "F.mse_loss({a}, {b})", "F.embedding(torch.tensor(%s), {a})" % indices,
                "{a}[torch.tensor(%s)]" % indices))
        b = self.partner(a) if "{b}" in text else None
        width = [x.shape[-1] if x.dim() else 1]
        g, h = (self.input(width, "RANDOM"), self.input(width)) if "{g}" in text else (None, None)
        result = self.fresh()
        return self.run(f"{result} = " + text.format(a=a, b=b, g=g, h=h, d=d), result)


def program(seed):
    """The lines of a program, and what torch makes of them: inputs, 2 to 12 ops, and a backward from the last
    that they made; in one of four programs a backward from the squares of its gradients, too."""
    drawing = Drawing(seed)
    r = drawing.r
    for _ in range(r.randint(1, 2)):
        drawing.input([r.choice(SIZES) for _ in range(r.choice((0, 1, 2, 2, 3, 3, 4)))])
        if not drawing.variables:
            drawing.input([2, 3])
    for _ in range(r.randint(2, 12)):
        if not drawing.step():
            return drawing.lines, drawing.error
    begin = len(drawing.lines)
    leaves = [v for v in drawing.variables if is_parameter(drawing.names[v])]
    for name in [v for v in drawing.variables if recorded(drawing.names[v])][-3:]:
        shape, n = tuple(drawing.names[name].shape), drawing.names[name].numel()
        loss = f"({name} * torch.linspace(0.5, 1.5, {n}).reshape({shape})).sum()"
        if drawing.second:  # of a square, for what is linear has no second derivatives
            loss = f"({name} * {loss[1:]}"
            first = ", ".join(f"{name}_{leaf}" for leaf in leaves)
            drawing.lines.append(f"{first}, = torch.autograd.grad({loss}, [{', '.join(leaves)}], "
                "create_graph=True, allow_unused=True)")
            drawing.lines.append(f"sum((g * g).sum() for g in ({first},) if g is not None).backward(retain_graph=True)")
        else:
            drawing.lines.append(f"{loss}.backward(retain_graph=True)")
    return drawing.lines, ran(drawing.lines, drawing.names, begin)


def is_parameter(x):
    return x.is_leaf and x.requires_grad


def shared(x, y):
    return x.storage().data_ptr() == y.storage().data_ptr()


def recorded(x):
    try:
        return x.requires_grad and not x.is_leaf
    except RuntimeError:  # a view among several of what has changed in place
        return False


def made(names):
    """Every variable and every gradient of a program that has run."""
    found = {}
    for name, x in names.items():
        if isinstance(x, torch.Tensor):
            found[name] = [list(x.shape), bits(x.detach())]
            if is_parameter(x):
                found[name + ".grad"] = None if x.grad is None else [list(x.grad.shape), bits(x.grad + 0)]
    return found


def bits(x):
    """Its elements as doubles, in hexadecimal digits: as decimals they would take a fifth of the time of all."""
    return array.array("d", x.reshape(-1).tolist()).tobytes().hex()


def told(at, error):
    return {"error": [at, type(error).__name__, str(error)[:200]]}


def run(lines):
    """The lines' results under this process's torch, or the error."""
    return ran(lines, {"torch": torch, "F": F, **NUMBERS}, 0)


def ran(lines, names, begin):
    """The results once the lines from `begin` on have run, too."""
    for at, line in enumerate(lines[begin:], begin):
        try:
            exec(line, names)
        except Exception as error:
            return told(at, error)
    return made(names)
