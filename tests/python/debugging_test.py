"""The module's views of a tape: lines, the stepper, tables and pages."""

import pathlib
import tempfile
import unittest

from session import ours, output, require, said

require("numpy")


SCRIPT = """import stepgrad.torch
import torch
net = torch.nn.Linear(2, 3)
def f(x):
    return net(x).exp()
print(f(torch.ones(2)).tape())
class Outer(torch.nn.Module):
    def forward(self, x):
        return net(x) * 2
print(torch.stack([torch.ones(3), Outer()(torch.ones(2))]).tape())
"""


class Debugging(unittest.TestCase):
    def test_a_node_has_the_line_of_the_script(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "mine.py"
            script.write_text(SCRIPT)
            text = output(ours(script))
        for line in (r"linear .*mine.py:5, from mine.py:5", r"exp .*mine.py:5\n", r"concat .*mine.py:10\n",
                r"linear .*mine.py:9, from mine.py:10"):  # of an inner module the outer one's call
            self.assertRegex(text, line)

    def test_the_stepper_steps_forward_and_back(self):
        code = """
w = torch.ones(2, 2, requires_grad=True)
loss = (torch.ones(3, 2) @ w).relu().sum()
steps = stepgrad.Stepper(loss)
said = [steps.next(), steps.run_until("matmul"), w.grad, steps.back(), steps.next(), steps.next(), steps.next()]
print(*said, w.grad.tolist(), sep=" | ")"""
        self.assertRegex(said(code), r"sum.*\|.*matmul.*\| None \|.*matmul.*\|.*\|.*leaf.*\| None \| \[\[3.0, 3.0\], \[3.0, 3.0\]\]\n")

    def test_after_an_error_a_page_has_the_ops_until_then_and_the_one_that_refused(self):
        code = """
stepgrad.set_ledger(True)
x, w = torch.ones(2, 3), torch.ones(4, 5, requires_grad=True).set_name("w")
for op in (lambda h: h @ w, lambda h: torch.nn.functional.linear(h, w), lambda h: torch.cat([h, w]), lambda h: h + w):
    try: op(torch.relu(x))
    except RuntimeError as error: why = str(error).partition(": ")[2]
    page = stepgrad.trace_refusal()
    print('"refused":"' in page and why in page, page.count('"op":"relu"'), page.count('"name":"w"'), end=" ")"""
        self.assertEqual(said(code), 4 * "True 1 1 ")

    def test_a_tape_is_a_table_and_a_trace_a_page_in_a_cell_and_a_file_elsewhere(self):
        code = """
import sys, os, tempfile
stepgrad.set_ledger(True)
w = torch.randn(3, 2, requires_grad=True); w.name = "<w>"
x = torch.ones(4, 3)
def f(): return ((x @ w)[1:, 0] ** 2).mean()
_ = loss = f()
assert "<td style='text-align:left'>mul</td>" in (w * 2).tape()._repr_html_()
page = loss.trace()
assert page._repr_html_().startswith("<iframe sandbox='allow-scripts allow-modals'")
assert page._repr_html_().count("<") == 2 and "bytes" in repr(page)
assert (w.name, x.name, loss.name) == ("<w>", "", "") and '"name":"loss"' in page
path = os.path.join(tempfile.mkdtemp(), "loss.html")
assert stepgrad.trace(loss, path) is None
text = open(path).read()
assert '"places":[2,4,6]' in text and w.grad is None
for bad in (lambda: stepgrad.trace(loss, "/nowhere/a.html"), lambda: x.trace(), lambda: w.trace()):
    try: bad()
    except Exception as error: print(type(error).__name__, error)
loss.backward(); print(w.grad is not None)"""
        lines = said(code).splitlines()
        self.assertIn("/nowhere/a.html: cannot be written", lines[0])
        self.assertIn("does not require a gradient, so nothing was recorded", lines[1])
        self.assertIn("is a leaf, which no op has made", lines[2])
        self.assertEqual(lines[3:], ["True"])

    def test_a_live_trace_has_the_engine_in_it_or_a_warning_says_why_not(self):
        code = """
import warnings
stepgrad.set_ledger(True)
w = torch.ones(2, requires_grad=True)
def live_or_why(loss):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        page = loss.trace(live=True)
    print('id="engine"' in page, 'id="replay"' in page, *[str(one.message) for one in said])
live_or_why((w * 3).sum())
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x ** 3
    @staticmethod
    def backward(ctx, g): return g
live_or_why(Cube.apply(w).sum())"""
        may, cannot = said(code).splitlines()
        self.assertRegex(may, "^(True True|False False the page is not live: there is no engine .*)$")
        self.assertRegex(cannot, "^False False the page is not live: #\\d+ Cube cannot be recomputed")

    def test_a_trace_has_words_of_rows_the_numbers_around_a_cell_and_a_lesson(self):
        code = """
import json, re
stepgrad.set_ledger(True)
w = torch.ones(300, 200).requires_grad_(); w.name = "w1"
loss = (torch.ones(4, 300) @ w).sum()
around, own, named = loss.trace(cell=("w1", (290, 150))), stepgrad.trace(
    loss, lesson="# Mine\\n\\n## [Here](loss)\\n\\nAll of it."), loss.trace(lesson="feed_forward")
asked = [re.search(r'"ask":.\\d+,(\\d+)', page)[1] == str(290 * 200 + 150) for page in (own, around)]
print(*asked, "## [Here](loss)" in own, "## [Here]" in around, len(named) > len(own))
x = torch.ones(4, 2, 3, requires_grad=True); x.name = "x"
page = (x @ x.transpose(1, 2)).softmax(1).sum().trace(rows={"x": ["a word", "b"]})
print(json.loads(re.search(r'id="tape">(.*?)</script>', page, re.S)[1])["rows"])
for bad in ({"cell": ("w2", (0, 0))}, {"cell": ("w1", (300, 0))}, {"lesson": "no such lesson"}, {"rows": {"w1": ["a"] * 4}}):
    try: loss.trace(**bad)
    except Exception as error: print(error)"""
        lines = said(code).splitlines()
        self.assertEqual(lines[:2], ["False True True False True", "{'x': ['a word', 'b']}"])
        for line, words in zip(lines[2:], ("w2", "w1.*300", "no such lesson", "no tensor 'w1' has 4 rows"), strict=True):
            self.assertRegex(line, words)


unittest.main()
