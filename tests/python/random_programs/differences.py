"""What differs between two answers to a program, and why where neither is wrong.

How far two engines may be apart depends on the program (think of exp(x) - exp(x + 1e-7)). So it is 32 times what
torch's floats are off from its doubles, and a rounding of the largest number that may have cancelled out, of the
program or of a division by one. The inputs are finite and small: special_values.py has the others."""

import array
import math

KNOWN = ROUNDED, UNKNOWN_ZERO, DOCUMENTED, SHAKEN = (
    "roundings of 0", "zeros that one knows", "documented", "decided by rounding")

# What stepgrad refuses in a sentence, and torch does not: its tape does not record it, or torch's
# product has saved a copy of an operand that was written over meanwhile.
REFUSALS = ("is not recorded", "clone() it first", "backward: batched_matmul at")
# And the reverse: torch saves results of which no gradient here has need; a fault of torch's own; and
# what is a view in torch may be a copy here, as the README says. Of a gradient that hangs on no
# parameter, one of them records zeros.
REFUSED_BY_TORCH = ("modified by an inplace operation", "ZeroTensors are immutable",
    "view size is not compatible")


def numbers(answer):
    """Shape and elements of what was made."""
    return {name: made and [made[0], array.array("d", bytes.fromhex(made[1])).tolist()] for name, made in answer.items()
        if name != "error"}


def kind(x):
    return "nan" if math.isnan(x) else x if math.isinf(x) else "finite"


def compared(lines, ours, floats, doubles):
    if "error" in ours or "error" in floats:
        mine, theirs = (r.get("error") for r in (ours, floats))
        if mine and theirs and mine[0] == theirs[0]:
            return None
        if (mine and any(words in mine[2] for words in REFUSALS)
                or theirs and any(words in theirs[2] for words in REFUSED_BY_TORCH)
                or any(x and lines[x[0]].startswith("sum((g") and "not require" in x[2] for x in (mine, theirs))):
            return DOCUMENTED
        return f"ours threw {mine}, torch {theirs}"
    apart = [name for name, expected in floats.items() if ours.get(name) != expected]
    if not apart:
        return None
    ours, floats, doubles = map(numbers, (ours, floats, doubles))
    second, divides = (any(word in line for line in lines) for word in ("create_graph", "/ "))
    sizes = [abs(x) for made in floats.values() for x in (made or [[], []])[1] if abs(x) < 1e5]
    sizes += [1 / x for x in sizes if x] if divides else []
    largest_of_all = max(sizes, default=0.0)
    found = None
    for name in sorted(apart, key=is_gradient):  # values first
        got, expected = ours.get(name), floats[name]
        if got is None or expected is None:
            if second and (got or expected) and not any((got or expected)[1]):
                found = UNKNOWN_ZERO
                continue
            return f"{name}: {got}, torch's is {expected}"
        if got[0] != expected[0]:
            return f"{name} has the shape {got[0]}, torch's has {expected[0]}"
        exact = doubles[name][1] if doubles.get(name) else expected[1]
        finite = [(t, e) for t, e in zip(expected[1], exact) if math.isfinite(t - e)]
        allowed = 32 * max((abs(t - e) for t, e in finite), default=0.0)
        allowed += 4e-6 * max((abs(t) for t, _ in finite), default=0.0) + 1e-7 * largest_of_all
        for i, (o, t, e) in enumerate(zip(got[1], expected[1], exact)):
            if o == t or abs(o - t) <= allowed or math.isnan(o) and math.isnan(t):
                continue
            if is_gradient(name) and abs(e) < 1e-12 * largest_of_all and abs(o) < 1e-5 * largest_of_all:
                found = ROUNDED  # terms cancel out exactly, as what layer_norm subtracts again
            elif kind(t) != kind(e) or abs(t) < abs(t - e):
                found = SHAKEN  # of torch's number no digit is right
            else:
                return f"{name}, element {i}: {o}, torch's is {t} (in double precision {e})"
    return found


def is_gradient(name):
    """x.grad, or the gradient y_x that torch.autograd.grad gave."""
    return name.endswith(".grad") or "_" in name
