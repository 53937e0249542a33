"""Statements by learners that once differed from torch: both print the same. And README's table of
differences between torch 1.13 and 2 is right for each, and for stepgrad."""

import re
import subprocess
import unittest

from session import PYTHON, TREE, different, ours, output, torch_version

VERSION = torch_version()


class LikeTorch(unittest.TestCase):
    def same(self, code):
        code = ("import torch, numpy as np\nfrom torch import nn\nfrom torch.utils.data import DataLoader\n"
                "x = torch.ones(2, 2, requires_grad=True)\n" + code)
        theirs = subprocess.run([PYTHON, "-c", code], text=True, capture_output=True)
        self.assertEqual(different(output(theirs), output(ours("-c", "import stepgrad.torch\n" + code))), [])

    def test_tensors_are_made_of_ranges_and_of_lists_of_arrays(self):
        self.same("""
print(torch.tensor(range(1000, 1003)), torch.LongTensor(range(300, 303)))
print(torch.tensor([np.float32([1, 2]), np.float32([3, 4])]))
print(torch.tensor([np.arange(3), np.arange(3) + 5000]))
print(torch.Tensor(2, 3).shape, torch.Tensor(4).shape, torch.Tensor([1, 2]))""")

    def test_arrays_are_indices(self):
        self.same("""
i = torch.arange(4)
print(i[np.array([2, 0])], i[np.array([True, False, True, False])], i[np.int64(2)])""")

    def test_numbers_of_numpy_leave_an_operator_to_the_tensor(self):
        self.same("""
y = np.sqrt(4.) * x + np.float32(2) - x / np.int64(2)
print(y, (np.float32(3) < x), torch.ones(2) * np.float32([1, 2]), np.exp(torch.zeros(2)))
try: np.float32([1, 2]) * torch.ones(2)
except TypeError as error: print("TypeError")""")

    def test_a_norm_of_zeros_has_a_gradient_and_softmax_a_dimension(self):
        self.same("""
z = torch.tensor([[0., 0.], [3., 4.]], requires_grad=True)
(z.norm(dim=1).sum() + z[0].norm()).backward()
print(z.grad, torch.softmax(x, 1))
for sizes in ((4,), (2, 2), (2, 2, 3), (2, 2, 3, 2)):
    print(torch.nn.functional.softmax(torch.arange(24.)[:int(np.prod(sizes))].view(sizes)).sum(0) + 9)""")

    def test_views_keep_their_numbers_when_their_tensor_is_given_others(self):
        self.same("""
a = torch.zeros(2, 3) + torch.arange(6.).view(2, 3)
v, t, row, part, old = a.view(-1), a.t(), a[0], a.split(1)[1], a.data
a.data = torch.zeros(1, 2)
print(a, v, t, row, part, old)
v[0] = 9
t.add_(1)
part.mul_(2)
print(a, v, t, row, part, old, v.numpy(), row.data_ptr() == old.data_ptr())""")

    def test_products_are_methods_too(self):
        self.same("""
print(x.matmul(x).tolist(), x.mm(x).tolist(), x[None].bmm(x[None]).tolist())
print(torch.einsum("ij,jk->ik", [x, x]).tolist())""")

    def test_modules_and_loaders(self):
        self.same("""
print(nn.utils.clip_grad_norm_([x], 1.0))
y = torch.ones(3)
nn.Dropout(1.0, inplace=True)(y)
m = nn.Module()
for name in "aba": setattr(m, name, nn.Parameter(y))
print(y, [name for name, _ in m.named_parameters()])
print(next(iter(DataLoader([(np.float32([1, 2]), np.int64(3))] * 3, 2))))""")


# Runs the lines given, but the last statement of each is an expression: prints it, or the error's type.
TELL = """import ast, io, sys, torch, numpy as np
from torch import nn
for line in sys.argv[1:]:
    names = dict(globals(), file=io.BytesIO())
    code = ast.parse(line)
    last = ast.Expression(code.body.pop().value)
    try:
        exec(compile(code, line, "exec"), names)
        print(repr(repr(eval(compile(last, line, "eval"), names))))
    except Exception as error:
        print(repr(type(error).__name__))
"""


class Tables(unittest.TestCase):
    def rows(self, header):
        """The code in backticks of README's table with that header, row by row."""
        text = (TREE / "demos/notebook/README.md").read_text()
        table = text.split(header + "\n")[1].split("\n\n")[0]
        rows = [re.findall(r"`([^`]+)`", row) for row in table.splitlines()[1:]]
        self.assertGreater(len(rows), 5)
        return rows

    def told(self, rows):
        """The results of the first line of each row, under torch and here."""
        lines = [row[0] for row in rows]
        theirs = subprocess.run([PYTHON, "-W", "ignore", "-c", TELL, *lines], text=True, capture_output=True)
        mine = ours("-c", "import stepgrad.torch\n" + TELL, *lines)
        return zip(rows, output(theirs).splitlines(), output(mine).splitlines(), strict=True)

    def test_each_row_of_the_table_of_versions_is_true(self):
        for row, they, we in self.told(self.rows("| torch 1.13 | torch 2 | here |")):
            self.assertEqual(len(row), 4, row)
            self.assertIn(row[VERSION], they, row[0])
            self.assertIn(row[3], we, row[0])

    def test_each_row_of_the_table_of_differences_is_true(self):
        for row, they, we in self.told(self.rows("| | torch 1.13 | here |")):
            self.assertEqual(len(row), 3, row)
            if VERSION == 1:
                self.assertIn(row[1], they, row[0])
            self.assertIn(row[2], we, row[0])


if __name__ == "__main__":
    unittest.main()
