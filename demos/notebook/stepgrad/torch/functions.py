"""torch.NAME(x, ...) for what is x.NAME(...), and functions of several tensors."""

import _stepgrad
from _stepgrad import Tensor

_methods = """abs add addmm all allclose amax amin any argmax argmin argsort bitwise_and bitwise_or
bitwise_xor bmm ceil chunk clamp clone cos cumsum detach div eq equal erf exp flatten floor
floor_divide gather ge gt index_select isfinite isinf isnan le log log_softmax logical_and
logical_not logical_or lt masked_fill masked_select matmul max maximum mean min minimum mm mul
multiply narrow ne norm numel permute pow reciprocal relu remainder reshape round rsqrt select
sigmoid sign sin softmax sort split sqrt square squeeze std sub sum t tanh topk transpose tril triu
true_divide trunc unbind unsqueeze var""".split()
__all__ = _methods + """cat concat stack where is_tensor neg outer dot einsum broadcast_to repeat
swapaxes nonzero broadcast_tensors is_floating_point""".split()

for _name in _methods:
    globals()[_name] = getattr(Tensor, _name)


def permute(x, dims):
    return x.permute(*dims)


def reshape(x, shape):
    return x.reshape(shape)


def pow(x, exponent):
    return x**exponent


def cat(tensors, dim=0):
    return _stepgrad._cat(tuple(tensors), dim, False)


concat = cat


def stack(tensors, dim=0):
    return _stepgrad._cat(tuple(tensors), dim, True)


def where(condition, input=None, other=None):
    if input is None:
        return nonzero(condition).unbind(1)
    return _stepgrad._where(condition, input, other)


def nonzero(x):
    places = [i for i, v in enumerate(x.reshape(-1).tolist()) if v]
    rows = []
    for place in places:
        row = []
        for size in reversed(x.shape):
            place, at = divmod(place, size)
            row.append(at)
        rows.append(row[::-1])
    return _stepgrad._tensor(rows, _stepgrad.int64).reshape(len(rows), x.dim())


def is_tensor(x):
    return isinstance(x, Tensor)


def is_floating_point(x):
    return x.is_floating_point()


def neg(x):
    return -x


def outer(a, b):
    return a.unsqueeze(1) * b.unsqueeze(0)


def dot(a, b):
    return (a * b).sum()


def broadcast_to(x, shape):
    return x.expand(shape)


def broadcast_tensors(*tensors):
    shape = _sum(tensors).shape
    return tuple(x.expand(shape) for x in tensors)


def _sum(tensors):
    first, *others = [x.detach().bool().float() for x in tensors]
    for x in others:
        first = first + x
    return first


def repeat(x, *times):
    return x.repeat(*times)


swapaxes = Tensor.transpose


def einsum(equation, *operands):
    """One product of all operands with their letters aligned, summed over letters not asked for."""
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if "..." in equation or [t for t in terms if len(set(t)) != len(t)]:
        raise NotImplementedError(f"einsum: '{equation}' has dots or a letter twice in one operand")
    if len(terms) != len(operands):
        raise RuntimeError(f"einsum: '{equation}' is for {len(terms)} operands, and got {len(operands)}")
    letters = sorted(set("".join(terms)))
    if not arrow:
        right = "".join(c for c in letters if "".join(terms).count(c) == 1)
    order = list(right) + [c for c in letters if c not in right]

    def aligned(term, x):
        x = x.permute(*[term.index(c) for c in order if c in term])
        return x.reshape([x.shape[[d for d in order if d in term].index(c)] if c in term else 1
                          for c in order])

    product = aligned(terms[0], operands[0])
    for term, x in zip(terms[1:], operands[1:]):
        product = product * aligned(term, x)
    summed = list(range(len(right), len(order)))
    return product.sum(summed) if summed else product
