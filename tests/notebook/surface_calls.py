# Thousands of random calls of torch's surface, printed one a line: what came out (dtype, shape,
# numbers), its gradient, or the type of the error. The test compares torch's lines and stepgrad's.
import random
import sys
import warnings

import torch

from shown import digits, shown

warnings.simplefilter("ignore")
first, count = int(sys.argv[1]), int(sys.argv[2])
SIZES = (0, 1, 1, 2, 3, 3, 4)
DTYPES = (torch.float32, torch.float32, torch.float32, torch.int64, torch.int32, torch.bool)


def shape(r, most=4):
    return [r.choice(SIZES[1:] if r.random() < 0.9 else SIZES) for _ in range(r.randint(0, most))]


def like(r, sizes):
    """A shape that broadcasts with `sizes`, or mostly does."""
    kept = [1 if r.random() < 0.2 else n for n in sizes[r.randint(0, len(sizes)):] or sizes]
    return kept if r.random() < 0.93 else shape(r)


def tensor(r, sizes, dtype=None, grad=True):
    dtype = r.choice(DTYPES) if dtype is None else dtype
    n = 1
    for size in sizes:
        n *= size
    if dtype == torch.bool:
        values = [r.random() < 0.5 for _ in range(n)]
    elif dtype == torch.float32:
        values = [r.choice((r.uniform(-3, 3), float(r.randint(-3, 3)))) for _ in range(n)]
    else:
        values = [r.randint(-5, 5) for _ in range(n)]
    x = torch.tensor(values, dtype=dtype).reshape(sizes)
    if grad and dtype == torch.float32 and r.random() < 0.7:
        x.requires_grad_()
    return x


def dim(r, x):
    return r.randint(-max(1, x.dim()), max(1, x.dim()) - 1) if r.random() < 0.95 else 7


def index(r, x):
    parts = []
    for size in x.shape[: r.randint(0, x.dim())]:
        end = r.randint(-5, 5)
        parts.append(r.choice((
            r.randint(-size, max(0, size - 1)), slice(r.randint(-5, 5), end), slice(None),
            slice(None, None, 2), [r.randint(-size, size - 1) for _ in range(2)] if size else 0,
            None if parts.count(None) < 2 else 0, 9 if r.random() < 0.1 else 0)))
    if r.random() < 0.3:
        parts.insert(r.randint(0, len(parts)), Ellipsis)
    return tuple(parts)


def number(r):
    return r.choice((2, -1, 0.5, 3, True, 1.5))


BINARY = "+ - * / // % == != < <= > >= & | ^".split()
UNARY = """exp sigmoid tanh relu abs square floor ceil round trunc sign isnan isfinite logical_not
erf numel dim float int long bool t squeeze flatten tolist clone detach""".split()
REDUCE = "sum mean amax amin argmax argmin any all softmax log_softmax cumsum std var".split()


def call(r):
    """An expression, and its names."""
    kind = r.choice("binary binary scalar unary reduce shape index set join like place clamp where mask".split())
    x = tensor(r, shape(r))
    y = tensor(r, like(r, list(x.shape)))
    op = r.choice(BINARY)
    env = {"x": x, "y": y, "torch": torch, "n": number(r), "d": dim(r, x),
           "e": dim(r, x), "i": index(r, x), "k": r.choice((True, False))}
    if kind == "binary":
        code = f"x {op} y"
    elif kind == "scalar":
        op = "+" if op == "%" else op  # by a number on the left torch has no gradient
        code = r.choice((f"x {op} n", f"n {op} x", "x ** 2", "x ** 3", "-x", "~x"))
    elif kind == "unary":
        code = f"x.{r.choice(UNARY)}()"
    elif kind == "reduce":
        name = r.choice(REDUCE)
        code = f"x.{name}(dim=d)" if name in ("softmax", "log_softmax", "cumsum") else r.choice(
            (f"x.{name}()", f"x.{name}(d)", f"x.{name}(dim=d, keepdim=k)"))
        if name in ("std", "var") and x.dim() == 0:
            name = "amax"  # of one number torch's gradient is infinite, and ours 0
        if name in ("any", "all", "std", "var", "argmax", "argmin", "amax", "amin"):
            code = f"x.{name}(dim=d, keepdim=k)"
    elif kind == "shape":
        env["s"] = list(x.shape)
        r.shuffle(env["s"])
        env["p"] = list(range(x.dim()))
        r.shuffle(env["p"])
        code = r.choice((
            "x.reshape(s)", "x.contiguous().view(-1)", "x.transpose(d, e)", "x.permute(*p)",
            "x.unsqueeze(d)", "x.squeeze(d)", "x.expand(2, *x.shape)", "x.repeat(2, *[1] * x.dim())",
            "x.flatten(d)", "x.size(d)", "x.shape", "x.triu(1)", "x.tril(-1)", "x.unbind(d)",
            "x.split(2, d)", "x.chunk(2, d)", "x.reshape(-1, 2)", "x.T if x.dim() == 2 else x",
            "x.size()", "x.tril()", "x.numel()", "len(x)", "list(x)", "x.reshape(7)",
            "torch.flatten(x)", "x.narrow(d, 0, 1)"))
    elif kind == "index":
        code = "x[i]"
    elif kind == "set":
        env["x"] = x = x.detach()
        env["y"] = tensor(r, [], x.dtype) if r.random() < 0.5 else number(r)
        env["i"] = tuple(p[:1] if isinstance(p, list) else p for p in env["i"])  # of a place named twice, see repeats.py
        code = "x.__setitem__(i, y) or x"
    elif kind == "join":
        env["y"] = tensor(r, list(x.shape), r.choice((x.dtype, None)))
        code = r.choice(("torch.cat([x, y], d)", "torch.stack([x, y], d)", "torch.cat([x, x])"))
    elif kind == "like":
        code = r.choice((
            "torch.zeros_like(x)", "torch.ones_like(x)", "torch.full_like(x, 2)", "x.new_zeros(2)",
            "torch.zeros(2, 3)", "torch.ones((2,), dtype=torch.int64)", "torch.arange(5)",
            "torch.arange(1, 7, 2)", "torch.arange(0, 1, 0.25)", "torch.eye(3)", "torch.full((2,), n)",
            "torch.linspace(0, 1, 5)", "torch.tensor(n)", "torch.tensor([[1, 2], [3, 4.5]])",
            "torch.tensor([True, False])", "torch.rand_like(x).shape", "torch.tensor([[1], [2, 3]])",
            "torch.randn(2, 3).dtype", "torch.randint(3, 4, (2,))", "torch.FloatTensor([1, 2])"))
    elif kind == "place":
        env["x"] = x = x.detach().clone() if r.random() < 0.8 else x
        code = r.choice((
            "x.add_(y)", "x.mul_(y)", "x.sub_(n)", "x.div_(n)", "x.zero_()", "x.fill_(2)",
            "x.clamp_(min=0)", "x.masked_fill_(x > 0, 1)", "x.copy_(y)", "x.add_(n)", "x.mul_(n)",
            "x.relu_()", "x.add(y, alpha=2)"))
    elif kind == "clamp":
        code = r.choice(("x.clamp(min=0)", "x.clamp(-1, 1)", "x.clamp(max=n)", "torch.clamp(x, min=n)"))
    elif kind == "where":
        env["m"] = tensor(r, list(x.shape), torch.bool)
        code = r.choice(("torch.where(m, x, y)", "torch.where(m, x, n)", "x[m]", "torch.gt(x, 0)",
                         "x.eq(y)", "torch.maximum(x, y)", "torch.minimum(x, y)", "x.masked_fill(m, n)",
                         "torch.allclose(x, x)", "torch.equal(x, y)", "m.sum()", "m + m", "m * x",
                         "x * m", "(~m).float()"))
    else:
        env["m"] = tensor(r, list(x.shape), torch.bool)
        code = r.choice(("x.masked_fill(m, 0)", "m & ~m", "m | m", "m ^ m", "m.any()", "m.all()",
                         "(x > 0) & (x < 2)", "m.int()", "x.bool()", "m == m"))
    return code, env


for seed in range(first, first + count):
    r = random.Random(seed)
    code, env = call(r)
    described = {k: shown(v) for k, v in env.items() if k in code and isinstance(v, torch.Tensor)}
    try:
        y = eval(code, env)
        line = shown(y)
        if isinstance(y, torch.Tensor) and y.requires_grad:
            z = y * torch.arange(1.0, y.numel() + 1).reshape(y.shape)
            z.sum().backward()
            for name in "xy":
                x = env.get(name)
                if isinstance(x, torch.Tensor) and x.is_leaf and x.requires_grad:
                    line += f" d{name}={None if x.grad is None else digits(x.grad.tolist())}"
    except Exception as error:
        line = type(error).__name__
        if "-v" in sys.argv:
            line += f"   # {str(error)[:150]!r}"
    extra = f"  ## {described} i={env['i']} d={env['d']} n={env['n']}" if "-v" in sys.argv else ""
    print(f"{seed} {code} -> {line}{extra}")
