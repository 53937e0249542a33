"""What differs between two answers to a program, and why where neither is wrong.

How far two engines may be apart depends on the program (think of exp(x) - exp(x + 1e-7)), so that
torch itself in double precision says it: 32 times what torch's floats are off from its doubles, and a
rounding of the largest number that may have cancelled out, a number of the program or what a division by
one makes.

Where torch's gradient is NaN or infinite, it is not compared if the program has one of UNDEFINED.
"""

import array
import math
import re

KNOWN = ROUNDED, OVERFLOWS, UNKNOWN_ZERO, DOCUMENTED, SHAKEN = (
    "roundings of 0", "overflows", "zeros that one knows", "documented", "decided by rounding")

# What stepgrad refuses in a sentence, and torch does not: its tape does not record it, or torch's
# product has saved a copy of an operand that was written over meanwhile.
REFUSALS = ("is not recorded", "clone() it first", "backward: batched_matmul at")
# And the reverse: torch saves results of which no gradient here has need; a fault of torch's own; and
# what is a view in torch may be a copy here, as the README says. Of a gradient that hangs on no
# parameter, one of them records zeros.
REFUSED_BY_TORCH = ("modified by an inplace operation", "ZeroTensors are immutable",
                    "view size is not compatible")


# Gradients of infinite numbers are what the order of subtractions makes of them; a NaN is no maximum in torch.
UNDEFINED = (".var(", ".std(", "layer_norm(", ".amax(", ".amin(")


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
    undefined = any(word in line for line in lines for word in UNDEFINED)
    gelu = any(".gelu(" in line for line in lines)  # far to the left 0 in torch, here tiny: 1/x differs
    zeros = any(word in line for line in lines  # which of 0 and -0: 1/x differs
                for word in ("min", "max", "clamp", "F.elu"))
    huge = any("HUGE[" in line for line in lines)
    most = math.inf if huge else 1e5
    sizes = [abs(x) for made in floats.values() for x in (made or [[], []])[1]]
    second, divides = (any(word in line for line in lines) for word in ("create_graph", "/ "))
    square = max((x for x in sizes if x < math.inf), default=0.0)**2 if second and huge else 0  # of g², 2 g g' arrives
    sizes += [1 / x for x in sizes if x] if divides else []
    normalizes = any("layer_norm(" in line for line in lines)
    if normalizes and any(1e18 < x < math.inf for x in sizes):
        return OVERFLOWS  # their squares, in torch and not here
    found, lost, made_of = None, set(), sources(lines)
    rounding = (1e-6 if huge else 1e-7) * max((x for x in sizes if x < most), default=0.0)
    for name in sorted(apart, key=is_gradient):  # values first
        got, expected = ours.get(name), floats[name]
        if got is None or expected is None:
            if second and (got or expected) and not any((got or expected)[1]):
                found = UNKNOWN_ZERO
            else:
                return f"{name}: {got}, torch's is {expected}"
            continue
        if got[0] != expected[0]:
            return f"{name} has the shape {got[0]}, torch's has {expected[0]}"
        exact = doubles[name][1] if doubles.get(name) else expected[1]
        finite = [(t, e) for t, e in zip(expected[1], exact) if math.isfinite(t - e)]
        largest = max((abs(t) for t, _ in finite), default=0.0)
        off = max((abs(t - e) for t, e in finite), default=0.0)
        if any(abs(t - e) > abs(t) / 2 for t, e in finite):
            lost.add(name)
        allowed = 32 * off + 4e-6 * largest + rounding
        for i, (o, t, e) in enumerate(zip(got[1], expected[1], exact)):
            if abs(o - t) <= allowed:
                continue
            if kind(t) == kind(e) and (kind(o) != kind(t) or kind(o) == "finite"):
                consequence = zeros and found == DOCUMENTED and "finite" not in (kind(o), kind(t))  # inf - inf
                strange = consequence or (gelu or undefined and is_gradient(name)) and kind(t) != "finite" or (
                    zeros and {o, t} == {math.inf, -math.inf}) or (
                    # of a constant row 0 here, in torch what rounding leaves, and then times ∞
                    normalizes and math.isnan(o + t) and math.inf in (abs(o), abs(t)))
                shaky = bool(lost if is_gradient(name) else lost & made_of[name]) and (
                    kind(o) == "finite" or undefined or divides)
                found = DOCUMENTED if strange else known_cause(name, o, t, e, shaky, sizes, square, second, normalizes)
                if not found:
                    return f"{name}, element {i}: {o}, torch's is {t} (in double precision {e})"
    return found


def sources(lines):
    """For each variable those that it was computed from."""
    found = {}
    for line in lines:
        name, *others = re.findall(r"\bv\d+\b", line) or [""]
        found.setdefault(name, set()).update(others, *(found.get(other, ()) for other in others))
    return found


def known_cause(name, ours, torchs, exact, shaky, sizes, square, second, normalizes):
    """Why they differ where neither is wrong, or None. shaky: it hangs on a number of which torch has no digit right."""
    off = abs(torchs - exact)
    if kind(torchs) == "finite" and (shaky or abs(torchs) < off) and (
            math.isinf(ours) or not abs(ours - exact) > 100 * off + 1e-37):
        return SHAKEN  # ours is no worse, or 1/0, or log(0)
    largest = max((x for x in sizes if x < math.inf), default=1.0)
    if second and normalizes:
        largest *= 1e5  # twice the 1/√eps of a constant row
    largest = max(largest, square)
    if not is_gradient(name):
        return None
    if abs(exact) < 1e-12 * largest and abs(ours) < 1e-5 * largest:
        return ROUNDED  # terms cancel out exactly, as what layer_norm subtracts again
    if second and kind(ours) != "finite" and abs(torchs) > 1e30:
        return OVERFLOWS
    if second and math.isnan(ours + torchs) and not all(map(math.isfinite, sizes)):
        return UNKNOWN_ZERO  # where one of them knows that a slope is 0, and ends the way
    return None


def is_gradient(name):
    """x.grad, or the gradient y_x that torch.autograd.grad gave."""
    return name.endswith(".grad") or "_" in name
