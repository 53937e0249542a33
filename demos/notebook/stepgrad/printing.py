"""Tensors as text, exactly as torch prints them."""

import math

options = {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None}
_profiles = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
}


def set_printoptions(
    precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None
):
    if profile is not None:
        options.update(_profiles[profile])
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems}
    given["linewidth"] = linewidth
    options.update({name: value for name, value in given.items() if value is not None})
    options["sci_mode"] = sci_mode


class _Format:
    """The format and width of a tensor's numbers."""

    def __init__(self, values, floating, is_bool):
        self.floating = floating
        self.whole, self.scientific = True, False
        self.width = 1
        if is_bool:
            self.text = lambda v: "True" if v else "False"
        elif not floating:
            self.text = str
        else:
            self.text = self._float
            values = [v for v in values if math.isfinite(v) and v != 0]
            if values:
                sizes = [abs(v) for v in values]
                self.whole = all(v == math.ceil(v) for v in values)
                small, large = min(sizes), max(sizes)
                wide = large / small > 1000 or large > 1e8
                self.scientific = wide or (not self.whole and small < 1e-4)
        self.width = max([len(self.text(v)) for v in values], default=1)
        if options["sci_mode"] is not None and values:  # the width stays, as torch's does
            self.scientific = options["sci_mode"]

    def _float(self, v):
        if not math.isfinite(v):
            return str(v)
        if self.scientific:
            return f"{v:.{options['precision']}e}"
        if self.whole:
            return f"{v:.0f}."
        return f"{v:.{options['precision']}f}"

    def __call__(self, v):
        return self.text(v).rjust(self.width)


def _shown(x):
    """x's numbers as nested lists, with None for elements left out by a summary."""
    edge = options["edgeitems"]
    summary = x.numel() > options["threshold"]

    def walk(shape, offset):
        if not shape:
            return data[offset]
        n, rest = shape[0], shape[1:]
        block = math.prod(rest)
        cut = summary and n > 2 * edge
        at = [*range(edge), *range(n - edge, n)] if cut else range(n)
        items = [walk(rest, offset + i * block) for i in at]
        return items[:edge] + [None] + items[edge:] if cut else items

    data = _Flat(x)
    return walk(tuple(x.shape), 0)


class _Flat:
    """x.view(-1).tolist(), one number at a time if only a few are shown."""

    def __init__(self, x):
        self.x = x.detach().reshape(-1)
        self.all = self.x.tolist() if x.numel() <= 100_000 else None

    def __getitem__(self, i):
        return self.x[i].item() if self.all is None else self.all[i]


def _flat(items):
    if items is None:
        return []
    return [v for item in items for v in _flat(item)] if isinstance(items, list) else [items]


def _vector(items, indent, form):
    length = form.width + 2
    per_line = max(1, math.floor((options["linewidth"] - indent) / length))
    texts = [" ..." if v is None else form(v) for v in items]
    lines = [texts[i : i + per_line] for i in range(0, len(texts), per_line)]
    return "[" + ("," + "\n" + " " * (indent + 1)).join(", ".join(line) for line in lines) + "]"


def _body(items, dims, indent, form):
    if dims == 0:
        return form(items)
    if dims == 1:
        return _vector(items, indent, form)
    parts = ["..." if i is None else _body(i, dims - 1, indent + 1, form) for i in items]
    between = "," + "\n" * (dims - 1) + " " * (indent + 1)
    return "[" + between.join(parts) + "]"


def text(x, prefix="tensor("):
    indent = len(prefix)
    dtype = str(x.dtype)
    by_default = dtype in ("torch.float32", "torch.int64", "torch.bool")
    suffixes = []
    if x.numel() == 0:
        if x.dim() != 1:
            suffixes.append(f"size={tuple(x.shape)}")
        if dtype != "torch.float32":
            suffixes.append(f"dtype={dtype}")
        body = "[]"
    else:
        if not by_default:
            suffixes.append(f"dtype={dtype}")
        items = _shown(x)
        form = _Format(_flat(items), x.is_floating_point(), dtype == "torch.bool")
        body = _body(items, x.dim(), indent, form)
    if x._node is not None:
        suffixes.append(f"grad_fn=<{x._node.name}>")
    elif x.requires_grad:
        suffixes.append("requires_grad=True")

    out = prefix + body
    last_line = len(out) - out.rfind("\n") + 1
    for suffix in suffixes:
        if last_line + len(suffix) + 2 > options["linewidth"]:
            out += ",\n" + " " * indent + suffix
            last_line = indent + len(suffix)
        else:
            out += ", " + suffix
            last_line += len(suffix) + 2
    return out + ")"
