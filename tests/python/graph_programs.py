# Random programs about what is recorded: Functions of one's own, and modes. And about containers of modules.
# state_programs.py runs them.
import torch

from shown import shown

# ---- Functions of one's own

OUTPUTS = {"a": 1, "a * b": 1, "(a * b, a + 1)": 2, "(a.clone(), b * 2)": 2, "(b * a, a.long())": 2,
    "(a + b, a * 3, (a > 0).float())": 3, "(t := a * b, t)": 2}
GRADIENTS = ("g * 2, g * 3", "g, g", "g, None", "None, g", "g * 2 if needs[0] else None, g if needs[1] else None",
    "g * s[0], g * s[-1]", "g + 1, g.clone()")


def function_program(r):
    made = r.choice(list(OUTPUTS))
    n = OUTPUTS[made]
    part = lambda: "y" if n == 1 else f"y[{r.randrange(n)}]"
    yield (f"order, fails, x, w = [], False, filled(2, 2).requires_grad_({r.random() < 0.8}), "
        f"filled(2, 2, begin=1.5).requires_grad_({r.random() < 0.6})")
    saved = r.sample(("a", "b", "None", "a * 2", "y" if n == 1 else "y[0]"), r.randint(1, 3))
    options = r.sample(("ctx.set_materialize_grads(False)", f"ctx.mark_non_differentiable({part()})", "0"),
        r.randint(0, 2))
    gs = " ".join(f"g{k}," for k in range(n))
    yield f"""class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        y = {made}
        ctx.save_for_backward({", ".join(saved)}); {"; ".join(options)}
        return y
    @staticmethod
    {r.choice(("", "", "@torch.autograd.function.once_differentiable"))}
    def backward(ctx, {gs}):
        needs, s = ctx.needs_input_grad, [t for t in ctx.saved_tensors if t is not None] or [torch.ones(2, 2)]
        if fails: raise KeyError
        order.append((needs, [g is not None and (g.dtype, digits(g.tolist())) for g in ({gs})], len(ctx.saved_tensors)))
        g = sum((g for g in ({gs}) if g is not None), torch.zeros(2, 2))
        return {r.choice(GRADIENTS)}"""
    # A write to x loses a view of it that a Function made.
    writes = "c = 0" if made == "a" else "with torch.no_grad(): x.add_(1)"
    yield "y = Own.apply(x, w)"
    for _ in range(r.randint(2, 7)):
        yield r.choice(("y = Own.apply(w, x)", "y = Own.apply(x * 1, w)", "y = Own.apply(x, x)",
            *[f"{y}.sum().backward(retain_graph=True)" for y in (part(), part(), f"({part()} * {part()})")],
            f"({part()} * {part()}).sum().backward(retain_graph=True)", f"{part()}.sum().backward()",
            f"{part()}.grad_fn.register_hook(lambda dX, dY: order.append(len(dX)))\nfails = {r.random() < 0.7}\n"
            f"try: {part()}.sum().backward(retain_graph=True)\nexcept KeyError: fails = False",
            "x.grad.mul_(3)", "w.grad.zero_()", "x.grad = None", "w.requires_grad_(False)", writes, f"{part()}.mul_(2)",
            "with torch.no_grad(): y = Own.apply(x, w)", f"c = {part()}.is_leaf, {part()}.requires_grad",
            f"c = torch.autograd.grad({part()}.sum(), [x, w], allow_unused=True, retain_graph=True)",
            f"c = torch.autograd.grad(({part()} ** 2).sum(), [x], create_graph=True)",
            "c = torch.autograd.grad(c[0].sum(), [x], allow_unused=True)"))


def of_function(env):
    y = env.get("y")
    tensors = [x for x in (env["x"], env["w"], *(y if isinstance(y, tuple) else [y])) if isinstance(x, torch.Tensor)]
    return f"{env['order']} {[(shown(x), x.is_leaf and shown(x.grad)) for x in tensors]} {shown(env.get('c'))}"


# ---- Modes, in each other, as decorators of functions and generators, and left by an error

GUARDS = "torch.no_grad()", "torch.enable_grad()", "torch.inference_mode(False)"


def mode_program(r):
    def block(pad):
        for _ in range(r.randint(1, 3)):
            yield pad + "note()"
            kind, name = r.random() if len(pad) < 16 else 0, f"f{len(pad)}"
            if kind > 0.95:
                yield pad + f"torch.set_grad_enabled({r.random() < 0.5})"
            elif kind > 0.6:
                yield pad + f"@{r.choice(GUARDS)}"
                yield pad + f"def {name}():"
                yield from block(pad + "    ")
                yields = kind > 0.8
                yield pad + ("    yield 1; note(); yield 2" if yields else "    return [1]")
                yield pad + f"for _ in {name}(): note()"
            elif kind > 0.2:
                yield pad + "try:"
                yield pad + "    with " + r.choice((*GUARDS, f"torch.set_grad_enabled({r.random() < 0.5})")) + ":"
                yield from block(pad + "        ")
                yield pad + f"        if {r.random() < 0.5}: raise KeyError"
                yield pad + "except KeyError: note()"
        yield pad + "note()"

    yield "order, x = [], torch.ones(2, requires_grad=True)"
    yield "def note(): order.append((torch.is_grad_enabled(), (x * 1).requires_grad))"
    yield "\n".join(block(""))
    yield "torch.set_grad_enabled(True)"


# ---- Containers

KINDS = {"nn.Sequential(*{})": 0, "nn.Sequential(collections.OrderedDict(zip('cab1', {})))": 1, "nn.ModuleList({})": 2,
    "nn.ParameterList({})": 3, "nn.ModuleDict(dict(zip('cabd', {})))": 4}


def container_program(r):
    made, kind = r.choice(list(KINDS.items()))
    n = r.randint(0, 4)
    modules = "ReLU", "Tanh", "ELU", "SiLU"
    one = lambda: f"nn.Parameter(torch.ones({r.randint(1, 5)}))" if kind == 3 else f"nn.{r.choice(modules)}()"
    row = lambda n: f"[{', '.join(one() for _ in range(n))}]"
    i = lambda: r.randint(-n - 1, n + 1)
    k = lambda: repr(r.choice("abcd"))
    cut = lambda: r.choice((f"{i()}:{i()}", f"{i()}:", f":{i()}"))
    yield "m = " + made.format(row(n))
    for _ in range(r.randint(1, 5)):
        statements = [f"m[{i()}] = {one()}", f"y = m[{i()}]", f"y = m[{cut()}]", f"y = m[{cut()}]",
            f"m.append({one()})", f"m.extend({row(2)})"]
        if kind < 3:
            statements += [f"del m[{i()}]", f"del m[{cut()}]", "m.append(3)", "m[0] = 3"]
        if kind == 0:
            statements += [f"m.insert({i()}, {one()})", "m.insert(0, 3)"]
        if kind == 2:
            statements += [f"m += {row(2)}", f"m.insert(min({abs(i())}, len(m)), {one()})"]
        if kind == 4:
            statements = [f"m[{k()}] = {one()}", f"m.pop({k()})", f"del m[{k()}]", f"y = m[{k()}]", f"y = {k()} in m",
                f"m.update({{{k()}: {one()}, {k()}: {one()}}})", f"m.update([({k()}, {one()})])", f"m[{k()}] = 3",
                "m.clear()"]
        yield r.choice(statements)


def of_container(env):
    return f"{env['m']} {env.get('y')} {[type(x).__name__ for x in env['m']]} {len(env['m'])}"
