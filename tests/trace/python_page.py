"""usage: python_page.py PAGES

A page with the ops that only Python records: what stands at indices, and what is written there."""

import sys

import stepgrad
import stepgrad.torch as torch

stepgrad.set_ledger(True)
torch.manual_seed(0)
x = torch.randn(4, 3, requires_grad=True)
v = torch.randn(3, requires_grad=True)
taken = x[[3, 0, 3], [1, 2, 1]]  # an element twice
written = x * 1
written[[0, 2, 0], [1, 1, 1]] = v  # one place twice: the last one stays
written.index_put_((torch.tensor([3, 0, 3]), torch.tensor([2, 2, 2])), v, accumulate=True)  # both stay
rows = x[torch.tensor([2, 2, 0])]
masked = x[x > 0]
loss = (taken * v).sum() + (written * torch.arange(12.).reshape(4, 3)).sum() + (rows ** 2).sum() + masked.sum()
loss.backward(retain_graph=True)
loss.trace(sys.argv[1] + "/python.html")
