"""demos/notebook/ffn.ipynb runs in the kernel "stepgrad (C++)", and gdb attaches to that kernel."""

import os
import pathlib
import shutil
import tempfile
import unittest

from session import TREE, environment, ours, output, require

require("nbformat", "nbclient", "ipykernel")
os.environ.update(environment())

# The tests' Python is Debian's; require has checked its packages.
import nbclient
import nbformat


# gdb attaches as stepgrad.debug() says, and writes what it says to a file.
ATTACHED = """import subprocess, io, contextlib, shlex, time, stepgrad
out = io.StringIO()
with contextlib.redirect_stdout(out): stepgrad.debug()
line = next(l for l in out.getvalue().splitlines() if l.startswith("gdb"))
command = shlex.split(line) + ["-ex", "tape", "-ex", "bt 3", "-ex", "detach", "-ex", "quit"]
gdb = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=open(%(file)r, "w"), stderr=subprocess.STDOUT)
while gdb.poll() is None and "Continuing" not in open(%(file)r).read(): time.sleep(0.05)
"""


def cells(*sources):
    return nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, sources)))


class Notebook(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        output(ours("-m", "stepgrad.kernel", "install", "--prefix", self.folder.name))
        os.environ["JUPYTER_PATH"] = self.folder.name + "/share/jupyter"
        os.environ.pop("PYTHONPATH", None)  # the kernel brings its own

    def executed(self, notebook):
        client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="stepgrad")
        with open(self.folder.name + "/said", "w+") as said:
            client.execute(stderr=said)
            said.seek(0)
            self.assertEqual(said.read(), "", "of the kernel, in the terminal")
        return notebook

    def test_the_first_notebook_shows_tape_gradients_and_steps(self):
        notebook = self.executed(nbformat.read(TREE / "demos/notebook/ffn.ipynb", 4))
        outputs = [out for c in notebook.cells if c.cell_type == "code" for out in c.outputs]
        text = "\n".join(out.get("text", "") or out.get("data", {}).get("text/plain", "") for out in outputs)
        tape = next(c for c in notebook.cells if c.source == "loss.tape()")
        self.assertIn("<table>", tape.outputs[0].data["text/html"])
        self.assertRegex(tape.outputs[0].data["text/plain"], r"matmul .*'x' .*In\[2\]:8")
        for part in ("grad_fn=<MeanBackward0>", "w1 torch.Size([2, 8])", "back:", "In[",
                "gdb -q -p", "100 0."):
            self.assertIn(part, text)

    def test_import_torch_is_stepgrad_without_a_line(self):
        notebook = cells("import torch; print(torch.__name__)", "torch.randn(2, 3) @ torch.randn(4, 5)")
        with self.assertRaisesRegex(nbclient.exceptions.CellExecutionError, "RuntimeError"):
            self.executed(notebook)
        self.assertEqual(notebook.cells[0].outputs[0].text, "stepgrad.torch\n")

    def test_gdb_attaches_to_the_kernel_and_stops_at_a_gradient(self):
        if not shutil.which("gdb"):
            self.skipTest("there is no gdb")
        script = pathlib.Path(self.folder.name) / "gdb.txt"
        notebook = self.executed(cells(ATTACHED % {"file": str(script)}, "import torch\nw = torch.ones(2, requires_grad=True)\n"
            "(w * 3).sum().backward()\nprint(w.grad.tolist())"))
        self.assertEqual(notebook.cells[1].outputs[0].text, "[3.0, 3.0]\n")
        said = script.read_text()
        if "ptrace: Operation not permitted" in said:
            self.skipTest("this machine does not let gdb attach")
        self.assertIn("stepgrad_backward_step", said)
        self.assertIn("In[2]:3", said)


unittest.main()
