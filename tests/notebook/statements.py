# Runs a file statement by statement and prints, a line each, what came out: numbers, dtype, shape and
# the gradients of the leaves that have names, or the type of the error. The test compares torch's
# lines and stepgrad's.
import ast
import sys
import warnings

import torch

from shown import digits, shown

warnings.simplefilter("ignore")


def gradients(y, env):
    """Those of the named leaves behind y, whose elements have the gradients 1, 2, 3, ..."""
    if not isinstance(y, torch.Tensor) or not y.requires_grad or y.is_leaf:
        return ""
    y.backward(torch.arange(1.0, y.numel() + 1).reshape(y.shape))
    text = ""
    for name, x in sorted(env.items()):
        if isinstance(x, torch.Tensor) and x.is_leaf and x.grad is not None:
            text += f" d{name}={digits(x.grad.tolist())}"
            x.grad = None
    return text


def run(source, env):
    for node in ast.parse(source).body:
        code = ast.get_source_segment(source, node)
        if node.__class__.__name__ in ("FunctionDef", "ClassDef") and node.decorator_list:
            code = "\n".join(source.splitlines()[node.decorator_list[0].lineno - 1 : node.end_lineno])
        try:
            if isinstance(node, ast.Expr):
                y = eval(compile(code, "statement", "eval"), env)
                line = shown(y, 64) + gradients(y, env)
            else:
                exec(compile(code, "statement", "exec"), env)
                line = "done"
        except Exception as error:
            line = type(error).__name__ + (f"  # {error!s:.150}".replace("\n", " ") if "-v" in sys.argv else "")
        print(code.split("\n")[0], "->", line.replace("\n", "\\n"))


with open(sys.argv[1]) as file:
    run(file.read(), {"torch": torch})
