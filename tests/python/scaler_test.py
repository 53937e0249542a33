import unittest

from session import said


class Scaler(unittest.TestCase):
    """The numbers are by hand: before 2.3, PyTorch's own GradScaler needs a GPU."""

    def test_any_sequence_of_calls_leaves_the_state_that_the_documentation_says(self):
        code = """
import math, random
OF = [[0], [1, 2], [3, 4, 5]]
NAMES = "scale growth_factor backoff_factor growth_interval _growth_tracker".split()

class Plain:
    "A GradScaler of numbers, and SGD with a rate of 1 on weights of 0."
    def __init__(self, *kept): self.kept, self.seen, self.done = [*kept, 0], {}, set()
    def unscale_(self, o):
        if o in self.seen: raise RuntimeError
        self.seen[o] = [grads[p] for p in OF[o] if grads[p] is not None]
        for p in OF[o]: grads[p] = None if grads[p] is None else grads[p] / self.kept[0]
    def step(self, o):
        if o in self.done: raise RuntimeError
        if o not in self.seen: self.unscale_(o)
        if not self.seen[o]: raise AssertionError
        self.done.add(o)
        if all(map(math.isfinite, self.seen[o])):
            for p in OF[o]: moved[p] = 0.0 - (grads[p] or 0.0)
    def update(self, new=None):
        scale, growth, backoff, interval, count = self.kept
        seen = sum(self.seen.values(), [])
        if new is None and not seen: raise AssertionError
        if new is not None: scale = new
        elif not all(map(math.isfinite, seen)): scale, count = scale * backoff, 0
        elif count + 1 == interval: scale, count = scale * growth, 0
        else: count += 1
        self.kept[0], self.kept[4], self.seen, self.done = scale, count, {}, set()

def tried(f, *args):
    try: f(*args)
    except (RuntimeError, AssertionError) as error: return type(error).__name__

for seed in range(400):
    r, done = random.Random(seed), []
    weights = [torch.zeros(2, requires_grad=True) for _ in range(6)]
    optimizers = [torch.optim.SGD([{"params": [weights[p] for p in part]} for part in (each[:1], each[1:]) if part], lr=1.0)
                  for each in OF]
    drawn = lambda: (r.choice((1.0, 8.0)), r.choice((2.0, 4.0)), r.choice((0.5, 0.25)), r.choice((1, 2, 3, 0, -1)))
    first = drawn()
    ours, plain, grads, kept = torch.amp.GradScaler("cpu", *first), Plain(*first), [None] * 6, [*first, 0]
    for _ in range(30):
        act, o, p = r.choice("grad grad grad back unscale_ step step update update new keep load fresh".split()), *map(r.randrange, (3, 6))
        moved, wanted, got = [0.0] * 6, None, None
        if act == "grad":
            grads[p] = r.choice((None, 8.0, 0.0, -4.0, 2.0, math.inf, math.nan))
            weights[p].grad = None if grads[p] is None else torch.tensor([0.0, grads[p]])
        elif act == "back":
            ours.scale((weights[p] * 3).sum()).backward()
            grads[p] = (grads[p] or 0.0) + 3 * plain.kept[0]
        elif act in ("unscale_", "step"):
            got, wanted = tried(getattr(ours, act), optimizers[o]), tried(getattr(plain, act), o)
        elif act in ("update", "new"):
            new = [r.choice((2.0, 16.0))] if act == "new" else []
            got, wanted = tried(ours.update, *new), tried(plain.update, *new)
        elif act == "keep": kept = [*plain.kept]
        else:
            if act == "fresh":
                given = drawn()
                ours, plain = torch.amp.GradScaler("cpu", *given), Plain(*given)
            plain.kept = [*kept]
            ours.load_state_dict(dict(zip(NAMES, kept)))
        done.append((act, o, p))
        pair = [(wanted, grads, moved, dict(zip(NAMES, plain.kept)), plain.kept[0]), (
            got, [w.grad if w.grad is None else w.grad.tolist()[1] for w in weights], [w.tolist()[1] for w in weights],
            ours.state_dict(), ours.get_scale())]
        if len({*map(repr, pair)}) > 1: print(seed, done, *pair, sep="\\\\n"); break
        for w in weights: w.data.zero_()"""
        self.assertEqual(said(code), "")

    def test_a_scale_grows_as_far_as_a_float_reaches_and_what_is_scaled_keeps_its_kind(self):
        code = """
w = torch.nn.Parameter(torch.tensor([1.0]))
optimizer, scaler = torch.optim.SGD([w], lr=1.0), torch.amp.GradScaler("cpu", 2.0**126, growth_interval=1)
for _ in range(3):
    w.grad = torch.tensor([0.0])
    scaler.step(optimizer); scaler.update()
assert scaler.get_scale() == 2.0**127
off, loss = torch.amp.GradScaler("cpu", enabled=False), w.sum()
assert off.scale(loss) is loss and off.get_scale() == 1 and off.state_dict() == {}
other = torch.amp.GradScaler("cpu", 16.0)
assert str(other.scale([loss, (loss,)])) == str([loss * 16, (loss * 16,)])
assert str([*other.scale(x for x in [loss])]) == str([loss * 16])
try: other.scale(3)
except ValueError as error: print(error)"""
        self.assertEqual(said(code), "outputs must be a Tensor or an iterable of Tensors\n")  # as in PyTorch

    def test_whatever_the_scale_is_gradients_are_divided_by_it_and_a_step_is_skipped_if_they_overflowed(self):
        code = """
for scale in (0.0, -4.0, float("nan"), float("-inf"), 1e-39, 0.1, 1e38):
    w = torch.nn.Parameter(torch.tensor([1.0]))
    optimizer, scaler = torch.optim.SGD([w], lr=1.0), torch.amp.GradScaler("cpu", init_scale=scale, growth_interval=1)
    scaler.scale((w * 2).sum()).backward()
    scaler.step(optimizer); scaler.update()
    print(w.tolist(), scaler.get_scale())"""
        # PyTorch multiplies by 1 / scale, which may be infinite: 0 * inf = NaN. It tests gradients before that. Its
        # scale is a float: 1e38 is 1 / 9.9999997e-39 there, and what w gets 2.
        self.assertEqual(said(code), "[nan] 0.0\n[-1.0] -8.0\n[1.0] nan\n[1.0] -inf\n[-inf] 2.0000004306106665e-39\n"
                                     "[-1.0] 0.20000000298023224\n[-1.0] 1.9999999360571385e+38\n")


unittest.main()
