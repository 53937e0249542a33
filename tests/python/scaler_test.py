"""GradScaler: scales, skips, counts."""

import unittest

from session import said


class Scaler(unittest.TestCase):
    """GradScaler, whose numbers are by hand: PyTorch's own needs a GPU."""

    def test_it_unscales_once_skips_overflows_and_grows_after_two_good_steps(self):
        code = """
from torch.cuda.amp import GradScaler
w, v = (torch.nn.Parameter(torch.tensor([x])) for x in (1.0, 2.0))
one, two = (torch.optim.SGD([p], lr=1.0) for p in (w, v))
scaler = GradScaler(8.0, 2.0, 0.5, 2)

def refused(f):
    try: f()
    except (RuntimeError, AssertionError) as error: return type(error).__name__
    return "taken"

scaler.scale((w * 3).sum()).backward()
assert w.grad.item() == 24
scaler.step(one)                                   # 24 / 8 = 3
assert (w.grad.item(), w.item()) == (3, -2)
assert refused(lambda: scaler.step(one)) == "RuntimeError"
assert refused(lambda: scaler.unscale_(one)) == "RuntimeError"
scaler.update()
assert scaler.get_scale() == 8
for p in (w, v): p.grad = torch.tensor([8.0])
scaler.unscale_(one)
assert refused(lambda: scaler.unscale_(one)) == "RuntimeError"
scaler.step(one); scaler.step(two)                 # 8 / 8 = 1, of each once
assert (w.item(), v.item()) == (-3, 1)
scaler.update()
assert scaler.get_scale() == 16                    # two good ones
w.grad, v.grad = torch.tensor([16.0]), torch.tensor([float('inf')])
scaler.step(one); scaler.step(two)
assert (w.item(), v.item()) == (-4, 1)
scaler.update()
assert scaler.get_scale() == 8                     # for both, though one was good
assert refused(scaler.update) == "AssertionError"
state = scaler.state_dict()
assert state == {"scale": 8.0, "growth_factor": 2.0, "backoff_factor": 0.5, "growth_interval": 2,
                 "_growth_tracker": 0}, state
w.grad = torch.tensor([8.0])
scaler.step(one); scaler.update()
other = GradScaler(1.0)
other.load_state_dict(scaler.state_dict())
w.grad = torch.tensor([8.0])
other.step(one); other.update()
assert (w.item(), other.get_scale(), scaler.get_scale()) == (-6, 16, 8)
w.grad, v.grad = torch.tensor([float("nan")]), torch.tensor([8.0])
scaler.step(one); scaler.step(two)
assert (w.item(), v.item()) == (-6, 0)             # each by its own gradients
scaler.update()
v.grad = torch.tensor([4.0])
scaler.step(two); scaler.update()
assert scaler.get_scale() == 4                     # the count had begun anew
scaler.update(32.0)
v.grad = torch.tensor([32.0])
scaler.step(two); scaler.update()
assert scaler.get_scale() == 64                    # and goes on with a scale that is given
scaler.update(2.0**126)
for _ in range(4):
    v.grad = torch.tensor([0.0])
    scaler.step(two); scaler.update()
assert scaler.get_scale() == 2.0**127              # as far as a float reaches
w.grad = None
assert refused(lambda: other.step(one)) == "AssertionError"
off, loss = GradScaler(enabled=False), w.sum()
assert off.scale(loss) is loss and off.get_scale() == 1 and off.state_dict() == {}"""
        said(code)

    def test_whatever_the_scale_is_gradients_are_divided_by_it_and_a_step_is_skipped_if_they_overflowed(self):
        code = """
for scale in (0.0, -4.0, float("nan"), float("-inf"), 1e-39):
    w = torch.nn.Parameter(torch.tensor([1.0]))
    optimizer, scaler = torch.optim.SGD([w], lr=1.0), torch.cuda.amp.GradScaler(init_scale=scale, growth_interval=1)
    scaler.scale((w * 2).sum()).backward()
    scaler.step(optimizer); scaler.update()
    print(w.tolist(), scaler.get_scale())"""
        # PyTorch multiplies by 1 / scale, which may be infinite: 0 * inf = NaN. It tests gradients before that.
        self.assertEqual(said(code), "[nan] 0.0\n[-1.0] -8.0\n[1.0] nan\n[1.0] -inf\n[-inf] 2e-39\n")

    def test_a_scaler_scales_all_that_it_is_given(self):
        code = """
scaler = torch.cuda.amp.GradScaler(init_scale=4.0)
print(scaler.scale(torch.ones(1)), scaler.scale([torch.ones(1), (torch.ones(1),)]))"""
        self.assertEqual(said(code), "tensor([4.]) [tensor([4.]), (tensor([4.]),)]\n")


if __name__ == "__main__":
    unittest.main()
