"""Errors arrive from hooks and checkpoints, wrong input is refused, and nothing has changed."""

import unittest

from session import require, said

require("numpy")


class Errors(unittest.TestCase):
    def test_what_a_hook_or_a_checkpointed_function_raises_arrives(self):
        code = """
from torch.utils.checkpoint import checkpoint
class Mine(Exception): pass
w, calls = torch.ones(3, requires_grad=True), []
def hook(g):
    with torch.enable_grad():
        (torch.ones(1, requires_grad=True) * 2).backward()   # a pass within the pass
    raise Mine("of the hook")
def f(x):
    calls.append(1)
    if len(calls) == 2: raise Mine("of the checkpoint")
    return x * 2
y = w * 2
y.register_hook(hook)
for loss in y, checkpoint(f, w):
    try: loss.sum().backward()
    except Mine as error: print(error)"""
        self.assertEqual(said(code, timeout=60), "of the hook\nof the checkpoint\n")

    def test_an_operand_that_does_not_fit_is_refused(self):
        code = """
def refusal(f):
    try: f()
    except RuntimeError as error: print(error)
w = torch.nn.Parameter(torch.ones(2))
(w * 3).sum().backward()
optimizer = torch.optim.AdamW([w])
optimizer.step()
moment = optimizer.state[w]["exp_avg"].tolist()
y = w + 0
y.retain_grad()
y.sum().backward(retain_graph=True)
w.data, y.data = torch.ones(50_000), torch.ones(50_000)
refusal(lambda: (w * 2).sum().backward())          # its gradient so far has two elements
refusal(lambda: (y * 2).sum().backward())
refusal(optimizer.step)
assert w.grad.tolist() == [4, 4]
w.grad = torch.ones(50_000)
refusal(optimizer.step)                            # and so have its moments
assert optimizer.state[w]["exp_avg"].tolist() == moment and w.sum() == 50_000"""
        self.assertEqual(said(code), """\
backward: a gradient of [50000] is not added to one of [2]
backward: a gradient of [50000] is not added to one of [2]
adamw: a gradient or moment of [2] for [50000]
adamw: a gradient or moment of [2] for [50000]
""")

    def test_no_entry_refuses_arguments_in_pybind11_s_words(self):
        code = """
import numpy, stepgrad
def tell(f, *args, **named):
    try: f(*args, **named)
    except Exception as error:
        if any(word in str(error) for word in ("incompatible", "C++", "overloaded")): print(f, args, named, error)
def ask(f, *first): tell(f, *first), tell(f, *first, kind), tell(f, *first, kind, kind), tell(f, *first, dtype=kind)
for kind in None, 3, "a", [], numpy.ones(2), float, 1.5, {}, torch.ones(2, 2), torch.float32:
    for f in [f for m in (torch, torch.nn.functional, stepgrad) for f in vars(m).values() if callable(f)]:
        if f.__name__ not in ("load", "save", "set_num_threads", "debug"): ask(f), ask(f, torch.ones(2, 2))
    for name in dir(torch.Tensor):
        x = torch.ones(2, 2)
        if name[:2] != "__": callable(getattr(x, name)) and ask(getattr(x, name)), tell(setattr, x, name, kind)
print("asked")"""
        self.assertEqual(said(code, timeout=60), "asked\n")

    def test_a_checkpoint_draws_once_more_and_leaves_every_generator_where_it_was(self):
        code = """
from torch.utils.checkpoint import checkpoint
torch.manual_seed(1)
g = torch.Generator().manual_seed(7)
x = torch.ones(3, requires_grad=True)
y = checkpoint(lambda x: x * torch.rand(3, generator=g) * torch.rand(3), x)
before = g.get_state(), torch.get_rng_state()
y.sum().backward()
assert torch.equal(x.grad, y.detach())
assert torch.equal(g.get_state(), before[0]) and torch.equal(torch.get_rng_state(), before[1])
h = torch.Generator().manual_seed(7)
torch.rand(3, generator=h)
assert torch.equal(torch.rand(3, generator=g), torch.rand(3, generator=h))"""
        said(code)

    def test_gradcheck_finds_a_rule_that_is_wrong_in_one_element_of_one_input(self):
        code = """
from torch.autograd import gradcheck
class Product(torch.autograd.Function):
    wrong = 0.0
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b, a.sin()
    @staticmethod
    def backward(ctx, dY, dZ):
        a, b = ctx.saved_tensors
        db = dY * a
        db[1, 0] += Product.wrong
        return dY * b + dZ * a.cos(), db
a, b = (torch.tensor(x, requires_grad=True) for x in ([[0.3, -1.2], [2.0, 0.7]], [[1.5, 0.2], [-0.4, 3.0]]))
print(gradcheck(Product.apply, (a, b)), gradcheck(lambda x: x.clamp(0), a), a.grad, b.grad)
Product.wrong = 0.01
print(gradcheck(Product.apply, (a, b), raise_exception=False), gradcheck(Product.apply, (a, b.detach())))
try: gradcheck(Product.apply, (a, b))
except RuntimeError as error: print(str(error).split(",")[0], "element 2" in str(error))
print(gradcheck(Product.apply, (a, b), atol=0.02))
large = torch.tensor([80.0], requires_grad=True)  # beyond a step, its exponential is infinite
print(gradcheck(torch.exp, large), gradcheck(lambda x: x.detach().exp() + 0 * x, large, raise_exception=False))"""
        self.assertEqual(said(code), "True True None None\nFalse True\n"
            "Jacobian mismatch for output 0 with respect to input 1 True\nTrue\nTrue False\n")

    def test_too_deep_lists_too_many_threads_and_unconstructed_objects_are_refused(self):
        code = """
import _stepgrad
deep, itself = [1.0], []
for _ in range(100_000): deep = [deep]
itself += [itself, itself]
for make in torch.tensor, torch.as_tensor, torch.Tensor, torch.LongTensor, torch.ones(1).new_tensor:
    for data in deep, itself:
        try: make(data)
        except ValueError as error: assert "too many dimensions" in str(error)
for cls in torch.Tensor, torch.nn.Parameter, torch.dtype, stepgrad.Stepper, type(_stepgrad._Grad(True)), type(_stepgrad._Autocast(torch.float16)):
    x, found = cls.__new__(cls), 0
    for use in repr, lambda x: x.next(), lambda x: x.__enter__(), lambda x: torch.ones(1) + x, lambda x: torch.zeros(2, dtype=x):
        try: use(x)
        except (TypeError, AttributeError) as error: found += "__init__() has not been called" in str(error)
    assert found, cls
torch.set_num_threads(10**6)
assert (torch.ones(300, 300) @ torch.ones(300, 300)).sum().item() == 27_000_000"""
        said(code)


unittest.main()
