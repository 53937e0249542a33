# Random programs about what statements do to state, printed one a line: modules, hooks, dtypes,
# arrays and indices. The test compares torch's lines and stepgrad's.
import collections  # for the programs, as copy, np and F
import copy
import random
import sys
import warnings

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from graph_programs import container_program, function_program, mode_program, of_container, of_function
from number_programs import array_program, dtype_program, filled, index_program, of_arrays
from shown import digits, ledger, shown

warnings.simplefilter("ignore")
first, count = int(sys.argv[1]), int(sys.argv[2])
HALF_DONE = ("load_state_dict", "backward(", "autograd.grad")  # refused, torch has done half, stepgrad nothing


# ---- Modules


class Part(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(filled(n, n))
        self.register_buffer("seen", torch.zeros(1))
        self.register_buffer("cache", torch.ones(n), persistent=False)

    def forward(self, x):
        self.seen += 1
        return torch.tanh(x @ self.weight) * self.cache


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.b = Part(2)
        self.a = nn.Linear(2, 2)
        self.rows = nn.ModuleList([Part(2), nn.Sequential(nn.ReLU(), Part(2))])
        self.scale = nn.Parameter(torch.tensor(0.5))
        self.register_buffer("none", None)
        with torch.no_grad():
            self.a.weight.copy_(filled(2, 2, begin=1.0))
            self.a.bias.copy_(filled(2))

    def forward(self, x):
        x = self.a(self.b(x)) * self.scale
        for row in self.rows:
            x = row(x)
        return x


def module_program(r):
    part = lambda: r.choice(("net", "net.b", "net.a", "net.rows", "net.rows[1]", "other", "other.b"))
    name = lambda: r.choice(("extra", "seen", "cache", "weight", "bias", "scale", "none"))
    yield "order, net, x = [], Net(), filled(3, 2)"
    yield r.choice(("other = copy.deepcopy(net)", "other = Net()", "other = Part(2)"))
    yield "s = net.state_dict()"
    for _ in range(r.randint(3, 9)):
        yield r.choice((
            f"{part()}.register_buffer('{name()}', filled(2), persistent={r.choice((True, False))})",
            f"{part()}.register_parameter('{name()}', nn.Parameter(filled(2)))",
            f"{part()}.{name()} = nn.Parameter(filled(3))", f"{part()}.{name()} = filled(2, begin=2.0)",
            f"{part()}.{name()} = None", f"del {part()}.{name()}", "net.a.weight = net.b.weight",
            "net.again = net.b", "net.b = Part(2)", "other = copy.deepcopy(net)",
            "s = net.state_dict()", "s = copy.deepcopy(net.state_dict())", "s = other.state_dict()",
            "s.pop(next(iter(s)))", "s['new'] = torch.ones(1)", "s['a.bias'] = torch.ones(3)",
            "s[next(iter(s))].fill_(7.0)", "net.load_state_dict(s)", "other.load_state_dict(s)",
            "found = net.load_state_dict(s, strict=False)", "net.scale.data.mul_(2)",
            f"{part()}.train({r.choice((True, False))})",
            f"{part()}.eval()", "net.zero_grad(set_to_none=True); net.requires_grad_(False)",
            f"{part()}.requires_grad_()",
            "net.zero_grad()", f"{part()}.zero_grad(set_to_none=True)", "net(x).sum().backward()",
            "other(x).sum().backward()", f"{part()}.apply(lambda m: order.append(type(m).__name__))",
            "h = net.b.register_forward_hook(lambda m, i, o: o * 2)",
            "h = net.a.register_forward_pre_hook(lambda m, i: (i[0] + 1,))",
            "h = net.a.register_forward_hook(lambda m, i, o: order.append(tuple(o.shape)))",
            # which removes itself or another, or adds one, while hooks are called
            f"h = {part()}.register_forward_hook(lambda m, i, o: h.remove())",
            f"h = {part()}.register_forward_pre_hook(lambda m, i: h.remove())",
            "h, k = (net.a.register_full_backward_hook(lambda *_: order.append('back') or h.remove()) for _ in 'hk')",
            "for _ in 'ab': net.a.register_full_backward_hook(lambda m, *_: m.register_full_backward_hook(lambda *_: order.append('back')) and None)",
            "net.a.register_forward_hook(lambda m, *_: m.register_forward_hook(lambda *_: order.append('late')) and None)",
            "net.b.register_forward_pre_hook(lambda m, *_: m.register_forward_pre_hook(lambda *_: order.append('late')) and None)",
            "h.remove()", "net.rows.append(Part(2).requires_grad_(False))",
            "net.rows[0] = nn.Identity()", "net.add_module('more', Part(1))",
            "y = list(net.rows.parameters())[0]", "y = net.get_submodule('rows.1')",
            "net.b.seen.add_(1)", "net.b.seen = net.b.seen + 1"))
    yield "y = net(x)"


def of_module(m):
    if not isinstance(m, nn.Module):
        return type(m).__name__
    return "; ".join((
        *(f"{n} {digits(p.tolist())} {p.requires_grad} {p.grad is not None and digits(p.grad.tolist())}"
        for n, p in m.named_parameters()),
        *(f"{n} {digits(b.tolist())}" for n, b in m.named_buffers()), *m.state_dict(),
        *(f"{n} {type(c).__name__} {c.training}" for once in (True, False) for n, c in m.named_modules(remove_duplicate=once))))


# ---- Gradients and hooks

kept = []  # nodes, whose hooks would go with them


def packs(order, n):
    return torch.autograd.graph.saved_tensors_hooks(
        lambda t: order.append(f"packs {n}") or t, lambda t: order.append(f"unpacks {n}") or t)


def after(x, hook):
    """hook(x) runs once x.grad has grown; of torch 1.13 at its node."""
    if hasattr(x, "register_post_accumulate_grad_hook"):
        return x.register_post_accumulate_grad_hook(hook)
    with torch.enable_grad():
        kept.append(x.expand_as(x).grad_fn.next_functions[0][0])
    return kept[-1].register_hook(lambda *_: hook(x))


def hook_program(r):
    yield "order, x, w = [], filled(2, 2).requires_grad_(), filled(2, begin=1.5).requires_grad_()"
    yield "h = x * w; y = torch.tanh(h).sum() + h.sum(); i = j = k = h.register_hook(lambda g: None)"
    hooks = ("lambda g: g * 2", "lambda g: order.append(digits(g.tolist()))", "lambda g: None",
        "lambda g: g[0] if False else g + 1")
    grads = r.random() < 0.5  # then no hooks on leaves: whether these see them depends on torch's version
    for _ in range(r.randint(3, 10)):
        of = r.choice(("h", "y") if grads else ("x", "w", "h", "y"))
        grad = lambda f: f if grads else "c = y.item()"
        yield r.choice((
            f"k = {of}.register_hook({r.choice(hooks)})", f"j = {of}.register_hook({r.choice(hooks)})",
            # which removes itself or the other, or adds one, while it is called
            f"k = {of}.register_hook(lambda g: k.remove())", f"k = {of}.register_hook(lambda g: j.remove())",
            f"j = {of}.register_hook(lambda g: {of}.register_hook(lambda g: g * 7) and None)",
            # after a gradient was added
            "i = after(x, lambda x: order.append(digits(x.grad.tolist())))", "i = after(x, lambda x: i.remove())",
            "i = after(x, lambda x: after(x, lambda x: order.append('late')) and None)", "i.remove()",
            f"y.backward(inputs={r.choice(('x', '[w, x]', '[w]'))}, retain_graph=True)",
            "with packs(order, 1): h = x * w; y = torch.tanh(h).sum()",
            "with packs(order, 1), packs(order, 2): h = x * w\nwith packs(order, 3): y = (h * h).sum()",
            "k.remove()", "j.remove()", f"{of}.retain_grad()", "y.backward(retain_graph=True)",
            "y.backward()", "h.sum().backward(retain_graph=True)", f"{of}.grad = None",
            "x.grad.zero_()", "x.grad.mul_(3)", "w.grad = torch.ones(2)", "w.grad = torch.ones(3)",
            "h = x * w; y = (h * h).sum()", "h = (x + w).detach(); y = h.sum()",
            "x.requires_grad_()", "h.requires_grad_(False)",
            "c = copy.deepcopy(x)", "c = copy.deepcopy(h)", "c = x.data; c = c.clone().add_(1)",
            "c = x.detach(); c.mul_(2)", "h.backward(torch.ones(2, 2), retain_graph=True)",
            "h.backward()", grad("c = torch.autograd.grad(y, [x, w], retain_graph=True)"),
            grad("c = torch.autograd.grad(y, w)"), grad("c = torch.autograd.grad(y, [w, x], allow_unused=True)"),
            "with torch.no_grad(): h = x * 3; y = h.sum()", "with torch.no_grad(): x.add_(1)",
            "torch.autograd.backward([y], retain_graph=True)", "c = y.item()"))


def of_gradients(env):
    return "; ".join(f"{n} {shown(env[n])} {env[n].is_leaf} grad {env[n].is_leaf and shown(env[n].grad)}"
        for n in "xwhy" if n in env) + f"; {env['order']}; c {shown(env.get('c'))}"


KINDS = {  # what draws a program, and what is shown of it
    "module": (module_program, lambda e: "; ".join((
        of_module(e["net"]), of_module(e.get("other")), str(e["order"]), shown(e.get("y")) if isinstance(
            e.get("y"), torch.Tensor) else "", repr(e.get("found", "")), " ".join(e["s"])))),
    "hook": (hook_program, of_gradients),
    "function": (function_program, of_function),
    "mode": (mode_program, lambda e: str(e["order"])),
    "container": (container_program, of_container),
    "dtype": (dtype_program, lambda e: "; ".join(shown(e.get(n)) for n in "abc") + f"; {shown(e['x'].grad if 'x' in e else 0)}"),
    "array": (array_program, of_arrays),
    "index": (index_program, lambda e: "; ".join(shown(e.get(n)) for n in "xyz") + f"; {shown(e['x'].grad)}"),
}

for seed in range(first, first + count):
    ledger(seed % 2 == 1)  # which changes nothing
    r = random.Random(seed)
    kind = r.choice(list(KINDS))
    draw, show = KINDS[kind]
    env, said = dict(globals()), []
    for line in draw(r):
        try:
            exec(line, env)
        except Exception as error:
            missing = isinstance(error, RuntimeError) and "not implemented for" in str(error)
            said.append(f"{line} -> {'not in torch' if missing else type(error).__name__}")
            if "-v" in sys.argv:
                said[-1] += f" {str(error)[:120]!r}"
            if any(word in line for word in HALF_DONE):
                break
        else:
            said.append(line)
    try:
        refused = "-> " in said[-1] and any(word in said[-1] for word in HALF_DONE)
        shows = "refused" if refused else show(env)
    except Exception as error:
        shows = f"{type(error).__name__} {error}"
    torch.set_grad_enabled(True)
    print(f"{seed} {kind}: " + (" | ".join(said) + " => " + shows).replace("\n", "\\n"))
