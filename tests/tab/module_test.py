"""The module in Pyodide: sizes that 32 bits cannot hold are refused, and a page has its source each time."""

import contextlib
import io
import os
import tempfile

import stepgrad.torch
import stepgrad
import torch


def refused(kind, words, call):
    try:
        call()
    except kind as error:
        assert words in str(error), error
        return
    raise AssertionError(f"not refused: {words}")


one = torch.ones(1)
for call in (lambda: torch.zeros(2**30 + 1), lambda: torch.zeros(2**15, 2**15), lambda: torch.rand(2**30 + 1),
        lambda: one.expand(2**30 + 7).contiguous(), lambda: one.repeat(2**30 + 7),
        lambda: torch.ones(2**15, 1) + torch.ones(1, 2**15), lambda: torch.ones(2**15, 1) @ torch.ones(1, 2**15)):
    refused(RuntimeError, "out of memory: a tensor of 4096 MiB", call)
for call in (lambda: torch.zeros(2**32 + 8), lambda: one.expand(2**33)):
    refused(RuntimeError, "more elements than memory has addresses", call)
rows, columns = torch.zeros(2**16, 1, dtype=torch.int64), torch.zeros(1, 2**16, dtype=torch.int64)
refused(RuntimeError, "more elements than memory has addresses", lambda: torch.ones(1, 1)[rows, columns])
assert torch.ones(3).sum().item() == 3  # it goes on

for _ in range(1000):  # errors through C++ leave nothing behind
    refused(RuntimeError, "inner sizes differ", lambda: torch.ones(3, 4) @ torch.ones(3, 4))

with contextlib.redirect_stdout(io.StringIO()) as said:
    stepgrad.debug()
assert "gdb cannot attach" in said.getvalue()

with tempfile.TemporaryDirectory() as folder:
    file = os.path.join(folder, "tape.html")
    for _ in range(2):
        w = torch.ones(3, 2, requires_grad=True)
        stepgrad.trace((torch.ones(4, 3) @ w).relu().sum(), file)  # this very line is in the page
        with open(file) as page:
            assert "this very line is in the page" in page.read()
    refused(Exception, "cannot be written", lambda: stepgrad.trace((w * w).sum(), folder))
file = io.BytesIO()  # torch.save and torch.load without NumPy
saved = [torch.arange(5), torch.randn(2, 3), torch.ones(2).half() / 3, torch.ones(2).bfloat16() / 3, torch.ones(2) > 0]
torch.save(saved, file)
file.seek(0)
for one, other in zip(saved, torch.load(file), strict=True):
    assert one.dtype == other.dtype and torch.equal(one, other), (one, other)
print("right")
