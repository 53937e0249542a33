import unittest

from session import said


class Scaler(unittest.TestCase):
    """The numbers are by hand: before 2.3, PyTorch's own GradScaler needs a GPU."""

    def test_it_unscales_once_skips_overflows_and_grows_after_two_good_steps(self):
        code = """
import math
from functools import partial
GradScaler = partial(torch.amp.GradScaler, "cpu")
w, v = (torch.nn.Parameter(torch.tensor([x])) for x in (1.0, 2.0))
one, two = (torch.optim.SGD([p], lr=1.0) for p in (w, v))
scaler = GradScaler(8.0, 2.0, 0.5, 2)

def refused(f, *args):
    try: f(*args)
    except (RuntimeError, AssertionError) as error: return type(error).__name__
    return "taken"

def step(scaler, *gradients):
    "With these gradients of w and v; w and v after it, and the scale after the update."
    for p, optimizer, g in zip((w, v), (one, two), gradients):
        p.grad = None if g is None else torch.tensor([g])
        if g is not None: scaler.step(optimizer)
    scaler.update()
    return w.item(), v.item(), scaler.get_scale()

scaler.scale((w * 3).sum()).backward()
assert w.grad.item() == 24
scaler.step(one)                                   # 24 / 8 = 3
assert (w.grad.item(), w.item()) == (3, -2)
assert (refused(scaler.step, one), refused(scaler.unscale_, one)) == ("RuntimeError", "RuntimeError")
scaler.update()
assert scaler.get_scale() == 8
for p in (w, v): p.grad = torch.tensor([8.0])
scaler.unscale_(one)
assert refused(scaler.unscale_, one) == "RuntimeError"
scaler.step(one); scaler.step(two)                 # 8 / 8 = 1, of each once
scaler.update()
assert (w.item(), v.item(), scaler.get_scale()) == (-3, 1, 16)  # after two good steps
assert step(scaler, 16.0, math.inf) == (-4, 1, 8)  # each by its own gradients, the scale for both
assert refused(scaler.update) == "AssertionError"
assert scaler.state_dict() == {
    "scale": 8.0, "growth_factor": 2.0, "backoff_factor": 0.5, "growth_interval": 2, "_growth_tracker": 0}
assert step(scaler, 8.0) == (-5, 1, 8)
other = GradScaler(1.0)
other.load_state_dict(scaler.state_dict())
assert step(other, 8.0) == (-6, 1, 16) and scaler.get_scale() == 8
assert step(scaler, math.nan, 8.0) == (-6, 0, 4)
assert step(scaler, None, 4.0) == (-6, -1, 4)      # the count had begun anew
scaler.update(32.0)
assert step(scaler, None, 32.0) == (-6, -2, 64)    # and goes on with a scale that is given
scaler.update(2.0**126)
for _ in range(4): step(scaler, None, 0.0)
assert scaler.get_scale() == 2.0**127              # as far as a float reaches
w.grad = None
assert refused(other.step, one) == "AssertionError"
off, loss = GradScaler(enabled=False), w.sum()
assert off.scale(loss) is loss and off.get_scale() == 1 and off.state_dict() == {}
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

    def test_it_grows_after_growth_interval_steps_and_never_if_that_is_none(self):
        code = """
for interval in 2, 1, 0, -1:
    w = torch.nn.Parameter(torch.tensor([1.0]))
    optimizer, scaler = torch.optim.SGD([w], lr=1.0), torch.amp.GradScaler("cpu", 4.0, growth_interval=interval)
    for _ in range(3):
        w.grad = torch.tensor([0.0])
        scaler.step(optimizer); scaler.update()
    print(scaler.get_scale())"""
        # PyTorch grows where the count of good steps equals the interval; it counts from 1.
        self.assertEqual(said(code), "8.0\n32.0\n4.0\n4.0\n")


unittest.main()
