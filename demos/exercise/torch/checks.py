"""The exercises' checks, for PyTorch and for stepgrad.

A check is a list of parts. A part is one call of the student's function, which answers with tensors and a
text, and a judge of that answer. In a notebook both happen here. When C++ is checked or a class is graded, a
process that has the student's code makes the calls: of C++, calls.cpp, by requests; of Python, main() here. It
writes down the answers, as lines, and another process judges them."""
import contextlib
import math
import random
import re
import sys

import torch
import torch.nn.functional as F

MAX_NUMEL = 100_000


class Wrong(Exception):
    """One sentence about the first error."""


class Draws:
    """The sizes and numbers of one run: the same for the same seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.phase = self.number(0, 999) / 100

    def number(self, least, most):
        return least + int(self.random.random() * (most - least + 1))

    def sizes(self, count, least=2, most=6):
        """As many different numbers, in random order."""
        return self.random.sample(range(least, most + 1), count)

    def tensor(self, shape, seed=0):
        """Unequal numbers of a size between 0.25 and 1.5, so that no error is lost at one near 0."""
        each = [math.sin(self.phase + 1.3 * i + 2.1 * seed) for i in range(math.prod(shape))]
        return torch.tensor([1.25 * x + math.copysign(0.25, x) for x in each]).reshape(shape)

    def mask(self, *shape):
        """Ones and zeros; each row of the last dimension has both."""
        mask = torch.tensor([float(self.number(0, 1)) for _ in range(math.prod(shape))]).reshape(-1, shape[-1])
        for row in mask:
            zero = self.number(0, shape[-1] - 1)
            row[zero - 1], row[zero] = 1, 0
        return mask.reshape(shape)


# ---- Requests and answers, as lines of words. A tensor: its number of sizes, its sizes, its values.


def text_of(x):
    if x is None:
        return "-1"
    if not isinstance(x, torch.Tensor):
        raise Wrong(f"the result is {str(x):.80} and no tensor")
    if x.numel() > MAX_NUMEL:
        raise Wrong("the result is much too large")
    return " ".join(map(str, [x.dim(), *x.shape, *map(float, x.detach().flatten().tolist())]))


def read_tensor(words):
    """(shape, values), or None if it is undefined."""
    dims = int(next(words))
    if dims < 0:
        return None
    shape = [int(next(words)) for _ in range(min(dims, 9))]
    if min(shape, default=0) < 0 or math.prod(shape) > MAX_NUMEL:
        raise ValueError
    return shape, [float(next(words)) for _ in range(math.prod(shape))]


def answer_of(part, functions):
    """"is", the number of tensors, the tensors and the text; or "fails" and a sentence."""
    try:
        tensors, text = part.call(functions)
        line = " ".join(["is", str(len(tensors)), *map(text_of, tensors), text])
    except Exception as error:  # any error of the student's
        line = f"fails {error}" if str(error) else f"fails {type(error).__name__}"
    return " ".join(line.split())


def read_answer(line, what):
    how, _, text = line.partition(" ")
    if how == "fails":
        raise Wrong(f"{what}: {text}")
    words = iter(text.split(" "))
    return [read_tensor(words) for _ in range(min(int(next(words)), 99))], " ".join(words)


# ---- Parts


class Part:
    """call(functions) answers; judge(tensors, text) raises Wrong. `numbers` and `tensors` are the request."""

    def __init__(self, what, call, judge, numbers=(), tensors=()):
        self.what, self.call, self.judge = what, call, judge
        self.numbers, self.tensors = numbers, tensors

    def request(self):
        return " ".join(map(str, [len(self.numbers), *self.numbers, len(self.tensors),
            *map(text_of, self.tensors)]))


def near(found, wanted, tolerance=1e-4):
    """Not infinite unless it should be: the tolerance depends on the right value alone."""
    return found == wanted or (math.isfinite(wanted)
        and abs(found - wanted) <= tolerance * max(1, abs(wanted)))


def is_not(what, found, wanted):
    """The sentence about the first wrong element, its index and the right value; None if all are right.
    `found`: (shape, values); `wanted`: a tensor."""
    if found is None:
        raise Wrong(f"{what} is undefined")
    shape, values = found
    if shape != list(wanted.shape):
        raise Wrong(f"{what} has the shape {shape} and should have {list(wanted.shape)}")
    for i, (a, b) in enumerate(zip(values, wanted.detach().flatten().tolist())):
        if not near(a, b):
            index = []
            for size in reversed(shape):
                index.insert(0, i % size)
                i //= size
            return f"{what}: element {index} is {a:g} and should be {b:g}", tuple(index), b
    return None


def typical(found, wanted, mistakes, given_by):
    """Which mistake gives these wrong values, or by which factor all of them are off, if any.
    `mistakes`: pairs of words ("without the ReLU") and a function."""
    for how, f in mistakes:
        with contextlib.suppress(Exception):  # not for inputs of these shapes
            if is_not("", found, given_by(f)) is None:
                return f"; this is what you get {how}"
    numbers = wanted.detach().flatten().tolist()
    largest = max(range(len(numbers)), key=lambda i: abs(numbers[i]))
    factor = found[1][largest] / numbers[largest] if numbers[largest] else 0
    if len(numbers) > 1 and factor and math.isfinite(factor) and not is_not("", found, wanted * factor):
        return f"; each element is {factor:g} times what it should be"
    return ""


def check_values(what, found, wanted, mistakes=(), given_by=lambda f: f()):
    if wrong := is_not(what, found, wanted):
        raise Wrong(wrong[0] + typical(found, wanted, mistakes, given_by))


def differentiated(f, inputs, dY):
    """y = f(inputs), the inputs afterwards, their gradients for dY; and the node that y comes from."""
    leaves = [x.clone().requires_grad_() for x in inputs]
    y = f(*leaves)
    from_node = ""
    if isinstance(y, torch.Tensor) and y.requires_grad:
        from_node = y.grad_fn.name() if y.grad_fn else "a leaf"
        if y.shape == dY.shape:
            y.backward(dY)
    return [y, *(x.detach() for x in leaves), *(x.grad for x in leaves)], from_node


def slope(f, inputs, dY, input, index):
    """The derivative of Σ dY∘f(inputs) by an element of an input, by central differences."""
    h, sums = 1 / 64, []
    for moved in (h, -h):
        x = [each.clone() for each in inputs]
        x[input][index] += moved
        with torch.no_grad():
            sums.append((f(*x) * dY).sum().item())
    return (sums[0] - sums[1]) / (2 * h)


def compare(draw, what, wanted, op=None, mistakes=(), call=lambda f, *inputs: f(*inputs), numbers=(),
        also=(), **inputs):
    """A part: a function and its gradients for these inputs, beside `wanted`, by torch. `op`: the node's name,
    if it is an op; `call`: how the student's functions are called; `numbers`, `also`: what else C++ needs."""
    names, x = list(inputs), list(inputs.values())
    with torch.no_grad():
        dY = draw.tensor(wanted(*x).shape, 9)

    def judge(tensors, from_node):
        right, _ = differentiated(wanted, x, dY)
        check_values(what, tensors[0], right[0], mistakes, lambda f: f(*x))
        if not from_node:
            raise Wrong(f"{what}: the result is not on the tape")
        if op and op.replace("_", "") not in from_node.replace("_", "").lower():
            raise Wrong(f"{what}: the result comes from {from_node}, and not from {op}")
        for i, name in enumerate(names):
            check_values(f"{what}: {name}, which was to stay", tensors[1 + i], x[i])
            at = 1 + len(names) + i
            if tensors[at] is None:
                raise Wrong(f"{what}: the gradient of {name} has not arrived")
            if wrong := is_not(f"{what}: the gradient of {name}", tensors[at], right[at]):
                sentence, index, number = wrong
                confirmed = slope(wanted, x, dY, i, index)
                if near(confirmed, number, 1e-2):
                    sentence += f" (by central differences {confirmed:g})"
                raise Wrong(sentence + typical(tensors[at], right[at], mistakes,
                    lambda f: differentiated(f, x, dY)[0][at]))

    return Part(what, lambda functions: differentiated(lambda *inputs: call(*functions, *inputs), x, dY), judge,
        numbers, [*x, *also, dY])


def one_value(what, call, wanted, mistakes=(), numbers=(), tensors=()):
    """A part: call(functions) returns a tensor."""
    def judge(found, _):
        check_values(what, *found, wanted, mistakes)
    return Part(what, lambda functions: ([call(*functions)], ""), judge, numbers, tensors)


# ---- The exercises. calls.cpp makes the same calls.


def mul_backward(draw):
    n, m, k = draw.sizes(3)
    for what, a, b in (("a product", (n, m), (n, m)), ("a product with a row", (n, m), (m,)),
            ("a product of a row with numbers", (1, n), (m, 1)),
            ("a product of a batch", (n, m, k), (m, 1))):
        yield compare(draw, what, torch.mul, "my_mul",
            [("with A and B exchanged", lambda a, b: (a * a + b * b) / 2),
            ("with dY alone", lambda a, b: a + b)],
            A=draw.tensor(a, 1), B=draw.tensor(b, 2))
    yield compare(draw, "a product with zeros", torch.mul, A=torch.zeros(2), B=draw.tensor((2,), 1))
    yield compare(draw, "a square", lambda x: x * x, call=lambda my_mul, x: my_mul(x, x),
        A=draw.tensor((3,), 1))


def used_twice(draw):
    for what, shape in (("X + X·W", ()), ("X + X·W of some numbers", (draw.number(2, 6),))):
        yield compare(draw, what, lambda x, w: x + x * w, "my_residual",
            [("on the way through the product alone", lambda x, w: x * w),
            ("on the way around alone", lambda x, w: x + w)],
            X=draw.tensor(shape, 1), W=draw.tensor(shape, 2))


def matmul_backward(draw):
    n, m, k, b = draw.sizes(4)
    for what, a, b in (("A·B", (n, m), (m, k)), ("A·B of squares", (n, n), (n, n)),
            ("A·B of one row", (1, n), (n, m)), ("A·B with one column", (n, m), (m, 1)),
            ("A·B of a batch", (n, m, k), (k, b))):
        yield compare(draw, what, torch.matmul, "my_matmul",
            [("with B in place of Bᵀ", lambda a, b: a @ b.t()),
            ("with A in place of Aᵀ", lambda a, b: a.t() @ b),
            ("in the other order", lambda a, b: b @ a)],
            A=draw.tensor(a, 1), B=draw.tensor(b, 2))


def add_backward(draw):
    b, n, m = draw.sizes(3)
    for shape, of_y in (((n, m), (n, m)), ((1, m), (1, m)), ((m,), (n, m)), ((n, 1), (n, m)),
            ((), (n, m)), ((1, m), (b, n, m)), ((n, 1), (b, n, m)), ((b, 1, 1), (b, n, m))):
        a, dY = torch.zeros(shape, requires_grad=True), draw.tensor(of_y, 1)
        (a + torch.zeros(of_y)).backward(dY)
        yield one_value(f"summed_to(dY {list(of_y)}, {list(shape)})",
            lambda summed_to, dY=dY, shape=shape: summed_to(dY, torch.Size(shape)), a.grad,
            numbers=shape, tensors=[dY])


def relu_backward(draw):
    x = draw.tensor((draw.number(2, 6), draw.number(2, 6)), 1)
    yield compare(draw, "relu", torch.relu, "my_relu", [("with nothing cut off", lambda x: x * 1)], X=x)
    yield compare(draw, "relu at 0", torch.relu, None,
        [("with ≥ in place of >", lambda x: x.clamp(min=0))], X=torch.tensor([-1., 0., 2.]))
    yield compare(draw, "relu of large numbers", torch.relu, X=torch.tensor([-1e9, 1e9]))


def dropout(draw):
    def part(what, p, training, mask):
        return compare(draw, f"{what} with p = {p:g}", lambda x: x * mask / (1 - p) if training else x * 1,
            call=lambda drop, x: drop(x, mask, p, training), numbers=(p, int(training)), also=[mask],
            x=draw.tensor(mask.shape, 1))
    n, m = draw.number(2, 6), draw.number(2, 6)
    p, other = ((10 * draw.number(0, 8) + draw.number(1, 9)) / 100 for _ in range(2))
    yield part("in training", p, True, draw.mask(n, m))
    yield part("in training", other, True, draw.mask(draw.number(2, 6), draw.number(2, 6)))
    yield part("in training", 0, True, torch.ones(n, m))
    yield part("in training with nothing left", p, True, torch.zeros(n, m))
    yield part("in evaluation", other, False, draw.mask(n, m))


def feed_forward(draw):
    d, d_ff = draw.sizes(2)
    for what, x, b1 in (("FFN(x)", draw.tensor((draw.number(2, 4), draw.number(2, 4), d)), 0),
            ("FFN of one row", draw.tensor((1, d)), 0),
            ("FFN with a hidden layer of zeros", draw.tensor((2, d)), -100)):
        yield compare(draw, what,
            lambda x, w1, b1, w2, b2: F.linear(F.relu(F.linear(x, w1.t(), b1)), w2.t(), b2), None,
            [("without the ReLU", lambda x, w1, b1, w2, b2: (x @ w1 + b1) @ w2 + b2),
            ("with a ReLU at the end, too",
            lambda x, w1, b1, w2, b2: ((x @ w1 + b1).relu() @ w2 + b2).relu()),
            ("with the ReLU at the end alone",
            lambda x, w1, b1, w2, b2: ((x @ w1 + b1) @ w2 + b2).relu()),
            ("without the biases", lambda x, w1, b1, w2, b2: (x @ w1).relu() @ w2)],
            x=x, w1=draw.tensor((d, d_ff), 1), b1=draw.tensor((d_ff,), 2) + b1,
            w2=draw.tensor((d_ff, d), 3), b2=draw.tensor((d,), 4))


def sgd_step(draw):
    def part(lr):
        shapes = (draw.number(2, 5), draw.number(2, 5)), (2,), (draw.number(2, 5),)
        w, unused, b = before = [draw.tensor(shape, seed) for seed, shape in enumerate(shapes, 1)]
        dw, db = draw.tensor(w.shape, 4), draw.tensor(b.shape, 5)

        def call(functions):
            w, unused, b = all_of_them = [p.clone().requires_grad_() for p in before]
            w.grad, b.grad = dw.clone(), db.clone()
            functions[0](all_of_them, lr)
            leaves = sum(p.is_leaf and p.requires_grad for p in all_of_them)
            return [*all_of_them, w.grad, b.grad], str(leaves)

        def judge(tensors, leaves):
            mistakes = [("with + in place of −", lambda: w + lr * dw), ("without lr", lambda: w - dw)]
            for what, found, wanted in zip(
                    ("w", "a parameter without a gradient", "b", "the gradient of w", "the gradient of b"), tensors,
                    (w - lr * dw, unused, b - lr * db, dw, db), strict=True):
                check_values(f"{what} after a step with lr = {lr:g}", found, wanted, mistakes * (what == "w"))
            if leaves != "3":
                raise Wrong("a parameter is no leaf any more")

        return Part(f"a step with lr = {lr:g}", call, judge, [lr], [*before, dw, db])
    yield from map(part, (0.5, 0, draw.number(6, 9) / 10))


def find_the_nan(draw):
    def wanted(x):
        squares = (x * x).sum(-1)
        return torch.where(squares > 0, squares, torch.ones_like(squares)).sqrt() * (squares > 0)
    for what, x in (("lengths", draw.tensor((draw.number(2, 6), draw.number(2, 6)), 1)),
            ("lengths with a row of zeros", torch.tensor([[3., 4.], [0., 0.], [1., -1.]])),
            ("small lengths", torch.tensor([[3e-4, 4e-4]]))):
        yield compare(draw, what, wanted, call=lambda _, lengths, x: lengths(x), x=x)

    def judge(_, op):
        if op != "sqrt":
            raise Wrong(f"the op whose gradient is the first that is not finite is another one than '{op}'")
    yield Part("the op", lambda functions: ([], str(functions[0]())), judge)


def softmax_backward(draw):
    n, m, k = draw.sizes(3)
    for what, x in (("softmax", draw.tensor((n, m), 1)),
            ("softmax of a batch", draw.tensor((n, m, m), 1)),
            ("softmax with ties", torch.ones(2, 3)),
            ("softmax of rows of one", draw.tensor((k, 1), 1)),
            ("softmax of large numbers", torch.tensor([[1000., 999., -1000.]]))):
        yield compare(draw, what, lambda x: torch.softmax(x, -1), "my_softmax",
            [("when the row's sum is taken as fixed",
            lambda x: x.exp() / x.exp().sum(-1, keepdim=True).detach())], X=x)


def decoder_mask(draw):
    for n in (4, 1, 2, draw.number(5, 12)):
        wanted = torch.tensor([[float(j > i) for j in range(n)] for i in range(n)])
        yield one_value(f"the mask of {n}", lambda decoder_mask, n=n: decoder_mask(n), wanted,
            [("with rows and columns exchanged", wanted.t),
            ("with 0 and 1 exchanged", lambda wanted=wanted: 1 - wanted),
            ("with the diagonal masked, too", torch.ones(n, n).triu)], numbers=[n])


def attention(draw):
    def wanted(q, k, v, mask, over=-1):
        scores = torch.einsum("...id,...jd->...ij", q, k) / math.sqrt(q.size(-1))
        return torch.softmax(scores if mask is None else scores - 1e9 * mask, over) @ v

    def part(what, q, k, v, mask=None, by=1):
        return compare(draw, what, lambda q, k, v: wanted(q, k, v, mask), None,
            [("without the division by √d",
            lambda q, k, v: wanted(q * math.sqrt(q.size(-1)), k, v, mask)),
            ("without the mask", lambda q, k, v: wanted(q, k, v, None)),
            ("with a softmax over the queries", lambda q, k, v: wanted(q, k, v, mask, -2))],
            call=lambda attention, q, k, v: attention(q, k, v, mask), also=[mask],
            q=by * draw.tensor(q, 1), k=draw.tensor(k, 2), v=draw.tensor(v, 3))
    n, m, d, d_v = draw.sizes(4)
    batch = draw.number(2, 3)
    yield part("attention", (n, d), (m, d), (m, d_v))
    yield part("attention of a batch", (batch, m, d), (batch, m, d), (batch, m, d_v))
    yield part("attention with a decoder's mask", (n, d), (n, d), (n, d_v), torch.ones(n, n).triu(1))
    yield part("attention of a batch with a mask", (batch, n, d_v), (batch, m, d_v), (batch, m, d), draw.mask(n, m))
    yield part("attention of one query", (1, d_v), (m, d_v), (m, d))
    yield part("attention with large scores", (n, d), (m, d), (m, d_v), by=1000)


def normed(x, mean_is_fixed, weight, bias):
    mean = x.mean(-1, keepdim=True)
    c = x - (mean.detach() if mean_is_fixed else mean)
    deviation = ((c * c).mean(-1, keepdim=True) + 1e-5).sqrt()
    return c / (deviation if mean_is_fixed else deviation.detach()) * weight + bias


def layer_norm_backward(draw):
    n, m, k = draw.sizes(3, 3, 6)
    for what, x in (("layer norm", draw.tensor((n, m), 1)),
            ("layer norm of one row", draw.tensor((1, k), 1)),
            ("layer norm of a batch", draw.tensor((m, n, k), 1)),
            ("layer norm of almost equal numbers", 3e-3 * draw.tensor((n, m), 1)),
            ("layer norm of equal numbers", torch.ones(2, 3))):
        yield compare(draw, what, lambda x, w, b: F.layer_norm(x, w.shape, w, b), "my_layer_norm",
            [("when the row's mean is taken as fixed", lambda x, w, b: normed(x, True, w, b)),
            ("when the row's variance is taken as fixed", lambda x, w, b: normed(x, False, w, b))],
            x=x, weight=draw.tensor((x.size(-1),), 2), bias=draw.tensor((x.size(-1),), 3))


def sublayer(w, scale):
    """x -> scale · tanh(x·w), so that sublayers differ."""
    return lambda x: torch.tanh(x @ w) * scale


def no_feed_forward(draw):
    def wanted(x, attend, ffn, norm1, norm2):
        x = norm1(x + attend(x))
        return norm2(x + ffn(x)) if ffn else x

    def with_parts(block, x, attend, norm1, *second):
        ffn, norm2 = second or (None, norm1)
        return block(x, sublayer(attend, 0.5), ffn if ffn is None else sublayer(ffn, 0.7), sublayer(norm1, 0.9),
            sublayer(norm2, 1.1))
    mistakes = [("without the ways around", lambda x, a, f, n1, n2: n2(f(n1(a(x))))),
        ("with each norm before its part", lambda x, a, f, n1, n2: x + a(n1(x)) + f(n2(x + a(n1(x)))))]
    x, names = draw.tensor((draw.number(2, 5), 2)), ("the attention", "norm1", "the feed-forward", "norm2")
    for what, count in (("with a feed-forward", 4), ("without a feed-forward", 2)):
        weights = {f"{name}'s weight": draw.tensor((2, 2), i) for i, name in enumerate(names[:count], 1)}
        yield compare(draw, what, lambda *inputs: with_parts(wanted, *inputs), None,
            [(how, lambda *inputs, f=f: with_parts(f, *inputs)) for how, f in mistakes],
            call=with_parts, x=x, **weights)


def sequence_wise(draw):
    n, m, k = draw.sizes(3)
    for what, shape in (("the output", (n, m, k)), ("the output of a square", (n, m, m)),
            ("the output of one position", (n, 1, k))):
        yield compare(draw, what, lambda x, w: sublayer(w, 2)(x.transpose(1, 2)).transpose(1, 2), None,
            [("along the features", lambda x, w: sublayer(w, 2)(x))],
            call=lambda sequence_wise, x, w: sequence_wise(x, sublayer(w, 2)),
            x=draw.tensor(shape, 1), w=draw.tensor((shape[1], shape[1]), 2))


def overfit(draw):
    x = draw.tensor((2, 3, 8))
    target = F.layer_norm(draw.tensor((2, 3, 8), 5), (8,))
    weights = [draw.tensor((8, 32), 2) / 3, torch.zeros(32), draw.tensor((32, 8), 3) / 6, torch.zeros(8)]

    def block(x, w1, b1, w2, b2):
        return x + torch.tanh(x @ w1 + b1) @ w2 + b2

    def call(functions):
        parameters = [w.clone().requires_grad_() for w in weights]
        given, calls = [x.clone(), target.clone()], []
        functions[0](lambda x: (calls.append(1), block(x, *parameters))[1], parameters, *given)
        return [*given, *parameters], str(len(calls))

    def judge(tensors, calls):
        for what, found, wanted in zip(("x", "target"), tensors, (x, target)):
            check_values(f"{what}, which was to stay,", found, wanted)
        learnt = [torch.tensor(each[1]).reshape(w.shape) for each, w in zip(tensors[2:], weights, strict=True)]
        loss = F.mse_loss(block(x, *learnt), target).item()
        said = f"after {int(calls)} calls of block the loss is {loss:g}"
        if not loss < 0.01:
            raise Wrong(f"{said} and should be below 0.01")
        if int(calls) > 300:
            raise Wrong(f"{said}, but 300 calls were allowed")

    yield Part("training", call, judge, tensors=[x, target, *weights])


def gated_feed_forward(draw):
    d, d_ff = draw.sizes(2)

    def wanted(x, g, v, out):
        return ((x @ g) * torch.sigmoid(x @ g) * (x @ v)) @ out
    for what, n in (("SwiGLU", draw.number(2, 5)), ("SwiGLU of one row", 1)):
        yield compare(draw, what, wanted, None,
            [("with gate and value exchanged", lambda x, g, v, out: wanted(x, v, g, out)),
            ("with sigmoid in place of silu",
            lambda x, g, v, out: (torch.sigmoid(x @ g) * (x @ v)) @ out)],
            x=draw.tensor((n, d)), gate=draw.tensor((d, d_ff), 1),
            value=draw.tensor((d, d_ff), 2), out=draw.tensor((d_ff, d), 3))


def hidden_size(draw):
    def part(d_model, d_ff):
        def judge(_, found):
            count, width = (d_model + 1) * d_ff + (d_ff + 1) * d_model, 0
            while 3 * d_model * (width + 1) <= count:
                width += 1
            for what, said, wanted in zip(("parameters", "swiglu_width"), found.split(), (count, width), strict=True):
                if said != str(wanted):
                    without = "; this is what you get without the biases" * (said == str(2 * d_model * d_ff))
                    raise Wrong(f"{what}({d_model}, {d_ff}) is {said} and should be {wanted}{without}")
        return Part(f"sizes {d_model} and {d_ff}",
            lambda functions: ([], " ".join(str(f(d_model, d_ff)) for f in functions)), judge,
            [d_model, d_ff])
    for d_model in (16, 1, 3, draw.number(4, 40)):
        for d_ff in (16, 1, 7, draw.number(8, 90)):
            yield part(d_model, d_ff)


def mixture_of_experts(draw):
    def wanted(x, gate, experts, over=-1):
        weights = (x @ gate).exp()
        said = torch.stack([expert(x) for expert in experts], -1)
        return (said * (weights / weights.sum(over, keepdim=True)).unsqueeze(-2)).sum(-1)

    def with_experts(mixture, x, gate, *weights, **how):
        return mixture(x, gate, [sublayer(w, e) for e, w in enumerate(weights, 2)], **how)
    rows = draw.number(2, 5)
    for what, n, gate in (("three experts", rows, draw.tensor((2, 3), 1)),
            ("experts of another number", rows, draw.tensor((2, draw.number(4, 6)), 1)),
            ("three experts at one position", 1, draw.tensor((2, 3), 1)),
            ("three experts with even gates", rows, torch.zeros(2, 3)),
            ("one expert", rows, draw.tensor((2, 1), 1))):
        experts = {f"expert {e}'s weight": draw.tensor((2, 2), e + 2) for e in range(gate.size(1))}
        yield compare(draw, what, lambda *inputs: with_experts(wanted, *inputs), None,
            [("with a softmax over the rows", lambda *inputs: with_experts(wanted, *inputs, over=0))],
            call=with_experts, x=draw.tensor((n, 2)), gate=gate, **experts)


# ---- Checks


class Check:
    """An exercise's parts, drawn by a seed."""

    def __init__(self, exercise, seed):
        self.seed, self.parts = seed, list(globals()[exercise](Draws(seed)))

    def verdict(self, answers, ended=""):
        """"right", or why not. `answers`: their lines by the part's number; `ended`: why there are no others."""
        wrong = []
        for number, part in enumerate(self.parts, 1):
            try:
                if number not in answers:
                    raise Wrong(ended)
                part.judge(*read_answer(answers[number], part.what))
            except Wrong as error:
                wrong.append(str(error))
            except Exception:  # no words of an answer, not as many tensors, or not of these shapes
                wrong.append(f"{part.what}: its answer cannot be read")
        if not wrong:
            return "right"
        return f"not yet ({len(self.parts) - len(wrong)} of {len(self.parts)}, seed {self.seed}): {wrong[0]}"


def check(exercise, *functions, seed=None):
    """Whether an exercise's functions are right, or the first error. The shapes and numbers are
    drawn anew each time; a seed repeats those of the run that had it."""
    it = Check(exercise, random.randrange(1_000_000) if seed is None else seed)
    verdict = it.verdict({number: answer_of(part, functions) for number, part in enumerate(it.parts, 1)})
    return f"{exercise}: {verdict}" + "." * (verdict != "right")


def compiled(cell, file):
    """Jupyter's own lines, such as %time, x = !ls and f?, are skipped where Python cannot read them."""
    lines = cell.split("\n")
    while True:
        try:
            return compile("\n".join(lines), file, "exec")
        except SyntaxError as error:
            at = (error.lineno or 1) - 1
            own = re.match(r"([ \t]*)(?:(?:[\w., ]+=\s*)?[%!?]|[\w.]+\?)", "".join(lines[at:at + 1]))
            if not own:
                raise
            lines[at] = own[1] + "pass"


def main():
    """FUNCTIONS NAME SEED TOKEN: calls the functions that NAME.py defines, and writes the answers, each behind
    the token and its part's number. The file's cells stand behind "# %%"; an error in one counts if the functions
    are not there afterwards (first in a cell that would define one), or the cell has changed them."""
    functions, exercise, seed, token = sys.argv[1:]
    it, there, errors = Check(exercise, int(seed)), {"__name__": "__main__"}, []
    defines = re.compile(rf"\bdef ({functions.replace(', ', '|')})\b")

    def student():
        return [there.get(name) for name in functions.split(", ")]
    with open(f"{exercise}.py", encoding="utf-8") as file:
        cells = file.read().split("\n# %%\n")
    for cell in cells:
        before = student()
        try:
            exec(compiled(cell, f"{exercise}.py"), there)
        except Exception as error:  # any error of the student's part
            errors.append((defines.search(cell) is not None, error))
            if student() != before:
                there, errors = {}, [(True, error)]
                break
    if None in student():
        errors.sort(key=lambda each: each[0])
        error = errors[-1][1] if errors else NameError(f"{functions} is not defined")
        said = " ".join(f"the cells raise {type(error).__name__}: {error}".split())
        print(f"\n{token} 1 fails {said}", flush=True)
        return
    for number, part in enumerate(it.parts, 1):
        print(f"\n{token} {number} {answer_of(part, student())}", flush=True)
