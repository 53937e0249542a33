"""A tensor as a picture. Uses no debugger."""

import math

from stepgrad_format import number

SHADES = " .:-=+*#%@"


def heatmap_lines(shape, read, colour, max_rows=32, max_columns=64):
    """The tensor viewed as [rows, n]: red above 0, blue below, magenta NaN. Without colour:
    shades for the size, and ! for NaN and Inf. Large ones are thinned out."""
    n = shape[-1] if shape else 1
    total = math.prod(shape)
    if total == 0:
        return ["[]"]
    rows = total // n
    row_ids = thinned(rows, max_rows)
    column_ids = thinned(n, max_columns)
    cells = []
    for r in row_ids:
        row = read(r * n, n) if n <= 4096 else None
        cells.append([row[c] if row is not None else read(r * n + c, 1)[0] for c in column_ids])
    scale = max((abs(v) for row in cells for v in row if v - v == 0), default=0)
    lines = ["".join(_cell(v, scale, colour) for v in row) for row in cells]
    note = "-%s blue, 0 %s, %s red" % (number(scale), "black", number(scale)) if colour else \
        "shades from 0 to %s in size, ! for NaN and Inf" % number(scale)
    if len(row_ids) < rows or len(column_ids) < n:
        note += "; %d of %d rows, %d of %d columns" % (len(row_ids), rows, len(column_ids), n)
    return lines + [note]


def thinned(n, limit):
    if n <= limit:
        return list(range(n))
    return [i * (n - 1) // (limit - 1) for i in range(limit)]


def _cell(value, scale, colour):
    part = 0 if scale == 0 or value - value != 0 else abs(value) / scale
    if not colour:
        return "!" * 2 if value - value != 0 else SHADES[round(part * (len(SHADES) - 1))] * 2
    level = round(255 * part)
    red, green, blue = (255, 0, 255) if value - value != 0 else \
        (level, level // 4, 0) if value > 0 else (0, level // 4, level)
    return "\033[48;2;%d;%d;%dm  \033[0m" % (red, green, blue)
