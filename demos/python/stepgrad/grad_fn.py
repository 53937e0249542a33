"""The graph behind x.grad_fn, as torch has it: names, edges in torch's order, saved tensors, hooks."""

import functools
import gc
import inspect
import itertools
import weakref

import _stepgrad
from _stepgrad import Tensor

_known = weakref.WeakValueDictionary()  # the Node of a node of the engine, while somebody has it
_leaves = weakref.WeakValueDictionary()  # the tensor of a leaf's node
_numbers = itertools.count()
_classes = {}


class Node:
    """An op's gradient; its class has torch's name for it. `_node` is the engine's, or None for one that torch has
    and the engine has not."""

    def __init__(self, node, edges):
        self._node, self._edges = node, edges

    def name(self):
        name = type(self).__name__
        return f"torch::autograd::{name}" if name in ("AccumulateGrad", "CopySlices", "CopyBackwards") else name

    def __hash__(self):
        return self._node.address if self._node else id(self)

    def __eq__(self, other):
        return self is other

    def __repr__(self):
        return f"<{type(self).__name__} object at {id(self):#x}>"

    @functools.cached_property
    def next_functions(self):
        """For each input a node, or None if it requires no gradient, and which of its outputs that is."""
        return tuple((_made(*edge), 0) if isinstance(edge, tuple) else (_of_node(edge), _output_nr(edge))
            for edge in self._edges)

    @functools.cached_property
    def metadata(self):
        return self._node.state.setdefault("metadata", {}) if self._node else {}

    def _own(self):
        if self._node is None or self._node.part:
            several = "has an op for each of its outputs" if self._node else "has no op of its own for it"
            raise NotImplementedError(f"{self.name()}: the engine {several}")
        return self._node

    def _places(self):
        """Which of the engine's inputs the edges are."""
        if self._edges is None or any(isinstance(edge, tuple) for edge in self._edges):
            self._own()
            raise NotImplementedError(f"{self.name()}: it consists of several ops here, and so has no gradient alone")
        return [_place(self._node.inputs, i, edge) for i, edge in enumerate(self._edges)]

    def __call__(self, *grad_outputs):
        """The gradients of the inputs."""
        places, found = self._places(), self._own()(*grad_outputs)
        found = tuple(found[i] for i in places)
        return found[0] if len(found) == 1 else found

    def register_hook(self, hook):
        """hook(grad_inputs, grad_outputs) runs after the gradient, and may return other grad_inputs."""
        places = self._places()

        def call(grads, grad_outputs):
            given = hook(tuple(grads[i] for i in places), grad_outputs)
            if given is None:
                return None
            given = iter(given if isinstance(given, tuple) else (given,))
            return tuple(next(given) if i in places else g for i, g in enumerate(grads))

        _stepgrad._observe_nodes()
        return _handle(self._node.state.setdefault("posts", {}), call)

    def register_prehook(self, hook):
        """hook(grad_outputs) runs before the gradient, and may return other grad_outputs."""
        def call(grad_output):
            given = hook((grad_output,))
            return given[0] if isinstance(given, tuple) else given

        from .tensor import Handle
        return Handle(self._own().register_prehook(call))

    def _saved(self):
        """By torch's names: tensors' rows, as lists, and options."""
        node = self._node
        if not node:
            return {}
        names = {**_LETTERS, **_SAVED.get(node.op, {})}
        found = {names[row[0]]: [*row] for row in node.saved if row[0] in names}
        if node.name[:-1] != _plain_name(node.op)[:-1]:  # it stands for several ops
            return found
        if node.op in ("sum", "mean", "reshape", "expand", "repeat"):
            found["self_sym_sizes"] = node.sizes[0]
        for name, of, torchs in _OPTIONS:
            if name in node.attributes:
                found[torchs] = of(map(int, node.attributes[name])) if of is tuple else of(node.attributes[name][0])
        return found

    def __dir__(self):
        return [*super().__dir__(), *("_saved_" + name for name in self._saved())]

    def __getattr__(self, name):
        call = self._node.call if self.__dict__.get("_node") else None
        if call is not None and name == "saved_tensors":
            return tuple(self._unpacked(row) for row in self._node.saved)
        if call is not None and not name.startswith("_"):
            return getattr(call.ctx, name)
        prefix = next((p for p in ("_saved_", "_raw_saved_") if name.startswith(p)), None)
        if prefix:
            row = self._saved().get(name[len(prefix):])
            if isinstance(row, list):
                return self._unpacked(row) if prefix == "_saved_" else SavedTensor(self._node, row[0])
            if row is not None:
                return row
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def _unpacked(self, row):
        _, leaf, x, pack = row
        if self._node.done:
            raise RuntimeError(f"{self.name()}: what it saved has been freed: backward() has run without retain_graph")
        if pack is not None:
            return pack.unpack()
        if x is not None and row[0] == "B" and self._node.op == "pow" and _number(self._node, 1):
            return x.item()
        found = _variable(leaf) if leaf and x is not None else None
        return x if found is None else found


class AccumulateGrad(Node):
    """A leaf's node; `variable` is the leaf."""

    def __getattr__(self, name):
        x = _variable(self._node) if name == "variable" else super().__getattr__(name)
        if x is None:  # an error by which hasattr() is false
            raise AttributeError("AccumulateGrad: the program has dropped this leaf, and its numbers are gone")
        return x


class SavedTensor:
    """What an op has saved under a letter of its formula."""

    def __init__(self, node, letter):
        self._node, self._letter = node, letter

    def register_hooks(self, pack_hook, unpack_hook):
        _stepgrad._observe_nodes()
        self._node.pack(self._letter, functools.partial(Packed, pack_hook, unpack_hook))


class Packed:
    """What pack_hook made of a saved tensor."""

    def __init__(self, pack_hook, unpack_hook, x, node):
        found = node and _variable(node)
        with _stepgrad._NoGrad():
            self._made = pack_hook(x if found is None else found)
        self._unpack_hook = unpack_hook

    def unpack(self):
        with _stepgrad._NoGrad():
            return self._unpack_hook(self._made)


def _handle(hooks, hook):
    from .tensor import Handle
    number = next(_numbers)
    hooks[number] = hook
    return Handle(lambda: hooks.pop(number, None))


def _place(inputs, i, edge):
    same = [k for k, node in enumerate(inputs) if node and edge and node.address == edge.address]
    return i if i in same or not same else same[0]


def _variable(node):
    if node.op != "leaf":
        return None
    x = _leaves.get(node.address)
    if x is None:
        x = node.variable
        if x is not None:
            _leaves[node.address] = x
    return x


def _made(name, edges, node=None):
    return _classes.setdefault(name, type(name, (Node,), {}))(node, edges)


def _of_node(node):
    if node is None or isinstance(node, Node):
        return node
    address = node.part[0] if node.part else node.address
    made = _known.get(address)
    if made is None:
        name, edges = node.name, node.inputs
        if name == "AccumulateGrad":
            made = AccumulateGrad(node, [])
        else:
            rule = _RULES.get(node.op) if name == _plain_name(node.op) else None
            if rule:
                name, edges = rule(node)
            elif name in _FORMS:
                name, edges = _FORMS[name](*edges)
            else:  # one or, with spaces, each before the next
                name, *before = name.split()
                for other in reversed(before):
                    edges = [(other, edges)]
            made = _made(_NAMES.get(name, name), edges, node)
        _known[address] = made
    return made


def _output_nr(node):
    return node.part[1] if node and not isinstance(node, Node) and node.part else 0


def _plain_name(op):
    return "".join(part[:1].upper() + part[1:] for part in op.split("_")) + "Backward0"


# ---- torch's form of an op of the engine: its name, and edges: a node, None, or a form


def _number(node, i):
    return node.inputs[i] is None and not len(node.sizes[i])


def _sub(node):
    return ("RsubBackward1", node.inputs[1:]) if _number(node, 0) else ("SubBackward0", node.inputs)


def _remainder(node):
    return ("RemainderBackward0", node.inputs[:1]) if _number(node, 1) else ("RemainderBackward1", node.inputs)


def _div(node):
    if _number(node, 0):
        return "MulBackward0", [("ReciprocalBackward0", node.inputs[1:]), None]
    return "DivBackward0", node.inputs


def _pow(node):
    return ("PowBackward0", node.inputs[:1]) if _number(node, 1) else ("PowBackward1", node.inputs)


def _first(name):
    return lambda node: (name, node.inputs[:1])


def _viewed(node, form, size):
    """form of rows, for a tensor of more dimensions than two."""
    return form if len(size) <= 2 else ("UnsafeViewBackward0", [form])


def _rows(x, size):
    return x if x is None or len(size) <= 2 else ("ViewBackward0", [x])


def _matmul(node):
    (x, w), (size, _) = node.inputs, node.sizes
    return _viewed(node, ("MmBackward0", [_rows(x, size), w]), size)


def _bmm(copied, *operands):
    def rows(x, copied):
        wide = x and ("ExpandBackward0", [x])
        return wide and (("UnsafeViewBackward0", [("CloneBackward0", [wide])]) if copied == "1" else ("ViewBackward0", [wide]))
    return "UnsafeViewBackward0", [("BmmBackward0", [rows(*each) for each in zip(operands, copied)])]


def _linear(node):
    (x, w), (size, _) = node.inputs, node.sizes
    if len(size) == 1:
        return _row_times(x, w and ("TBackward0", [w]))
    return _viewed(node, ("MmBackward0", [_rows(x, size), w and ("TBackward0", [w])]), size)


def _add(node):
    y, b = node.inputs
    if y is None or y.op != "linear" or len(node.sizes[1]) != 1 or b and b.op != "leaf":
        return "AddBackward0", node.inputs
    (x, w), (size, _) = y.inputs, y.sizes
    if len(size) == 1:
        return "AddBackward0", node.inputs
    form = "AddmmBackward0", [b, _rows(x, size), w and ("TBackward0", [w])]
    return form if len(size) <= 2 else ("ViewBackward0", [form])


def _row_times(x, w):
    return "SqueezeBackward3", [("MmBackward0", [x and ("UnsqueezeBackward0", [x]), w])]


def _of_an_op(base, value):
    """What the op on a view had besides the view."""
    return "CopySlices", [base, *(g for g, _ in _of_node(value).next_functions[1:])]


_FORMS = {**{f"Bmm {copied}": functools.partial(_bmm, copied) for copied in ("01", "10", "11")},
    "CopySlices of an op": _of_an_op, "Mm of a row": _row_times,
    "Mv of rows": lambda x, v: ("UnsafeViewBackward0", [("MvBackward0", [x and ("ViewBackward0", [x]), v])])}
_RULES = {"sub": _sub, "remainder": _remainder, "div": _div, "pow": _pow, "matmul": _matmul, "linear": _linear, "add": _add,
    "batched_matmul": lambda node: _bmm("00", *node.inputs), "gather": _first("GatherBackward0"),
    "masked_fill": _first("MaskedFillBackward0"), "embedding": _first("EmbeddingBackward0"),
    "cross_entropy": lambda node: ("NllLossBackward0", [("LogSoftmaxBackward0", node.inputs[:1])]),
    "where": lambda node: ("WhereBackward0", node.inputs[:2])}
_NAMES = {f"{ours}Backward0": f"{torchs}Backward{n}" for ours, torchs, n in (
    ("Concat", "Cat", 0), ("GeluTanh", "Gelu", 0), ("Half", "ToCopy", 0), ("Bfloat16", "ToCopy", 0),
    ("Log1p", "Log1P", 0), ("Clamp", "Clamp", 1), ("ClampBy", "Clamp", 0), ("Reshape", "View", 0), ("LayerNorm", "NativeLayerNorm", 0),
    ("FusedAttention", "ScaledDotProductFlashAttentionForCpu", 0))}
_LETTERS = {"X": "self", "A": "self", "B": "other", "Y": "result"}
_SAVED = {"matmul": {"B": "mat2"}, "batched_matmul": {"B": "mat2"}, "linear": {"W": "mat2"}, "pow": {"B": "exponent"},
    "layer_norm": {"X": "input", "W": "weight", "M": "result1", "R": "result2"}, "where": {"M": "condition"},
    "masked_fill": {"M": "mask"}, "gather": {"I": "index"}, "embedding": {"ids": "indices"}}
_OPTIONS = (("dim", int, "dim"), ("dims", tuple, "dim"), ("keepdim", bool, "keepdim"), ("correction", int, "correction"),
    ("lo", float, "min"), ("hi", float, "max"))


def shown(name, *operands):
    """A decorator for what torch has as one op of these parameters, or of the first one. An operand is a parameter's
    name, behind i: if it is the i-th. With a | the second name is for more arguments than the first, or for a tensor as
    the last operand."""
    name, _, other = name.partition("|")

    def of(f):
        code = getattr(inspect.unwrap(f), "__code__", None)
        places = [(int(operand[0]), operand[2:]) if ":" in operand else (code.co_varnames.index(operand), operand)
            for operand in operands]

        @functools.wraps(f)
        def call(*args, **kwargs):
            y = f(*args, **kwargs)
            found = [args[i] if i < len(args) else kwargs.get(operand) for i, operand in places] \
                or args[:1] or [kwargs.get(code and code.co_varnames[0])]
            if other and not operands and any(isinstance(x, Tensor) for x in (*args[1:], *kwargs.values())):  # max(a, b)
                return y
            more = isinstance(found[-1], Tensor) if operands else kwargs or args[1:]
            if other and operands and not more:
                found.pop()
            for x in y if isinstance(y, (tuple, list)) else (y,):
                if isinstance(x, Tensor):
                    _stepgrad._show_as(x, other if other and more else name, *found)
            return y
        return call
    return of


def methods_shown():
    """Methods of Tensor that are one op in torch, of the tensor and perhaps of others."""
    for word in _METHODS.split():
        method, _, name = word.partition("=")
        name, *operands = name.split(",")
        name = "|".join(part if part[-1].isdigit() else part + "Backward0" for part in name.split("|"))
        setattr(Tensor, method, shown(name, *(operands and ["0:self", *operands]))(getattr(Tensor, method)))


_METHODS = """var=Var logsumexp=Logsumexp cumprod=Cumprod t=T transpose=Transpose swapaxes=Transpose
squeeze=Squeeze|SqueezeBackward1 unsqueeze=Unsqueeze flip=Flip roll=Roll topk=Topk sort=Sort median=Median|MedianBackward1
softmax=Softmax log_softmax=LogSoftmax index_select=IndexSelect masked_select=MaskedSelect rsqrt=Rsqrt square=Pow tril=Tril
round=Round|RoundBackward1 floor=Floor ceil=Ceil sign=Sign trunc=Trunc nan_to_num=NanToNum norm=NormBackward1 diag=Diag
amax=Amax amin=Amin clamp_min=ClampMin|ClampMinBackward1,1:min clamp_max=ClampMax|ClampMaxBackward1,1:max
sum=Sum|SumBackward1 mean=Mean|MeanBackward1 prod=Prod|ProdBackward1 max=MaxBackward1|Max min=MinBackward1|Min
dot=Dot,1:tensor bmm=Bmm,1:mat2 addmm=Addmm,1:mat1,2:mat2 xlogy=XlogyBackward2|Xlogy,1:other reciprocal=Reciprocal
lerp=Lerp|LerpBackward1,1:end,2:weight
addcmul=Addcmul,1:tensor1,2:tensor2 addcdiv=Addcdiv,1:tensor1,2:tensor2
scatter=ScatterBackward1|Scatter,3:src scatter_add=ScatterAdd,3:src index_add=IndexAdd,3:source
index_fill=IndexFill|IndexFillBackward1,3:value masked_fill=MaskedFill|MaskedFillBackward1,2:value"""


# ---- Of Tensor


def _requires_grad_(self, requires_grad=True):
    _require_grad(self, requires_grad)
    if requires_grad and (node := self._leaf):
        _leaves[node.address] = self
    return self


def _base(self):
    """The tensor that this is a view of: the one that the program has, or else another of it; None for no view."""
    base = self._base_of()
    if base is None:
        return None
    return next((x for x in gc.get_objects() if issubclass(type(x), Tensor) and x is not base and x._is(base)), base)


def register_post_accumulate_grad_hook(self, hook):
    """hook(self) runs after a backward pass has added to self.grad."""
    if not (self.requires_grad and self.is_leaf):
        raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
    _stepgrad._observe_nodes()
    x = weakref.ref(self)
    return _handle(self._leaf.state.setdefault("posts", {}), lambda grads, grad_outputs: (hook(x()), None)[1])


_require_grad = Tensor.requires_grad_
Tensor.requires_grad_ = _requires_grad_
Tensor.requires_grad = property(Tensor.requires_grad.fget, lambda self, on: _requires_grad_(self, on))
Tensor.register_post_accumulate_grad_hook = register_post_accumulate_grad_hook
Tensor.grad_fn = property(lambda self: _of_node(self._node))
Tensor._base = property(_base)
Tensor.output_nr = property(lambda self: _output_nr(self._node))
