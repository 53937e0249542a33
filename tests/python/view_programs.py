# Random programs of statements: views and views of views, what is written in place to either, with a
# history and under no_grad, names that go away, loops, gradients. After each statement every tensor
# that has a name is noted, with its gradient. The test compares what torch and stepgrad noted:
# one line a program, or with -v one line a statement.
import random
import sys
import warnings
import zlib

import torch

from shown import ledger

warnings.simplefilter("ignore")
first, count, verbose = int(sys.argv[1]), int(sys.argv[2]), "-v" in sys.argv

# What they do is exact, so that both have the same numbers to the last bit.
FRESH = ("{a} * 2", "{a} + {b}", "{a} * {b}", "{a} - {b}", "-{a}", "{a}.relu()", "{a}.clone()",
    "{a}.sum({d})", "{a} + {a}", "{a}.clamp(-4, 4)", "torch.cat([{a}, {a}], {d})", "{a}.square()",
    "{a}[{a} > 0]", "{a}[[0, -1]]", "torch.stack([{a}, {b}])", "{a}.masked_fill({a} > 1, 0.5)")
VIEWS = ("{a}[{i}]", "{a}[{i}]", "{a}[{i}]", "{a}.t()", "{a}.transpose({d}, {e})", "{a}.permute(*{p})",
    "{a}.view(-1)", "{a}.reshape(-1)", "{a}.reshape(2, -1)", "{a}.unsqueeze({d})", "{a}.squeeze()",
    "{a}.expand(2, *{a}.shape)", "{a}.narrow({d}, 0, 1)", "{a}.split(1, {d})[0]",
    "{a}.unbind({d})[-1]", "{a}.chunk(2, {d})[0]", "{a}.detach()", "{a}.flatten()",
    "{a}.select({d}, 0)", "{a}.T", "{a}.contiguous()", "{a}.view({a}.shape)", "next(iter({a}))",
    "{a}.squeeze({d})", "{a}", "{a}.view_as({b})", "{a}.grad", "{a}.flatten(0, 1)")
IN_PLACE = ("{a}.add_({b}.clone())", "{a}.sub_(1)", "{a}.mul_({b}.clone())", "{a}.mul_(2)", "{a}.div_(2)", "{a}.fill_(3)",
    "{a}.zero_()", "{a}.copy_({b}.clone())", "{a}.clamp_(-2, 5)", "{a}.relu_()", "{a}.neg_()",
    "0 in {a}.stride() or {a}.masked_fill_({a} > 1, 0.5)", "{a}[{i}] = {n}", "{a}[{i}] = {b}.clone()", "{a}[{i}] += {n}",
    "{a}[{i}].mul_(-1)", "{a}[{i}][{i}] = {n}", "{a}[{a} > 0] = {n}", "{a}[[0, -1]] = {n}",
    "{a}.t()[0] = {n}", "{a}.transpose({d}, {e}).add_(1)", "{a}.detach()[0] = {n}", "{a} += {b}.clone()",
    "{a} -= {n}", "{a} *= {n}", "{a}.grad.zero_()", "{a}.grad[{i}] = {n}", "{a}[None].add_(1)",
    "{a}[..., 0] = {n}", "{a}.view(-1)[0] = {n}", "{a}.detach().add_(1)", "{a}[{i}] *= {b}.clone()",
    "torch.nn.init.ones_({a}[0])", "{a}.copy_({a} * 2)",
    "{a}.add_({b}.clone(), alpha=2)", "{a}.abs_()", "{a}.grad = {a}.detach().clone()", "{a}.requires_grad_(False)")
LOOPS = ("for row in {a}: row += 1", "for row in {a}: row[0] = {n}",
    "for k in range(len({a})): {a}[k] = {b}.clone()[k] * 2", "for k in range(len({a})): {a}[k] += k",
    "for part in {a}.split(1, {d}): part.mul_(2)",
    "for k in range(2): {a}[:, k] = {a}[:, k] * {n}")
NUMBERS = (2, -1, 0.5, 3, 0)


def made(r):
    def numbers(sizes):
        return [numbers(sizes[1:]) for _ in range(sizes[0])] if sizes else float(r.randint(-4, 4))

    sizes = [r.randint(1, 3) for _ in range(r.choice((1, 2, 2, 2, 3)))]
    return f"torch.tensor({numbers(sizes)}, requires_grad={r.random() < 0.5})"


def index(r, x):
    parts = []
    for size in x.shape[: r.randint(1, max(1, x.dim()))]:
        parts.append(r.choice((str(r.randint(-size, size - 1)) if size else "0", ":", "1:", "::2", ":1",
            ":" if "None" in parts else "None")))
    if r.random() < 0.2:
        parts.insert(r.randint(0, len(parts)), "...")
    return ", ".join(parts)


def filled(r, pattern, names, env):
    a = r.choice([n for n in names if env[n].dim() <= 3] or names)  # there are at most six
    x = env[a]
    alike = [n for n in names if env[n].shape == x.shape]
    p = list(range(x.dim()))
    r.shuffle(p)
    dims = max(1, x.dim())
    return pattern.format(a=a, b=r.choice(alike), d=r.randrange(dims), e=r.randrange(dims), p=p,
        i=index(r, x), n=r.choice(NUMBERS))


def statement(r, env):
    """One statement of the tensors in env; of those that are there, at most eight."""
    names = list(env)
    new = next(n for n in "xyzuvwabcdefgh" if n not in names)
    if not names or (len(names) < 3 and r.random() < 0.3):
        return f"{new} = {made(r)}"
    if len(names) > 7:
        return f"del {r.choice(names)}"
    kind = r.random()
    if kind < 0.12:
        return f"{new} = ({filled(r, r.choice(FRESH), names, env)}).contiguous()"
    if kind < 0.45:
        return f"{new} = {filled(r, r.choice(VIEWS), names, env)}"
    if kind < 0.7:
        return filled(r, r.choice(IN_PLACE), names, env)
    if kind < 0.75:
        return filled(r, r.choice(LOOPS), names, env)
    if kind < 0.85:
        view = filled(r, r.choice(VIEWS[:20]), names, env)
        return ("with torch.no_grad():\n    " + filled(r, r.choice(IN_PLACE), names, env)
            + f"\n    part = {view}\n    part.mul_(2)")
    if kind < 0.9:
        return f"del {r.choice(names)}"
    if kind < 0.92:
        return f"{r.choice(names)}.grad = None"
    return filled(r, r.choice(("({a} * {a}).sum().backward(retain_graph=True)",
        "{a}.sum().backward(retain_graph=True)",
        "({a} * {b}).sum().backward(retain_graph=True)")), names, env)


def noted(x):
    if not isinstance(x, torch.Tensor):
        return repr(x)
    with torch.no_grad():
        note = f"{list(x.shape)} " + " ".join(f"{v:.5g}" for v in x.detach().reshape(-1).tolist())
    try:
        return note + (f" grad {noted(x.grad)}" if x.is_leaf and x.grad is not None else "")
    except RuntimeError:  # whether it is a leaf is not known of what has lost its history
        return note


for seed in range(first, first + count):
    ledger(seed % 2 == 1)  # which changes nothing
    r = random.Random(seed)
    env, notes = {}, 0
    for _ in range(14):
        with torch.no_grad():
            line = statement(r, env)
        error = ""
        try:
            exec(line, {"torch": torch}, env)
        except Exception as e:
            error, message = "refused ", f"{type(e).__name__}: {e}"
        for name in ("row", "k", "part"):
            env.pop(name, None)
        for name in [n for n, x in env.items() if x is None]:
            del env[name]
        note = error + "; ".join(f"{n} = {noted(x)}" for n, x in env.items())
        notes = zlib.crc32(note.encode(), notes)
        if verbose:
            print(f"{seed} {line!r} -> {note}" + (f"  # {message[:200]}" if error else ""))
        if error and "backward" in line or "e+" in note:
            break  # torch may have added to gradients before it found out; numbers become inexact
    if not verbose:
        print(seed, notes)
