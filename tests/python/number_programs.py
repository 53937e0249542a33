# Random programs about numbers: dtypes, arrays and indices. state_programs.py runs them.
import numpy as np
import torch

from shown import digits, shown

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
DTYPES = (*FLOATS, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool)

OF_ONE = """neg abs sqrt exp sigmoid relu round tanh log floor logical_not square sqrt sign trunc sin ceil
erf""".split()
WRITTEN = "neg abs sqrt exp sigmoid relu round tanh log cos tan exp2 sqrt log2 expm1 sin log1p erf".split()
REDUCED = "sum mean amax amin any all argmax argmin std var".split()
NEW = """zeros_like(a) ones_like(a) rand_like(a).shape zeros(2,3) ones((2,),dtype=torch.int64) eye(3) full((2,),{n}) tensor({n})
linspace(0,1,5) tensor([[1,2],[3,4.5]]) tensor([[1],[2,3]]) tensor([True,False]) randint(3,4,(2,)) FloatTensor([1,2])
arange(0,1,0.25) allclose(a,a)""".split()
OF_TWO = "remainder remainder floor_divide bitwise_and floor_divide sub eq".split()


def filled(*shape, begin=0.25, step=0.5):
    n = 1
    for size in shape:
        n *= size
    return torch.tensor([begin + step * (i % 5) - i % 3 for i in range(n)]).reshape(shape)


# ---- Dtypes


def dtype_program(r):
    def made():
        dtype = r.choice(DTYPES)
        shape = r.choice(((2,), (2,), (), (1, 2), (2, 1), (1, 2, 1), (0,)))
        begin = r.choice((-2.5, 1.0, 3.0) if dtype.is_floating_point or r.random() < 0.6 else (100.0, 120.0, 200.0))
        return f"filled(*{shape}, begin={begin if dtype != torch.uint8 else abs(begin) + 2}, step={r.choice((1.0, 0.5))}).to({dtype})"

    yield f"a, b = {made()}, {made()}"
    n = r.choice(("True", "2", "1.5", "-1", "0.5"))
    for _ in range(r.randint(3, 7)):
        c = r.choice("ab")
        yield r.choice((
            "c = a + b", "c = a * b", "c = b - a", "c = a / b", "c = a == b", "c = a > b",
            "c = a - b", "c = a // b", "c = a % b", "c = a & b", "c = a | b", "c = a ^ b", f"c = -{c}", f"c = ~{c}", "c = a >= b",
            "c = a.maximum(b)", f"c = {c}.clamp({n}, 3)", f"c = torch.where(a > b, {c}, {n})", "a.sub_(b)",
            f"c = {c}.abs()", f"c = {c}.sort()[0]", f"c = {c}.prod()", f"c = {c}.sign()", f"c = {c} // 3",
            f"c = {c} % 7", f"c = {c} << 1", f"c = {c} >> 1", f"c = {c} - {n}", f"a.masked_fill_(a > b, {n})", "c = a.float().to(b.dtype)",
            f"c = {c}.sum(dtype={r.choice(DTYPES)})", f"c = {c}.max(0).indices", f"a += {n}", f"a //= {n}", f"a.{r.choice(WRITTEN)}_()", f"a.{r.choice(OF_TWO)}_({n})",
            f"c = {c}.repeat(2).flip(0)", f"c = torch.tensor({n}, dtype={r.choice(DTYPES)}) + {c}", f"a[..., 0] = {n}", "a[..., 0] = b.max()",
            "c = a != b", "c = a < b", "c = a <= b", f"c = {n} - {c}", f"c = {n} // {c}", f"c = {n} / {c}", f"c = {n} & {c}", f"c = {n} == {c}",
            f"c = {c}.{r.choice(OF_ONE)}()", f"c = {c}.{r.choice(REDUCED)}(-1, keepdim={r.choice((True, False))})", "c = torch.minimum(a, b)",
            f"c = torch.{r.choice(NEW).format(n=n)}", f"c = {c}.masked_fill(a > b, {n})", "a.mul_(b)", "c = torch.where(a > b, a, b)",
            f"c = {c}.isfinite()", f"c = {c}.cumsum(0)", f"c = a.add(b, alpha={n})", f"a.sub_(b, alpha={n})", "c = a.clamp(max=b)", "c = a.clamp(min=b)",
            f"c = {c}.mean()", f"c = {c}.std()", f"c = {c}.exp()", f"c = {c}.round()", f"c = {c}.float().softmax(-1)", f"c = {c}.min()",
            f"c = {c} + {n}", f"c = {n} * {c}", f"c = {c} / {n}", f"c = {c} ** 2",
            "c = torch.cat([a.reshape(-1), b.reshape(-1)])", "c = torch.stack([a.reshape(-1)[:1], b.reshape(-1)[:1]])",
            f"c = {c}.sum()", f"c = {c}.float().mean()", f"c = {c}.cumsum(-1)", f"c = {c}.max()",
            f"c = {c}.to({r.choice(DTYPES)})", f"c = torch.zeros_like({c})", f"c = torch.full_like({c}, {n})",
            f"c = {c}.new_ones(2)", f"c = {c}.new_tensor([1, 0])", "a = a.type_as(b)", "a.add_(b)",
            f"a.mul_({n})", f"a.fill_({n})", "a.copy_(b)", "c = a.dtype.is_floating_point",
            f"c = {c}.element_size()", f"c = {c}.type()", f"c = {c}.tolist()", f"c = {c}.bool().any()",
            "c = a.half().float() if a.dtype != torch.bool else a", f"c = abs({c}.float()).int()",
            f"c = torch.tensor([{c}.reshape(-1)[0].item(), 1])", f"c = {c}.reshape(-1)[0] + b",
            "c = torch.equal(a, b) if a.shape == b.shape and a.dtype == b.dtype else 0",
            f"c = torch.arange({r.choice(('3', '2.5', '-2, 2', '-1, 1, 0.5', '3, -3, -2'))})"))
    if r.random() < 0.3:
        yield f"x = filled(*{r.choice(((2,), (), (1, 2), (2, 1)))}, begin={r.choice((-2.5, 1.0))}).to({r.choice(FLOATS)}).requires_grad_()"
        y = r.choice(("x * a", "a - x", "x / a", "a / x.float()", "torch.where(b > 0, x, a)", "x % a", "x % a", "a % x", "x // a", "x.maximum(a)",
            "x.float().addcmul(a, b)", "torch.xlogy(a, x.float())"))
        yield f"c = {y}; (c.float() * filled(*c.shape)).sum().backward()"


# ---- Arrays


def array_program(r):
    dtype = r.choice(("float32", "float32", "float16", "int64", "int32", "bool"))
    yield f"a = np.array([[1, 0, 3], [-2, 5, 1]]).astype('{dtype}')" + r.choice(
        ("", "", ".T", "[:, ::2]", "[1:]", "[0]", "[0, 1]", ".copy(order='F')"))
    yield r.choice(("t = torch.from_numpy(a)", "t = torch.tensor(a)", "t = torch.as_tensor(a)",
        "t = torch.tensor([a, a])", "t = torch.from_numpy(np.ascontiguousarray(a))"))
    for _ in range(r.randint(2, 6)):
        yield r.choice((
            "a = t.numpy()", "a = np.array(t)", "a = np.asarray(t)", "a = t.detach().numpy()",
            "a = np.array(t, dtype='float32')", "t = torch.tensor(a)", "t = torch.as_tensor(a)",
            "t = t.to(torch.float32)", "t = t.half()", "t = t.bfloat16()", "t = t.long()", "t = t.bool()",
            "a = a + a", "a = a.astype('float32')", "a = a.T", "t = t.clone()", "t = t + 1",
            "a = np.float32([1, 2]) * t.float().sum().item()", "t = torch.tensor(list(a.reshape(-1)))",
            "t = torch.tensor(a.tolist())", "t = t.t() if t.dim() == 2 else t",
            "t = t.float().requires_grad_()", "a = t.tolist()", "a = np.stack([t.detach(), t.detach()])",
            "t = torch.tensor(np.int64(3))", "t = torch.tensor(np.float32(0.5))", "t = torch.tensor(np.bool_(1))",
            "t = torch.from_numpy(a)"))


def of_arrays(env):
    a, t = env["a"], env.get("t")
    return f"{a.dtype} {a.shape} {digits(a.tolist())}; {shown(t)}" if isinstance(a, np.ndarray) else \
        f"{digits(a) if isinstance(a, list) else a}; {shown(t)}"


# ---- Indices


def index_program(r):
    shape = [r.choice((1, 2, 3, 4, 5)) for _ in range(r.randint(1, 4))]
    yield f"x = torch.arange({float(torch.Size(shape).numel())}).reshape({shape})" + r.choice(
        ("", ".requires_grad_()", ".long()"))
    tensors = r.choice((0, 1, 1, 2))
    parts = []
    rows = r.choice(("[2]", "[1]", "[2, 1]"))
    for size in shape:
        kind = r.choice(("slice", "slice", "int", "tensor", "mask", "list", "new", "all"))
        if kind in ("tensor", "mask", "list") and tensors == 0:
            kind = "slice"
        if kind in ("tensor", "mask", "list"):
            tensors -= 1
        if kind == "new" and parts.count("None") < 2:  # of up to six dimensions in all
            parts.append("None")
        kind = "slice" if kind == "new" else kind
        parts.append({
            "slice": lambda: r.choice((
                f"{r.randint(-size - 2, size + 2)}:{r.randint(-size - 2, size + 2)}",
                f"{r.randint(-size - 2, size + 2)}:", f":{r.randint(-size - 2, size + 2)}",
                f"{r.randint(-size, size)}::2", "::3")),
            "int": lambda: str(r.randint(-size, size - 1)),
            "all": lambda: ":",
            "list": lambda: str([r.randint(-size, size - 1) for _ in range(2)]),
            "mask": lambda: f"torch.tensor({[r.random() < 0.5 for _ in range(size)]})",
            "tensor": lambda: f"torch.tensor({[r.randint(-size, size - 1) for _ in range(2)]}).reshape({rows})"
                              if rows != "[1]" else f"torch.tensor([{r.randint(-size, size - 1)}])",
        }[kind]())
    parts = parts[:r.randint(1, len(parts))]
    if r.random() < 0.3:
        parts.insert(r.randint(0, len(parts)), "...")
    place = ", ".join(parts)
    yield f"y = x[{place}]"
    yield r.choice((
        f"z = x.detach().clone(); z[{place}] = -1", f"z = x.detach().clone(); z[{place}] = z[{place}] + 1",
        f"z = x.detach().clone(); z[{place}] += 10", f"z = torch.cat([x[{place}], x[{place}]])", f"z = x[{place}].tolist()"))
    yield "(y.float() * filled(*y.shape)).sum().backward()"
