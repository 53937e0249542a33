"""Products of vectors and matrices, tensors side by side, and einsum."""

import math
import string

import _stepgrad
from _stepgrad import Tensor

from .calls import check_tensors, lenient, titled
from .grad_fn import shown
from .tensor import methods, wide


def _of_dims(name, a, n, b, m):
    """a and b, which have n and m dimensions."""
    for x, dims in ((a, n), (b, m)):
        if x.dim() != dims:
            raise RuntimeError(f"{name}: a tensor of {dims} dimensions is wanted, not of {x.dim()}")
    if name in ("dot", "bmm") and len(a) != len(b):
        raise RuntimeError(f"{name}: {len(a)} and {len(b)} do not go together")
    return a, b


def _outer(a, b):
    return a.reshape(-1, 1) * b


def _dot(a, b):
    if a.dtype != b.dtype:
        raise RuntimeError(f"dot: {a.dtype} and {b.dtype} do not go together")
    return (a * b).sum(dtype=None if a.is_floating_point() else a.dtype)


def _added(self, product, beta, alpha):
    """beta·self + alpha·product."""
    if not product.is_floating_point():
        alpha, beta = int(alpha), int(beta)
    y = product if alpha == 1 else product * alpha
    self = (self._to(y.dtype) if _stepgrad._casts() else self).expand(y.shape)
    if self.dtype != y.dtype:
        raise RuntimeError(f"expected a product of {self.dtype} to add to, and not of {y.dtype}")
    if beta != 1:  # with 0 not even a NaN is left
        self = self * beta if beta else self.masked_fill(_stepgrad._tensor(True), 0)
    return self + y


_viewed = shown("UnsafeViewBackward0")(Tensor.reshape)


@methods
class Products:
    """Methods of Tensor."""

    def outer(self, vec2):
        return _outer(*_of_dims("outer", self, 1, vec2, 1))

    def dot(self, tensor):
        return _dot(*_of_dims("dot", self, 1, tensor, 1))

    def mv(self, vec):
        return Tensor.matmul(*_of_dims("mv", self, 2, vec, 1))

    def mm(self, mat2):
        return Tensor.matmul(*_of_dims("mm", self, 2, mat2, 2))

    def bmm(self, mat2):
        return Tensor.matmul(*_of_dims("bmm", self, 3, mat2, 3))

    def kron(self, other):
        """Each element of self times other, side by side."""
        n = max(self.dim(), other.dim())
        a, b = ([1] * (n - x.dim()) + list(x.shape) for x in (self, other))
        y = _viewed(self, [m for k in a for m in (k, 1)]) * _viewed(other, [m for k in b for m in (1, k)])
        return _viewed(y, [k * m for k, m in zip(a, b)])

    def addmm(self, mat1, mat2, *, beta=1, alpha=1):
        return _added(self, mat1.mm(mat2), beta, alpha)


@shown("CdistBackward0", "x1", "x2")
def cdist(x1, x2, p=2.0, compute_mode=None):
    check_tensors("cdist", x1, x2)
    if min(x1.dim(), x2.dim()) < 2 or x1.size(-1) != x2.size(-1) or p is None or p < 0:
        raise RuntimeError(f"cdist: rows of {list(x1.shape)} and {list(x2.shape)}, p={p}")
    _stepgrad._check_floating("cdist", x1), _stepgrad._check_floating("cdist", x2)
    return (wide(x1).unsqueeze(-2) - wide(x2).unsqueeze(-3)).norm(p, -1)


def broadcast_tensors(*tensors):
    shape = _stepgrad._broadcast(tensors)
    return tuple(x if x.shape == shape else x.expand(shape) for x in tensors)


def meshgrid(*tensors, indexing="ij"):
    tensors = tensors[0] if len(tensors) == 1 and not isinstance(tensors[0], Tensor) else tensors
    check_tensors("meshgrid", *tensors)
    if indexing not in ("ij", "xy"):
        raise RuntimeError(f"meshgrid: indexing must be one of 'xy' or 'ij', but received: {indexing}")
    if not tensors or any(x.dim() > 1 or x.dtype != tensors[0].dtype for x in tensors):
        raise RuntimeError("meshgrid: of vectors of one dtype, one or more")
    swapped = [1, 0, *range(2, len(tensors))] if indexing == "xy" and len(tensors) > 1 else range(len(tensors))
    tensors = [tensors[i] for i in swapped]
    shape = [x.numel() for x in tensors]
    grids = [x.reshape([-1 if d == i else 1 for d in range(len(shape))]).expand(*shape)
        for i, x in enumerate(tensors)]
    return tuple(grids[i] for i in swapped)


def _check_list(name, tensors):
    if not isinstance(tensors, (tuple, list)):
        raise TypeError(f"{name}(): of a list or tuple of Tensors, not of {type(tensors).__name__}")
    check_tensors(name, *tensors)


def _joined(name):
    def function(tensors, dim=0, *, out=None):
        _check_list(name, tensors)
        y = _stepgrad._cat(tuple(tensors), dim, name == "stack")
        if name == "stack":
            _stepgrad._show_as(y, "StackBackward0", *tensors)
        return y if out is None else out.copy_(y)
    return lenient(titled(function, name), False)


cat = concat = _joined("cat")
stack = _joined("stack")


def hstack(tensors):
    _check_list("hstack", tensors)
    return cat(tensors, 1 if tensors and tensors[0].dim() != 1 else 0)


def vstack(tensors):
    _check_list("vstack", tensors)
    return cat([x.unsqueeze(0) if x.dim() == 1 else x if x.dim() else x.reshape(1, 1) for x in tensors])


def tensordot(a, b, dims=2):
    """Σ a·b over the last dims of a and the first of b, as many, or over those of two lists."""
    check_tensors("tensordot", a, b)
    if not isinstance(dims, (tuple, list)):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        dims = [*range(a.dim() - dims, a.dim())], [*range(dims)]
    n = len(dims[0])
    a, b = a.movedim(dims[0], [*range(-n, 0)]), b.movedim(dims[1], [*range(n)])
    rows, inner, columns = a.shape[:a.dim() - n], b.shape[:n], b.shape[n:]
    if rows + inner != a.shape or n != len(dims[1]):
        raise RuntimeError(f"tensordot: of {list(a.shape)} the last {n}, of {list(b.shape)} the first")
    k = inner.numel()
    return (a.reshape(rows.numel(), k) @ b.reshape(k, columns.numel())).reshape(rows + columns)


# ---- einsum


def einsum(equation, *operands):
    """Operands are combined one after another by matrix products; letters that occur in no other
    operand or the result are summed first."""
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    if not operands:
        raise ValueError("einsum: operands are missing")
    if not isinstance(equation, str):
        raise TypeError(f"einsum(): the equation is a str, and not {type(equation).__name__}")
    check_tensors("einsum", *operands)
    if strange := set(equation) - set(string.ascii_letters + " ,->."):
        raise RuntimeError(f"einsum: {strange} in '{equation}': subscripts are letters")
    left, arrow, right = equation.replace(" ", "").partition("->")
    texts = left.split(",")
    if len(texts) != len(operands):
        raise RuntimeError(f"einsum: '{equation}' is for {len(texts)} operands, and got {len(operands)}")
    dots = max(x.dim() - len(text.replace("...", "")) for text, x in zip(texts, operands))
    letters = "".join(texts).replace("...", "")
    if not arrow:
        right = "..." + "".join(c for c in sorted(set(letters)) if letters.count(c) == 1)
    asked = _letters(right, None, dots)
    if [c for c in asked if isinstance(c, str) and c not in letters] or len(set(asked)) != len(asked):
        raise RuntimeError(f"einsum: '{equation}' asks for a letter that no operand has, or twice")
    pairs = [_without_twins(_letters(text, x, dots), x) for text, x in zip(texts, operands)]
    term, x = pairs.pop(0)
    while pairs:
        term, x = _summed(term, x, set(asked).union(*(t for t, _ in pairs)))
        other, y = pairs.pop(0)
        wanted = set(asked).union(*(t for t, _ in pairs))
        term, x = _product(term, x, *_summed(other, y, wanted | set(term)), wanted)
    term, x = _summed(term, x, set(asked))
    return x.permute(*[term.index(c) for c in asked]) if asked else x


def _letters(text, x, dots):
    """A term as a list: letters, and for dots the dimensions' numbers, counted from the end."""
    before, dotted, after = text.partition("...")
    n = 0 if not dotted else dots if x is None else x.dim() - len(before) - len(after)
    if n < 0 or x is not None and len(before) + n + len(after) != x.dim():
        raise RuntimeError(f"einsum: '{text}' does not name {x.dim()} dimensions")
    return [*before, *range(dots - n, dots), *after]


def _without_twins(term, x):
    """A letter that occurs twice in one operand means its diagonal."""
    for c in list(term):
        if term.count(c) > 1:
            i = term.index(c)
            j = term.index(c, i + 1)
            if x.size(i) != x.size(j):
                raise RuntimeError(f"einsum: '{c}' is {x.size(i)} and {x.size(j)} in one operand")
            x = x.diagonal(0, i, j)
            term = [d for k, d in enumerate(term) if k not in (i, j)] + [c]
    return term, x


def _summed(term, x, wanted):
    gone = [d for d, c in enumerate(term) if c not in wanted]
    return [c for c in term if c in wanted], (x.sum(gone) if gone else x)


def _product(a, x, b, y, wanted):
    """Σ x·y over the letters of both that the result lacks, as one product [batch, m, k] · [batch,
    k, n]."""
    batch, inner = [c for c in a if c in b and c in wanted], [c for c in a if c in b and c not in wanted]
    rows, columns = [c for c in a if c not in b], [c for c in b if c not in a]
    sizes = dict(zip(b, y.shape))
    for c, n in zip(a, x.shape):
        if c in sizes and n != sizes[c] and 1 not in (n, sizes[c]):
            raise RuntimeError(f"einsum: '{c}' is {n} in one operand and {sizes[c]} in another")
        sizes[c] = max(n, sizes.get(c, n)) if n else 0

    def matrices(term, x, *groups):
        order = sum(groups, [])
        x = x.permute(*map(term.index, order)).expand([sizes[c] for c in order]) if order else x
        return x.reshape([math.prod(sizes[c] for c in group) for group in groups])

    z = matrices(a, x, batch, rows, inner) @ matrices(b, y, batch, inner, columns)
    return batch + rows + columns, z.reshape([sizes[c] for c in batch + rows + columns])
