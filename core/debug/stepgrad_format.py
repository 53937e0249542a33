"""Numbers, rows, statistics and tables as text. Uses no debugger."""

import array
import math
import os

EDGE_COLUMNS = 4  # shown at each end of a row that is longer than twice that
EDGE_ROWS = 3
SAMPLE = 1 << 18  # statistics of larger tensors use that many elements, evenly spread
PIECE = 1 << 10  # elements read together
CODES = {4: "f", 8: "d"}  # struct's letters by the size of an element


def unpack(data, size):
    """The numbers in bytes, `size` bytes each."""
    values = array.array(CODES[size])
    values.frombytes(bytes(data))
    return values


def number(value):
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    return "%.4g" % value


def shape_text(shape):
    return "[" + ", ".join(map(str, shape)) + "]"


# ---- The elements


def edges(n, edge):
    """The indices shown of n: all, or those at both ends with None between."""
    if n <= 2 * edge:
        return list(range(n))
    return [*range(edge), None, *range(n - edge, n)]


def _pattern(values):
    """How all numbers of one tensor are formatted."""
    sizes = [abs(v) for v in values if v == v and abs(v) != math.inf and v != 0]
    if all(v == int(v) for v in sizes) and max(sizes, default=0) < 1e6:
        return "%.0f"
    return "%.4f" if max(sizes) < 1e4 and min(sizes) >= 1e-3 else "%.3e"


def _written(pattern, value):
    return pattern % value if math.isfinite(value) else number(value)


def _rows(shape, read):
    """Each row: [how many brackets open before it, close after it, its numbers]. None: left out."""
    n = shape[-1] if shape else 1
    rows = []

    def collect(dim, offset, opened):
        if dim >= len(shape) - 1:
            if n <= 2 * EDGE_COLUMNS:
                values = list(read(offset * n, n))
            else:
                last = offset * n + n - EDGE_COLUMNS
                values = [*read(offset * n, EDGE_COLUMNS), None, *read(last, EDGE_COLUMNS)]
            rows.append([opened, 0, values])
            return
        for i in edges(shape[dim], EDGE_ROWS if dim == len(shape) - 2 else 1):
            if i is None:
                rows.append(None)
            else:
                collect(dim + 1, offset * shape[dim] + i, opened + 1 if i == 0 else 0)
        rows[-1][1] += 1

    collect(0, 0, 0)
    return rows


def element_lines(shape, read):
    """A tensor's edges, one line per row, in brackets. read(offset, count) gives elements."""
    if 0 in shape:
        return ["[]"]
    rows = _rows(shape, read)
    pattern = _pattern([v for row in rows if row for v in row[2] if v is not None])
    texts = [[("..." if v is None else _written(pattern, v)) for v in row[2]] if row else None
        for row in rows]
    width = max(len(t) for row in texts if row for t in row if t != "...")
    outer = max(len(shape) - 1, 0)
    lines = []
    for row, text in zip(rows, texts):
        if row is None:
            lines.append(" " * outer + "...")
            continue
        opened, closed, _ = row
        cells = ", ".join(t if t == "..." else t.rjust(width) for t in text)
        if shape:
            cells = "[" + cells + "]"
        comma = "," if len(lines) + 1 < len(rows) else ""
        lines.append(" " * (outer - opened) + "[" * opened + cells + "]" * closed + comma)
    return lines


def preview(count, read):
    """The first and last numbers, on one line."""
    shown = edges(count, 3)
    values = [*read(0, 3), *read(count - 3, 3)] if None in shown else read(0, count)
    values = iter(values)
    return " ".join("..." if i is None else number(next(values)) for i in shown)


# ---- Statistics


class Stats:
    """min, max, mean, std of the finite ones, and the counts of zeros, NaN and Inf."""

    def __init__(self, count, read):
        self.sampled = 0
        if count <= SAMPLE:
            values = read(0, count)
        else:
            self.sampled = SAMPLE
            pieces = SAMPLE // PIECE
            values = []
            for i in range(pieces):
                values.extend(read((count - PIECE) * i // (pieces - 1), PIECE))
        finite = [v for v in values if v - v == 0]
        self.zeros = sum(1 for v in finite if v == 0)
        self.nan = sum(1 for v in values if v != v)
        self.inf = len(values) - len(finite) - self.nan
        self.seen = len(values)
        self.finite = len(finite)
        if finite:
            self.min, self.max = min(finite), max(finite)
            self.mean = math.fsum(finite) / len(finite)
            squares = sum((v - self.mean) ** 2 for v in finite)
            self.std = math.sqrt(squares / (len(finite) - 1)) if len(finite) > 1 else 0.0

    def range(self):
        low, high = (self.min, self.max) if self.finite else (1, 0)
        return range_text(low, high, self.nan, self.inf)

    def line(self):
        if self.seen == 0:
            return "no elements"
        text = "no finite number"
        if self.finite:
            text = "min %s  max %s  mean %s  std %s  zeros %s%%" % (
                number(self.min), number(self.max), number(self.mean), number(self.std),
                number(100 * self.zeros / self.seen))
        if self.nan or self.inf:
            text += "  !! NaN %d  Inf %d" % (self.nan, self.inf)
        if self.sampled:
            text += "  (of %d elements, evenly spread)" % self.sampled
        return text


def range_text(low, high, nan, inf):
    """-1.5 to 2, 3 NaN, as in the engine's messages."""
    text = "%s to %s" % (number(low), number(high)) if low <= high else "no finite number"
    if nan:
        text += ", %d NaN" % nan
    if inf:
        text += ", %d Inf" % inf
    return text


# ---- Accents: teal for forward, amber for backward, as on a page


coloured = False


def colour(wanted):
    """Colours what follows, on a terminal, unless NO_COLOR is set (https://no-color.org)."""
    global coloured
    coloured = bool(wanted) and os.isatty(1) and not os.environ.get("NO_COLOR")


def forward(text):
    return _accent(36, text)


def backward(text):
    return _accent(33, text)


def _accent(sgr, text):
    return "\033[%dm%s\033[0m" % (sgr, text) if coloured and text.strip() else text


# ---- Tables


def columns(rows, accents={}):
    """One line per row; columns are two spaces apart, and empty ones are left out. `accents` are some columns'."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [accents.get(i, str)(cell.ljust(widths[i])) for i, cell in enumerate(row[:-1]) if widths[i]]
        lines.append("  ".join(cells + [row[-1]]).rstrip())
    return lines
