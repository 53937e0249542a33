"""The checks of exercises.py, with the messages of those in C++, for PyTorch and for stepgrad."""
import contextlib
import json
import math
import random
import sys
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F


class Wrong(Exception):
    """One sentence about the first error."""


class Run:
    """One run of a check: the same seed draws the same. In a notebook it calls the student's
    functions, and compares. When a class is graded, it runs twice: the student's process calls them
    and writes down the answers, behind the token; the judge, a process that holds nothing of the
    student's, reads these, and decides."""

    def __init__(self, seed, token=None, ended=None):
        self.seed, self.token, self.ended = seed, token, ended
        self.random = random.Random(seed)
        self.phase = draw_from(self.random, 0, 999) / 100
        self.parts = self.right = 0
        self.first_wrong, self.lines = None, {}  # judge: the answers of each part

    def verdict(self):
        if self.right == self.parts:
            return "right"
        return f"not yet ({self.right} of {self.parts}, seed {self.seed}): {self.first_wrong}"


run = None


def draw_from(source, least, most):
    return least + int(source.random() * (most - least + 1))


def draw(least, most):
    """A whole number from least to most, another one in each run."""
    return draw_from(run.random, least, most)


def draw_sizes(count, least=2, most=6):
    """As many different numbers from least to most, in random order."""
    return run.random.sample(range(least, most + 1), count)


def drawn_mask(*shape):
    """Ones and zeros; each row of the last dimension has a zero."""
    mask = torch.tensor([float(draw(0, 1)) for _ in range(math.prod(shape))]).reshape(-1, shape[-1])
    for row in mask:
        row[draw(0, shape[-1] - 1)] = 0
    return mask.reshape(shape)


@contextlib.contextmanager
def part():
    """One of an exercise's parts, each of which counts."""
    run.parts += 1
    try:
        yield
        run.right += 1
    except Exception as error:  # any error of the student's
        if run.first_wrong is None:
            run.first_wrong = " ".join(str(error).split()) or type(error).__name__


def written(value):
    """What json can write of an answer."""
    if isinstance(value, torch.Tensor):
        if value.numel() > 100_000:
            raise Wrong("the result is much too large")
        return {"shape": list(value.shape), "values": value.detach().flatten().tolist()}
    return value if value is None or isinstance(value, (int, float, str)) else str(value)


def read(value):
    if not isinstance(value, dict):
        return value
    shape, values = value.get("shape"), value.get("values")
    if (not all(isinstance(each, list) for each in (shape, values))
            or not all(type(size) is int and size >= 0 for size in shape)
            or not all(isinstance(each, (int, float)) for each in values)
            or math.prod(shape) != len(values)):
        raise Wrong("its answer cannot be read")
    return torch.tensor([float(each) for each in values]).reshape(shape)


def answer(f):
    """What f returns, of the student's. The judge reads it."""
    if run.ended is not None:
        left = run.lines.get(run.parts)
        how, value = left.pop(0) if left else ("fails", run.ended)
        if how == "fails":
            raise Wrong(value)
        return read(value)
    if run.token is None:
        return f()
    try:
        value = f()
        how, said = "is", written(value)
    except Exception as error:
        how, said = "fails", str(error) or type(error).__name__
    print(f"\n{run.token} {json.dumps([run.parts, how, said])}", flush=True)
    if how == "fails":
        raise Wrong(said)
    return value


def numbers(shape, seed=0):
    """Unequal numbers between -1.5 and 1.5, others in each run."""
    each = [1.5 * math.sin(run.phase + 1.3 * i + 2.1 * seed) for i in range(math.prod(shape))]
    return torch.tensor(each).reshape(shape)


def zeros(*shape):
    return torch.zeros(*shape)


def near(found, wanted, tolerance=1e-4):
    """Not infinite unless it should be: the tolerance depends on the right value alone."""
    return found == wanted or (math.isfinite(wanted)
                               and abs(found - wanted) <= tolerance * max(1, abs(wanted)))


def is_not(what, found, wanted):
    """The sentence about the first wrong element, and its index."""
    if not isinstance(found, torch.Tensor):
        raise Wrong(f"{what} is {found} and no tensor")
    if found.shape != wanted.shape:
        shapes = list(found.shape), list(wanted.shape)
        raise Wrong(f"{what} has the shape {shapes[0]} and should have {shapes[1]}")
    pairs = zip(found.detach().flatten().tolist(), wanted.detach().flatten().tolist())
    for i, (a, b) in enumerate(pairs):
        if not near(a, b):
            index = []
            for size in reversed(found.shape):
                index.insert(0, i % size)
                i //= size
            return f"{what}: element {index} is {a:g} and should be {b:g}", tuple(index), b
    return None


def typical(found, wanted, mistakes, given_by):
    """Which mistake gives these wrong values, or by which factor all of them are off, if any.
    `mistakes`: pairs of words ("without the ReLU") and a function."""
    for how, f in mistakes:
        try:
            if is_not("", found, given_by(f)) is None:
                return f"; this is what you get {how}"
        except Exception:  # not for inputs of these shapes
            continue
    largest = wanted.abs().argmax()
    factor = (found.flatten()[largest] / wanted.flatten()[largest]).item() if wanted.any() else 0
    if found.numel() > 1 and factor and math.isfinite(factor) and not is_not("", found, wanted * factor):
        return f"; each element is {factor:g} times what it should be"
    return ""


def check_values(what, found, wanted, mistakes=(), given_by=lambda f: f()):
    if wrong := is_not(what, found, wanted):
        raise Wrong(wrong[0] + typical(found, wanted, mistakes, given_by))


def result(f, inputs):
    leaves = {name: x.clone().requires_grad_() for name, x in inputs.items()}
    y = f(*leaves.values())
    if isinstance(y, torch.Tensor) and y.requires_grad:
        y.backward(numbers(y.shape, 9))
    return y, leaves


def slope(f, inputs, name, index):
    """The derivative of Σ dY∘f(inputs) by an element of an input, by central differences."""
    h, sums = 1 / 64, []
    for moved in (h, -h):
        x = inputs[name].clone()
        x[index] += moved
        with torch.no_grad():
            y = f(*{**inputs, name: x}.values())
            sums.append((y * numbers(y.shape, 9)).sum().item())
    return (sums[0] - sums[1]) / (2 * h)


def compare(what, f, wanted, op=None, mistakes=(), **inputs):
    """Compares f and its gradients for these inputs with those of `wanted`, by torch. `op`: the
    node's expected name, if f is an op."""
    with part():
        right, right_leaves = result(wanted, inputs)
        found = {}

        def call():
            try:
                y, found["leaves"] = result(f, inputs)
            except Exception as error:  # any error of the student's part
                raise Wrong(f"{what}: {error}") from error
            found["y"] = y
            return y

        check_values(what, answer(call), right, mistakes, lambda g: g(*inputs.values()))
        on_tape = answer(lambda: origin(found["y"]))
        if not on_tape:
            raise Wrong(f"{what}: the result is not on the tape")
        if op and op not in on_tape:
            raise Wrong(f"{what}: the result comes from {on_tape}, and not from {op}")
        for name, x in inputs.items():
            check_values(f"{what}: {name}, which was to stay",
                         answer(lambda: found["leaves"][name].detach()), x)
            grad, should_be = answer(lambda: found["leaves"][name].grad), right_leaves[name].grad
            if grad is None:
                raise Wrong(f"{what}: the gradient of {name} has not arrived")
            if wrong := is_not(f"{what}: the gradient of {name}", grad, should_be):
                sentence, index, number = wrong
                confirmed = slope(wanted, inputs, name, index)
                if near(confirmed, number, 1e-2):
                    sentence += f" (by central differences {confirmed:g})"
                raise Wrong(sentence + typical(grad, should_be, mistakes,
                                               lambda g: result(g, inputs)[1][name].grad))
        if op:  # torch's own check; a float has few digits
            answer(lambda: agrees_with_differences(f, inputs))


def origin(y):
    """The node that y comes from; nothing if it is not on the tape."""
    return "" if not y.requires_grad else y.grad_fn.name() if y.grad_fn else "a leaf"


def agrees_with_differences(f, inputs):
    leaves = [x.clone().requires_grad_() for x in inputs.values()]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # which warns about it
        return torch.autograd.gradcheck(f, leaves, eps=1e-2, atol=1e-2, rtol=1e-2)


def mul_backward(my_mul):
    n, m, k = draw_sizes(3)
    for what, a, b in (("a product", (n, m), (n, m)), ("a product with a row", (n, m), (m,)),
                       ("a product of a row with numbers", (1, n), (m, 1)),
                       ("a product of a batch", (n, m, k), (m, 1))):
        compare(what, my_mul, torch.mul, "MyMul",
                [("with A and B exchanged", lambda a, b: (a * a + b * b) / 2),
                 ("with dY alone", lambda a, b: a + b)], A=numbers(a, 1), B=numbers(b, 2))
    compare("a product with zeros", my_mul, torch.mul, A=zeros(2), B=numbers((2,), 1))
    compare("a square", lambda x: my_mul(x, x), lambda x: x * x, A=numbers((3,), 1))


def used_twice(my_residual):
    for what, shape in (("X + X·W", ()), ("X + X·W of some numbers", (draw(2, 6),))):
        compare(what, my_residual, lambda x, w: x + x * w, "MyResidual",
                [("on the way through the product alone", lambda x, w: x * w),
                 ("on the way around alone", lambda x, w: x + w)],
                X=numbers(shape, 1), W=numbers(shape, 2))


def matmul_backward(my_matmul):
    n, m, k, b = draw_sizes(4)
    for what, a, b in (("A·B", (n, m), (m, k)), ("A·B of squares", (n, n), (n, n)),
                       ("A·B of one row", (1, n), (n, m)), ("A·B with one column", (n, m), (m, 1)),
                       ("A·B of a batch", (n, m, k), (k, b))):
        compare(what, my_matmul, torch.matmul, "MyMatmul",
                [("with B in place of Bᵀ", lambda a, b: a @ b.t()),
                 ("with A in place of Aᵀ", lambda a, b: a.t() @ b),
                 ("in the other order", lambda a, b: b @ a)], A=numbers(a, 1), B=numbers(b, 2))


def add_backward(summed_to):
    b, n, m = draw_sizes(3)
    for shape, of_y in (((n, m), (n, m)), ((1, m), (1, m)), ((m,), (n, m)), ((n, 1), (n, m)),
                        ((), (n, m)), ((1, m), (b, n, m)), ((n, 1), (b, n, m)),
                        ((b, 1, 1), (b, n, m))):
        with part():
            a, dY = torch.zeros(shape, requires_grad=True), numbers(of_y, 1)
            (a + torch.zeros(of_y)).backward(dY)
            check_values(f"summed_to(dY {list(of_y)}, {list(shape)})",
                         answer(lambda: summed_to(dY, torch.Size(shape))), a.grad)


def relu_backward(my_relu):
    def wanted(x):
        return torch.relu(x)
    x = numbers((draw(2, 6), draw(2, 6)), 1)  # the kink is not to be within a difference
    compare("relu", my_relu, wanted, "MyRelu", [("with nothing cut off", lambda x: x * 1)],
            X=x + 0.1 * x.sign())
    compare("relu at 0", my_relu, wanted, None,
            [("with ≥ in place of >", lambda x: x.clamp(min=0))], X=torch.tensor([-1., 0., 2.]))
    compare("relu of large numbers", my_relu, wanted, X=torch.tensor([-1e9, 1e9]))


def dropout(drop):
    n, m = draw(2, 6), draw(2, 6)
    p, other = draw(5, 95) / 100, draw(5, 95) / 100
    for what, p, training, mask in (
            ("in training", p, True, drawn_mask(n, m)),
            ("in training", other, True, drawn_mask(draw(2, 6), draw(2, 6))),
            ("in training", 0, True, torch.ones(n, m)),
            ("in training with nothing left", p, True, zeros(n, m)),
            ("in evaluation", other, False, drawn_mask(n, m))):
        compare(f"{what} with p = {p:g}", lambda x: drop(x, mask, p, training),
                lambda x: x * mask / (1 - p) if training else x * 1, x=numbers(mask.shape, 1))


def feed_forward(feed_forward):
    d, d_ff = draw_sizes(2)
    for what, x, b1 in (("FFN(x)", numbers((draw(2, 4), draw(2, 4), d)), numbers((d_ff,), 2)),
                        ("FFN of one row", numbers((1, d)), numbers((d_ff,), 2)),
                        ("FFN with a hidden layer of zeros", numbers((2, d)), numbers((d_ff,)) - 100)):
        compare(what, feed_forward,
                lambda x, w1, b1, w2, b2: F.linear(F.relu(F.linear(x, w1.t(), b1)), w2.t(), b2),
                None,
                [("without the ReLU", lambda x, w1, b1, w2, b2: (x @ w1 + b1) @ w2 + b2),
                 ("with a ReLU at the end, too",
                  lambda x, w1, b1, w2, b2: ((x @ w1 + b1).relu() @ w2 + b2).relu()),
                 ("with the ReLU at the end alone",
                  lambda x, w1, b1, w2, b2: ((x @ w1 + b1) @ w2 + b2).relu()),
                 ("without the biases", lambda x, w1, b1, w2, b2: (x @ w1).relu() @ w2)],
                x=x, w1=numbers((d, d_ff), 1), b1=b1, w2=numbers((d_ff, d), 3), b2=numbers((d,), 4))


def sgd_step(sgd_step):
    for lr in (0.5, 0, draw(1, 9) / 10):
        shapes = (draw(2, 5), draw(2, 5)), (draw(2, 5),), (2,)
        w, b, unused = (numbers(shape, seed) for seed, shape in enumerate(shapes, 1))
        before = [p.clone() for p in (w, b, unused)]
        dw, db = numbers(shapes[0], 4), numbers(shapes[1], 5)

        def leaves_after_a_step():
            for p in (w, unused, b):
                p.requires_grad_()
            w.grad, b.grad = dw.clone(), db.clone()
            sgd_step([w, unused, b], lr)
            return sum(p.is_leaf and p.requires_grad for p in (w, unused, b))

        with part():
            leaves, after = answer(leaves_after_a_step), f"after a step with lr = {lr:g}"
            for what, p, wanted in (("w", w, before[0] - lr * dw), ("b", b, before[1] - lr * db),
                                    ("a parameter without a gradient", unused, before[2])):
                mistakes = [("with + in place of −", lambda: before[0] + lr * dw),
                            ("without lr", lambda: before[0] - dw)] * (what == "w")
                check_values(f"{what} {after}", answer(p.detach), wanted, mistakes)
            for what, p, wanted in (("w", w, dw), ("b", b, db)):
                check_values(f"the gradient of {what} {after}", answer(lambda: p.grad), wanted)
            if leaves != 3:
                raise Wrong("a parameter is no leaf any more")


def find_the_nan(first_not_finite, lengths):
    def wanted(x):
        squares = (x * x).sum(-1)
        return torch.where(squares > 0, squares, torch.ones_like(squares)).sqrt() * (squares > 0)
    compare("lengths", lengths, wanted, x=numbers((draw(2, 6), draw(2, 6)), 1))
    compare("lengths with a row of zeros", lengths, wanted,
            x=torch.tensor([[3., 4.], [0., 0.], [1., -1.]]))
    compare("small lengths", lengths, wanted, x=torch.tensor([[3e-4, 4e-4]]))
    with part():
        if (op := answer(first_not_finite)) != "sqrt":
            raise Wrong("the op whose gradient is the first that is not finite is another one than "
                        f"'{op}'")


def softmax_backward(my_softmax):
    n, m, k = draw_sizes(3)
    for op, what, x in (("MySoftmax", "softmax", numbers((n, m), 1)),
                        (None, "softmax of a batch", numbers((n, m, m), 1)),
                        (None, "softmax with ties", torch.ones(2, 3)),
                        (None, "softmax of rows of one", numbers((k, 1), 1)),
                        (None, "softmax of large numbers", torch.tensor([[1000., 999., -1000.]]))):
        compare(what, my_softmax, lambda x: torch.softmax(x, -1), op,
                [("when the row's sum is taken as fixed",
                  lambda x: x.exp() / x.exp().sum(-1, keepdim=True).detach())], X=x)


def decoder_mask(decoder_mask):
    for n in (4, 1, 2, draw(5, 12)):
        with part():
            wanted = torch.tensor([[float(j > i) for j in range(n)] for i in range(n)])
            check_values(f"the mask of {n}", answer(lambda: decoder_mask(n)), wanted,
                         [("with rows and columns exchanged", wanted.t),
                          ("with 0 and 1 exchanged", lambda: 1 - wanted),
                          ("with the diagonal masked, too", torch.ones(n, n).triu)])


def attention(attention):
    def wanted(q, k, v, mask, over=-1):
        scores = torch.einsum("...id,...jd->...ij", q, k) / math.sqrt(q.size(-1))
        return torch.softmax(scores if mask is None else scores - 1e9 * mask, over) @ v
    n, m, d, d_v = draw_sizes(4)
    batch = draw(2, 3)
    for what, q, k, v, mask, by in (
            ("attention", (n, d), (m, d), (m, d_v), None, 1),
            ("attention of a batch", (batch, m, d), (batch, m, d), (batch, m, d_v), None, 1),
            ("attention with a decoder's mask", (n, d), (n, d), (n, d_v), torch.ones(n, n).triu(1), 1),
            ("attention of a batch with a mask", (batch, n, d_v), (batch, m, d_v), (batch, m, d),
             drawn_mask(n, m), 1),
            ("attention of one position", (1, d), (1, d), (1, d_v), None, 1),
            ("attention with large scores", (n, d), (m, d), (m, d_v), None, 1000)):
        compare(what, lambda q, k, v: attention(q, k, v, mask),
                lambda q, k, v: wanted(q, k, v, mask), None,
                [("without the division by √d",
                  lambda q, k, v: wanted(q * math.sqrt(q.size(-1)), k, v, mask)),
                 ("without the mask", lambda q, k, v: wanted(q, k, v, None)),
                 ("with a softmax over the queries", lambda q, k, v: wanted(q, k, v, mask, -2))],
                q=by * numbers(q, 1), k=numbers(k, 2), v=numbers(v, 3))


def normed(x, mean_is_fixed, weight, bias):
    mean = x.mean(-1, keepdim=True)
    c = x - (mean.detach() if mean_is_fixed else mean)
    deviation = ((c * c).mean(-1, keepdim=True) + 1e-5).sqrt()
    return c / (deviation if mean_is_fixed else deviation.detach()) * weight + bias


def layer_norm_backward(my_layer_norm):
    n, m, k = draw_sizes(3, 3, 6)
    for op, what, x in (("MyLayerNorm", "layer norm", numbers((n, m), 1)),
                        (None, "layer norm of one row", numbers((1, k), 1)),
                        (None, "layer norm of a batch", numbers((m, n, k), 1)),
                        (None, "layer norm of almost equal numbers", 3e-3 * numbers((n, m), 1)),
                        (None, "layer norm of equal numbers", torch.ones(2, 3))):
        compare(what, my_layer_norm, lambda x, w, b: F.layer_norm(x, w.shape, w, b), op,
                [("when the row's mean is taken as fixed", lambda x, w, b: normed(x, True, w, b)),
                 ("when the row's variance is taken as fixed", lambda x, w, b: normed(x, False, w, b))],
                x=x, weight=numbers(x.shape[-1:], 2), bias=numbers(x.shape[-1:], 3))


def sublayer(w, scale):
    """x -> scale · tanh(x·w), so that sublayers differ."""
    return lambda x: torch.tanh(x @ w) * scale


def no_feed_forward(block):
    def wanted(x, attend, ffn, norm1, norm2):
        x = norm1(x + attend(x))
        return norm2(x + ffn(x)) if ffn else x

    def both(block):
        return lambda x, a, f, n1, n2: block(x, sublayer(a, 2), sublayer(f, 3), sublayer(n1, 4), sublayer(n2, 5))

    def half(block):
        return lambda x, a, n1: block(x, sublayer(a, 2), None, sublayer(n1, 4), sublayer(n1, 5))
    x, weights = numbers((draw(2, 5), 2)), [numbers((2, 2), seed) for seed in (1, 2, 3, 4)]
    names = [f"{name}'s weight" for name in ("the attention", "the feed-forward", "norm1", "norm2")]
    mistakes = [("without the ways around", both(lambda x, a, f, n1, n2: n2(f(n1(a(x)))))),
                ("with each norm before its part", both(
                    lambda x, a, f, n1, n2: x + a(n1(x)) + f(n2(x + a(n1(x))))))]
    compare("with a feed-forward", both(block), both(wanted), None, mistakes, x=x, **dict(zip(names, weights)))
    compare("without a feed-forward", half(block), half(wanted), x=x,
            **dict(list(zip(names, weights))[::2]))


def sequence_wise(sequence_wise):
    n, m, k = draw_sizes(3)
    for what, shape in (("the output", (n, m, k)), ("the output of a square", (n, m, m)),
                        ("the output of one position", (n, 1, k))):
        compare(what, lambda x, w: sequence_wise(x, sublayer(w, 2)),
                lambda x, w: sublayer(w, 2)(x.transpose(1, 2)).transpose(1, 2),
                None, [("along the features", lambda x, w: sublayer(w, 2)(x))],
                x=numbers(shape, 1), w=numbers((shape[1], shape[1]), 2))


def overfit(overfit):
    torch.manual_seed(draw(0, 1 << 20))
    learns = nn.TransformerEncoderLayer(8, 2, 16, dropout=0, batch_first=True)
    x, target = numbers((2, 3, 8)), F.layer_norm(numbers((2, 3, 8), 5), (8,))
    before, calls = (x.clone(), target.clone()), []

    def train():
        overfit(lambda x: (calls.append(1), learns(x))[1], list(learns.parameters()), x, target)
        return len(calls)

    with part():
        count = answer(train)
        check_values("x, which was to stay,", answer(lambda: x), before[0])
        check_values("target, which was to stay,", answer(lambda: target), before[1])
        with torch.no_grad():
            for p in learns.parameters():
                p.copy_(answer(p.detach))
            loss = F.mse_loss(learns(before[0]), before[1]).item()
        said = f"after {count} calls of block the loss is {loss:g}"
        if not loss < 0.01:
            raise Wrong(f"{said} and should be below 0.01")
        if count > 300:
            raise Wrong(f"{said}, but 300 calls were allowed")


def gated_feed_forward(swiglu):
    d, d_ff = draw_sizes(2)
    def wanted(x, g, v, out):
        return ((x @ g) * torch.sigmoid(x @ g) * (x @ v)) @ out
    for what, n in (("SwiGLU", draw(2, 5)), ("SwiGLU of one row", 1)):
        compare(what, swiglu, wanted, None,
                [("with gate and value exchanged", lambda x, g, v, out: wanted(x, v, g, out)),
                 ("with sigmoid in place of silu",
                  lambda x, g, v, out: (torch.sigmoid(x @ g) * (x @ v)) @ out)], x=numbers((n, d)), gate=numbers((d, d_ff), 1), value=numbers((d, d_ff), 2),
                out=numbers((d_ff, d), 3))


def hidden_size(parameters, swiglu_width):
    for d_model in (16, 1, 3, draw(4, 40)):
        for d_ff in (16, 1, 7, draw(8, 90)):
            with part():
                ffn = nn.Sequential(nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model))
                count, width = sum(p.numel() for p in ffn.parameters()), 0
                while 3 * d_model * (width + 1) <= count:
                    width += 1
                for what, f, wanted in (("parameters", parameters, count),
                                        ("swiglu_width", swiglu_width, width)):
                    if (found := answer(lambda: f(d_model, d_ff))) != wanted:
                        without = "; this is what you get without the biases" * (found == 2 * d_model * d_ff)
                        raise Wrong(f"{what}({d_model}, {d_ff}) is {found} and should be {wanted}{without}")


def mixture_of_experts(mixture):
    def wanted(x, gate, experts, over=-1):
        weights = (x @ gate).exp()
        said = torch.stack([expert(x) for expert in experts], -1)
        return (said * (weights / weights.sum(over, keepdim=True)).unsqueeze(-2)).sum(-1)

    def using(mixture):
        return lambda x, gate, *w: mixture(x, gate, [sublayer(each, e + 2) for e, each in enumerate(w)])
    rows = draw(2, 5)
    for what, n, gate in (("three experts", rows, numbers((2, 3), 1)),
                          ("experts of another number", rows, numbers((2, draw(4, 6)), 1)),
                          ("three experts at one position", 1, numbers((2, 3), 1)),
                          ("three experts with even gates", rows, zeros(2, 3)),
                          ("one expert", rows, numbers((2, 1), 1))):
        experts = {f"expert {e}'s weight": numbers((2, 2), e + 2) for e in range(gate.size(1))}
        compare(what, using(mixture), using(wanted), None,
                [("with a softmax over the rows", using(lambda *all: wanted(*all, over=0)))],
                x=numbers((n, 2)), gate=gate, **experts)


def check(exercise, *functions, seed=None):
    """Whether an exercise's functions are right, or the first error. The shapes and numbers are
    drawn anew each time; a seed repeats those of the run that had it."""
    global run
    run = Run(random.randrange(1_000_000) if seed is None else seed)
    globals()[exercise](*functions)
    verdict = run.verdict()
    return f"{exercise}: {verdict}" + "." * (verdict != "right")


def main():
    """FUNCTIONS NAME SEED TOKEN: calls the functions that NAME.py defines, and writes the answers.
    FUNCTIONS NAME SEED TOKEN ENDED: judges those on standard input. ENDED: why there are no more."""
    global run
    functions, exercise, seed, token, *ended = sys.argv[1:]
    run = Run(int(seed), token, *ended)
    names = functions.split(", ")
    if run.ended is not None:
        for line in sys.stdin.buffer:
            if line.startswith(token.encode() + b" "):
                with contextlib.suppress(ValueError, TypeError, RecursionError):
                    part_of, how, value = json.loads(line[len(token) + 1:])
                    run.lines.setdefault(part_of, []).append((how, value))
        globals()[exercise](*[None] * len(names))
        print(run.verdict())
        return
    there = {"__name__": "__main__"}
    try:
        with open(f"{exercise}.py", encoding="utf-8") as file:
            exec(compile(file.read(), f"{exercise}.py", "exec"), there)
        student = [there[name] for name in names]
    except Exception as error:  # any error of the student's part
        said = f"the cells raise {type(error).__name__}: {error}"
        print(f"\n{token} {json.dumps([1, 'fails', said])}", flush=True)
    else:
        globals()[exercise](*student)
