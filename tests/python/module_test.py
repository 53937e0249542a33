"""The module by itself: names of its own, memory, float64, autocast, arrays, draws and attention."""

import unittest

from session import require, run, said

require("numpy")


class Names(unittest.TestCase):
    def test_with_torch_loaded_already_it_refuses(self):
        code = "import sys, types\nsys.modules['torch'] = types.ModuleType('torch')\nimport stepgrad.torch"
        self.assertIn("ImportError: import stepgrad.torch: the real torch is loaded", run(code).stderr)

    def test_the_engine_has_its_own_names(self):
        code = """
x = stepgrad.Tensor([1.0, 2.0]).requires_grad_()
x.name = "x"
stepgrad.manual_seed(1)
stepgrad.set_ledger(True)
y = (x * x).sum()
y.backward()
print(stepgrad.tape(y)); print("because", stepgrad.explain(x)); print(x.grad)
print(stepgrad.memory_stats())
import tempfile, torch.utils.tensorboard
w = torch.utils.tensorboard.SummaryWriter(folder := tempfile.mkdtemp())
w.add_scalars("b", {"c": x[0]}, 4), w.flush(), print(open(folder + "/scalars.tsv").read())
del x, y; stepgrad.set_ledger(False); stepgrad.empty_cache()
x = torch.zeros(3_000_000).requires_grad_()
y = (x * 2).view(3, -1)                            # nodes: x, mul, view; storages: x, 2, x * 2
print(stepgrad.memory_stats())"""
        text = said(code)
        for part in ("mul", "because mul #", "'x' [2]", "tensor([2., 4.])", "b/c\t4\t1.0\n",
                "'in_use': 25165824, 'cached': 0, 'peak': 25165824, 'live_nodes': 3, 'live_storages': 3"):
            self.assertIn(part, text)


class Numbers(unittest.TestCase):
    def test_float64_becomes_float32_with_one_warning(self):
        made = ("torch.from_numpy(np.zeros(2))", "torch.tensor(np.zeros(2))", "torch.as_tensor(np.zeros(2))",
            "torch.tensor(np.float64(1))", "torch.tensor([np.float64(1), 2])",
            "next(iter(DataLoader([(1.0, 2)])))[0]", "next(iter(DataLoader([np.zeros(2)])))")
        for first in made:
            code = f"""
import warnings, numpy as np
from torch.utils.data import DataLoader
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    torch.tensor([1.0]), torch.tensor(np.zeros(2), dtype=torch.float32), torch.ones(1) * np.float64(2)
    assert not told and {first}.dtype == torch.float32
    assert all(x.dtype == torch.float32 for x in ({", ".join(made)}))
    print(*[one.message for one in told])"""
            self.assertRegex(said(code), r"^float64 becomes float32[^\n]*\n$", first)

    def test_products_within_an_autocast_are_of_its_dtype(self):  # of float16 torch has it on GPUs only
        code = """
import torch.nn.functional as F
x = torch.tensor([[1 + 2**-8 + 2**-11]], requires_grad=True)
q = torch.ones(1, 1, 1, 1)
def products():
    made = x @ torch.ones(1, 1), F.linear(x, torch.ones(1, 1), torch.zeros(1)), F.scaled_dot_product_attention(q, q, x[None, None])
    return [(str(y.dtype)[6:], y.item() - 1) for y in made]
def narrow(dtype, **options): return torch.autocast("cpu", dtype=dtype, **options)
with narrow(torch.float16):
    print(products())
    with narrow(torch.bfloat16): print(products())
    with narrow(torch.float16, enabled=False): print(products())
    print(products(), (x + 1).dtype, (x @ x.half()).dtype, F.linear(x.half(), x).dtype)
print(products())"""
        half, brain, full = ([(name, number)] * 3 for name, number in (
            ("float16", 2**-8), ("bfloat16", 2**-7), ("float32", 2**-8 + 2**-11)))
        self.assertEqual(said(code).splitlines(), [
            str(half), str(brain), str(full), f"{half} torch.float32 torch.float16 torch.float16", str(full)])

    def test_missing_features_are_refused_in_a_sentence(self):
        for call, error in (("torch.ones(2).view(torch.int32)", "RuntimeError: .*to() converts them"),
                ("torch.empty(10**15)", "RuntimeError: .*memory"),
                ("torch.ones(2, dtype=float)", "TypeError: .*say torch.float32")):
            self.assertRegex(run("import stepgrad.torch, torch\n" + call).stderr, error.replace("()", r"\(\)"))

    def test_arrays_share_their_numbers_both_ways(self):
        code = """
import gc, numpy as np
a = np.arange(6, dtype=np.float32).reshape(2, 3)
x = torch.from_numpy(a)
a[0, 0] = 7
b = x.numpy()
x.mul_(2)
assert b[0, 0] == 14 and a[0, 0] == 14
y = torch.ones(3).numpy()
del a, x; gc.collect()                    # the tensors are gone
junk = [torch.zeros(3) for _ in range(100)]
assert b.sum() == 2 * (7 + 1 + 2 + 3 + 4 + 5) and y.tolist() == [1, 1, 1]
for z in (torch.arange(3), torch.ones(3).half(), torch.ones(3).bool()):  # copies, which cannot be written
    assert not z.numpy().flags.writeable and np.array(z).flags.writeable
try: torch.ones(2, requires_grad=True).numpy()
except RuntimeError as error: assert "detach" in str(error)"""
        said(code)

    def test_random_numbers_have_the_bounds_and_the_moments_that_were_asked_for(self):
        code = """
torch.manual_seed(1)
x = torch.empty(20000)
for low, high in (2.0, 5.0), (-3.0, -1.0):
    x.uniform_(low, high)
    assert low <= x.min() and x.max() < high, (low, high)
    assert abs(x.mean() - (low + high) / 2) < 0.03 and abs(x.std() - (high - low) / 12 ** 0.5) < 0.03
x.normal_(4.0, 0.5)
assert abs(x.mean() - 4) < 0.02 and abs(x.std() - 0.5) < 0.02
x = torch.normal(-2.0, 3.0, (20000,))
assert abs(x.mean() + 2) < 0.1 and abs(x.std() - 3) < 0.1
k = torch.randint(3, 7, (20000,))
assert k.dtype == torch.int64 and sorted(set(k.tolist())) == [3, 4, 5, 6]
assert abs(k.float().mean() - 4.5) < 0.05
assert sorted(torch.randperm(50).tolist()) == list(range(50))
assert abs(torch.bernoulli(torch.full((20000,), 0.25)).mean() - 0.25) < 0.02"""
        said(code)

    def test_whole_numbers_end_at_2_to_the_24_and_are_exact_until_there(self):
        code = """
x, most = torch.tensor([0, 1]), 2**24
def tried(code, **names):
    try: return eval(code, {"torch": torch, **names}).tolist()
    except RuntimeError: return None
for v in [sign * (most + k) for sign in (1, -1) for k in (-2, -1, 0, 1, 2)]:
    for op in "x > v|x * v|v * x|x + v|v + x|x - v|v - x|x - -v|x.clone().add_(v)".split("|"):
        exact = [eval(op.replace(".clone().add_", "+"), {"x": n, "v": v}) for n in (0, 1)]
        fits = abs(v) <= most and max(map(abs, exact)) < most
        for number in (v, torch.tensor(v)) if abs(v) <= most else (v,):
            for row in x, x.int(): assert tried(op, x=row, v=number) == (exact if fits else None), (op, v)
    for make in "torch.tensor([v])", "torch.zeros(1).long().new_tensor([v])":
        assert tried(make, v=v) == ([v] if abs(v) <= most else None), (make, v)
    half = torch.tensor([v // 2, v - v // 2])
    for make in '''torch.full((1,), v)
x.clone().fill_(v)
x.masked_fill(x == 0, v)
torch.where(x == 0, v, x)
x.index_fill(0, x[:1], v)
half.sum(0, True)
half.cumsum(0).flip(0)'''.splitlines():
        found = tried(make, x=x, v=v, half=half)
        assert found and found[0] == v if abs(v) < most else found is None, (make, v)"""
        said(code)


class State(unittest.TestCase):
    def test_a_failed_load_state_dict_changes_nothing(self):  # torch has loaded half of it then
        code = """
net = torch.nn.Linear(1, 2)
before = str(net.state_dict())
for strict in (True, False):
    try: net.load_state_dict({"weight": torch.zeros(2, 1), "bias": torch.zeros(3)}, strict)
    except RuntimeError as error: print("size mismatch for bias" in str(error), before == str(net.state_dict()))"""
        self.assertEqual(said(code), "True True\n" * 2)


class Attention(unittest.TestCase):
    def test_it_is_one_op_with_the_numbers_of_the_steps_dropout_too(self):
        code = """
import torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0)
q, k, v = (torch.randn(2, 3, 70, 8, requires_grad=True) for _ in range(3))
ahead = torch.ones(70, 70).bool().triu(1)
def gradients(attend):
    torch.manual_seed(1)
    y = attend()
    return y, *torch.autograd.grad((y * torch.arange(70.).sin().unsqueeze(1)).sum(), (q, k, v))
def steps(): return F.dropout((q @ k.mT * 8**-0.5).masked_fill(ahead, -torch.inf).softmax(-1), 0.4) @ v
one = gradients(lambda: F.scaled_dot_product_attention(q, k, v, ~ahead, 0.4))
print([torch.allclose(a, b, 1e-4, 1e-6) for a, b in zip(one, gradients(steps), strict=True)])
ops = lambda y: str(y.sum().tape())
one = F.scaled_dot_product_attention(q, k, v, ~ahead)
print("softmax" in ops(one), "softmax" in ops(steps()))
mha, x, found = nn.MultiheadAttention(8, 2, dropout=0.3), torch.randn(5, 2, 8, requires_grad=True), []
for need in (False, True):
    torch.manual_seed(2)
    y, weights = mha(x, x, x, need_weights=need)
    found.append(y)
    print("fused_attention" in ops(y), weights is None)
print(torch.allclose(*found, 1e-4, 1e-6))"""
        self.assertEqual(said(code), "[True, True, True, True]\nFalse True\nTrue True\nFalse False\nTrue\n")


unittest.main()
