"""The checks of exercises.py, with the messages of those in C++, for PyTorch and for stepgrad."""
import math
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F


class Wrong(Exception):
    """One sentence about the first error."""


def numbers(shape, seed=0):
    """Unequal numbers between -1.5 and 1.5, the same ones on any machine."""
    each = [1.5 * math.sin(0.7 + 1.3 * i + 2.1 * seed) for i in range(math.prod(shape))]
    return torch.tensor(each).reshape(shape)


def zeros(*shape):
    return torch.zeros(*shape)


def near(a, b, tolerance=1e-4):
    return abs(a - b) <= tolerance * max(1, abs(a), abs(b))


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


def check_values(what, found, wanted):
    if wrong := is_not(what, found, wanted):
        raise Wrong(wrong[0])


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


def compare(what, f, wanted, op=None, **inputs):
    """Compares f and its gradients for these inputs with those of `wanted`, by torch. `op`: the
    node's expected name, if f is an op."""
    right, right_leaves = result(wanted, inputs)
    try:
        y, leaves = result(f, inputs)
    except Exception as error:  # any error of the student's part
        raise Wrong(f"{what}: {error}") from error
    check_values(what, y, right)
    if not y.requires_grad:
        raise Wrong(f"{what}: the result is not on the tape")
    if op and op not in y.grad_fn.name():
        raise Wrong(f"{what}: the result comes from {y.grad_fn.name()}, and not from {op}")
    for name, x in inputs.items():
        check_values(f"{what}: {name}, which was to stay", leaves[name].detach(), x)
        grad, should_be = leaves[name].grad, right_leaves[name].grad
        if grad is None:
            raise Wrong(f"{what}: the gradient of {name} has not arrived")
        if wrong := is_not(f"{what}: the gradient of {name}", grad, should_be):
            sentence, index, number = wrong
            confirmed = slope(wanted, inputs, name, index)
            if near(confirmed, number, 1e-2):
                sentence += f" (by central differences {confirmed:g})"
            raise Wrong(sentence)
    if op:  # torch's own check; a float has few digits
        leaves = [x.clone().requires_grad_() for x in inputs.values()]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # which warns about it
            torch.autograd.gradcheck(f, leaves, eps=1e-2, atol=1e-2, rtol=1e-2)


def mul_backward(my_mul):
    for what, a, b in (("a product", (2, 3), (2, 3)), ("a product with a row", (2, 3), (3,)),
                       ("a product of a row with numbers", (1, 3), (2, 1))):
        compare(what, my_mul, torch.mul, "MyMul", A=numbers(a, 1), B=numbers(b, 2))
    compare("a product with zeros", my_mul, torch.mul, A=zeros(2), B=numbers((2,), 1))
    compare("a square", lambda x: my_mul(x, x), lambda x: x * x, A=numbers((3,), 1))


def used_twice(my_residual):
    for what, n in ("X + X·W", 2), ("X + X·W of one row", 1), ("X + X·W of a square X", 3):
        compare(what, my_residual, lambda x, w: x + x @ w, "MyResidual",
                X=numbers((n, 3), 1), W=numbers((3, 3), 2))


def matmul_backward(my_matmul):
    for what, a, b in (("A·B", (2, 3), (3, 4)), ("A·B of squares", (3, 3), (3, 3)),
                       ("A·B of one row", (1, 3), (3, 2)), ("A·B with one column", (2, 3), (3, 1)),
                       ("A·B of a batch", (2, 4, 3), (3, 2))):
        compare(what, my_matmul, torch.matmul, "MyMatmul", A=numbers(a, 1), B=numbers(b, 2))


def add_backward(summed_to):
    for shape, of_y in (((2, 3), (2, 3)), ((1, 3), (1, 3)), ((3,), (2, 3)), ((2, 1), (2, 3)),
                        ((), (2, 3)), ((1, 3), (4, 2, 3)), ((2, 1), (4, 2, 3)),
                        ((4, 1, 1), (4, 2, 3))):
        a, dY = torch.zeros(shape, requires_grad=True), numbers(of_y, 1)
        (a + torch.zeros(of_y)).backward(dY)
        check_values(f"summed_to(dY {list(of_y)}, {list(shape)})", summed_to(dY, torch.Size(shape)),
                     a.grad)


def relu_backward(my_relu):
    def wanted(x):
        return torch.relu(x)
    compare("relu", my_relu, wanted, "MyRelu", X=numbers((2, 3), 1))
    compare("relu at 0", my_relu, wanted, X=torch.tensor([-1., 0., 2.]))
    compare("relu of large numbers", my_relu, wanted, X=torch.tensor([-1e9, 1e9]))


def dropout(drop):
    mask = torch.tensor([[1., 0.], [0., 1.]])
    for what, p, training, mask in (
            ("in training with p = 0.5", 0.5, True, mask),
            ("in training with p = 0.2", 0.2, True, mask),
            ("in training with p = 0", 0, True, torch.ones(2, 2)),
            ("in training with nothing left", 0.5, True, zeros(2, 2)),
            ("in evaluation", 0.2, False, mask)):
        compare(what, lambda x: drop(x, mask, p, training),
                lambda x: x * mask / (1 - p) if training else x * 1, x=numbers((2, 2), 1))


def feed_forward(feed_forward):
    for what, x, b1 in (("FFN(x)", numbers((2, 4, 3)), numbers((5,), 2)),
                        ("FFN of one row", numbers((1, 3)), numbers((5,), 2)),
                        ("FFN with a hidden layer of zeros", numbers((2, 3)), numbers((5,)) - 100)):
        compare(what, feed_forward,
                lambda x, w1, b1, w2, b2: F.linear(F.relu(F.linear(x, w1.t(), b1)), w2.t(), b2),
                x=x, w1=numbers((3, 5), 1), b1=b1, w2=numbers((5, 3), 3), b2=numbers((3,), 4))


def sgd_step(sgd_step):
    for lr in (0.5, 0, 0.1):
        w, b, unused = (numbers(shape, seed) for shape, seed in (((2, 3), 1), ((3,), 2), ((2,), 3)))
        before = [p.clone() for p in (w, b, unused)]
        dw, db = numbers((2, 3), 4), numbers((3,), 5)
        for p in (w, unused, b):
            p.requires_grad_()
        w.grad, b.grad = dw.clone(), db.clone()
        sgd_step([w, unused, b], lr)
        check_values(f"w after a step with lr = {lr}", w.detach(), before[0] - lr * dw)
        check_values(f"b after a step with lr = {lr}", b.detach(), before[1] - lr * db)
        check_values(f"a parameter without a gradient after a step with lr = {lr}", unused.detach(),
                     before[2])
        check_values(f"the gradient of w after a step with lr = {lr}", w.grad, dw)
        if not all(p.is_leaf and p.requires_grad for p in (w, unused, b)):
            raise Wrong("a parameter is no leaf any more")


def find_the_nan(first_not_finite, lengths):
    def wanted(x):
        squares = (x * x).sum(-1)
        return torch.where(squares > 0, squares, torch.ones_like(squares)).sqrt() * (squares > 0)
    compare("lengths", lengths, wanted, x=numbers((2, 3), 1))
    compare("lengths with a row of zeros", lengths, wanted,
            x=torch.tensor([[3., 4.], [0., 0.], [1., -1.]]))
    compare("small lengths", lengths, wanted, x=torch.tensor([[3e-4, 4e-4]]))
    if first_not_finite() != "sqrt":
        raise Wrong("the op whose gradient is the first that is not finite is another one than "
                    f"'{first_not_finite()}'")


def softmax_backward(my_softmax):
    for op, what, x in (("MySoftmax", "softmax", numbers((3, 4), 1)),
                        (None, "softmax of a batch", numbers((2, 3, 3), 1)),
                        (None, "softmax with ties", torch.ones(2, 3)),
                        (None, "softmax of rows of one", numbers((3, 1), 1)),
                        (None, "softmax of large numbers", torch.tensor([[1000., 999., -1000.]]))):
        compare(what, my_softmax, lambda x: torch.softmax(x, -1), op, X=x)


def decoder_mask(decoder_mask):
    for n in (4, 1, 2):
        wanted = torch.tensor([[float(j > i) for j in range(n)] for i in range(n)])
        check_values(f"the mask of {n}", decoder_mask(n), wanted)


def attention(attention):
    def wanted(q, k, v, mask):
        scores = torch.einsum("...id,...jd->...ij", q, k) / math.sqrt(q.size(-1))
        shares = (scores if mask is None else scores - 1e9 * mask).exp()
        return shares / shares.sum(-1, keepdim=True) @ v
    for what, q, k, v, mask in (
            ("attention", (2, 3), (4, 3), (4, 2), None),
            ("attention of a batch", (2, 3, 4), (2, 3, 4), (2, 3, 2), None),
            ("attention with a decoder's mask", (3, 2), (3, 2), (3, 2), torch.ones(3, 3).triu(1)),
            ("attention of one position", (1, 2), (1, 2), (1, 3), None)):
        compare(what, lambda q, k, v: attention(q, k, v, mask),
                lambda q, k, v: wanted(q, k, v, mask),
                q=numbers(q, 1), k=numbers(k, 2), v=numbers(v, 3))


def layer_norm_backward(my_layer_norm):
    for op, what, x in (("MyLayerNorm", "layer norm", numbers((3, 4), 1)),
                        (None, "layer norm of one row", numbers((1, 5), 1)),
                        (None, "layer norm of a batch", numbers((2, 2, 3), 1)),
                        (None, "layer norm of equal numbers", torch.ones(2, 3))):
        compare(what, my_layer_norm, lambda x, w, b: F.layer_norm(x, w.shape, w, b), op,
                x=x, weight=numbers(x.shape[-1:], 2), bias=numbers(x.shape[-1:], 3))


def part(w, scale):
    """x -> scale · tanh(x·w), so that parts differ."""
    return lambda x: torch.tanh(x @ w) * scale


def no_feed_forward(block):
    def wanted(x, attend, ffn, norm1, norm2):
        x = norm1(x + attend(x))
        return norm2(x + ffn(x)) if ffn else x

    def both(block):
        return lambda x, a, f, n1, n2: block(x, part(a, 2), part(f, 3), part(n1, 4), part(n2, 5))

    def half(block):
        return lambda x, a, n1: block(x, part(a, 2), None, part(n1, 4), part(n1, 5))
    x, weights = numbers((3, 2)), [numbers((2, 2), seed) for seed in (1, 2, 3, 4)]
    names = [f"{name}'s weight" for name in ("the attention", "the feed-forward", "norm1", "norm2")]
    compare("with a feed-forward", both(block), both(wanted), x=x, **dict(zip(names, weights)))
    compare("without a feed-forward", half(block), half(wanted), x=x,
            **dict(list(zip(names, weights))[::2]))


def sequence_wise(sequence_wise):
    for what, shape in (("the output", (2, 4, 3)), ("the output of a square", (3, 3, 3)),
                        ("the output of one position", (2, 1, 3))):
        compare(what, lambda x, w: sequence_wise(x, part(w, 2)),
                lambda x, w: part(w, 2)(x.transpose(1, 2)).transpose(1, 2),
                x=numbers(shape, 1), w=numbers((shape[1], shape[1]), 2))


def overfit(overfit):
    torch.manual_seed(0)
    learns = nn.TransformerEncoderLayer(8, 2, 16, dropout=0, batch_first=True)
    x, target, calls = numbers((2, 3, 8)), F.layer_norm(numbers((2, 3, 8), 5), (8,)), []
    before = x.clone(), target.clone()
    overfit(lambda x: (calls.append(1), learns(x))[1], list(learns.parameters()), x, target)
    check_values("x, which was to stay,", x, before[0])
    check_values("target, which was to stay,", target, before[1])
    with torch.no_grad():
        loss = F.mse_loss(learns(x), target).item()
    said = f"after {len(calls)} calls of block the loss is {loss:g}"
    if not loss < 0.01:
        raise Wrong(f"{said} and should be below 0.01")
    if len(calls) > 300:
        raise Wrong(f"{said}, but 300 calls were allowed")


def gated_feed_forward(swiglu):
    for what, n in (("SwiGLU", 4), ("SwiGLU of one row", 1)):
        compare(what, swiglu, lambda x, g, v, out: ((x @ g) * torch.sigmoid(x @ g) * (x @ v)) @ out,
                x=numbers((n, 3)), gate=numbers((3, 2), 1), value=numbers((3, 2), 2),
                out=numbers((2, 3), 3))


def hidden_size(parameters, swiglu_width):
    for d_model in (16, 1, 3):
        for d_ff in (16, 32, 1, 7):
            ffn = nn.Sequential(nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model))
            count, width = sum(p.numel() for p in ffn.parameters()), 0
            while 3 * d_model * (width + 1) <= count:
                width += 1
            for what, f, wanted in (("parameters", parameters, count),
                                    ("swiglu_width", swiglu_width, width)):
                if (found := f(d_model, d_ff)) != wanted:
                    raise Wrong(f"{what}({d_model}, {d_ff}) is {found} and should be {wanted}")


def mixture_of_experts(mixture):
    def wanted(x, gate, experts):
        weights = (x @ gate).exp()
        said = torch.stack([expert(x) for expert in experts], -1)
        return (said * (weights / weights.sum(-1, keepdim=True)).unsqueeze(-2)).sum(-1)

    def using(mixture):
        return lambda x, gate, *w: mixture(x, gate, [part(each, e + 2) for e, each in enumerate(w)])
    for what, n, gate in (("three experts", 3, numbers((2, 3), 1)),
                          ("three experts at one position", 1, numbers((2, 3), 1)),
                          ("three experts with even gates", 3, zeros(2, 3)),
                          ("one expert", 3, numbers((2, 1), 1))):
        experts = {f"expert {e}'s weight": numbers((2, 2), e + 2) for e in range(gate.size(1))}
        compare(what, using(mixture), using(wanted), x=numbers((n, 2)), gate=gate, **experts)


def check(exercise, *functions):
    """Prints whether an exercise's functions are right, or the first error."""
    try:
        globals()[exercise](*functions)
    except Exception as error:  # any error of the student's part
        return f"{exercise}: not yet: {' '.join(str(error).split())}."
    return f"{exercise}: right"
