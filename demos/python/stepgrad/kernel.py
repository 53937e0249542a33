"""Registers the Jupyter kernel "stepgrad (C++)" for this user.

usage: python3 -m stepgrad.kernel install [--prefix FOLDER]

It is an ordinary IPython kernel in which `import torch` is stepgrad from the first cell on. Frozen
modules would hide their lines from the debugger, which says so at each start: kernel.json has none.
"""

import json
import os
import pathlib
import sys
import tempfile


def spec():
    kernel = json.loads(pathlib.Path(__file__).with_suffix(".json").read_text())
    kernel["argv"][0] = sys.executable
    if "PYTHONPATH" in os.environ:  # where the module is not installed
        kernel["env"] = {"PYTHONPATH": os.environ["PYTHONPATH"]}
    return kernel


def install(prefix=None):
    try:
        import ipykernel
        from jupyter_client.kernelspec import KernelSpecManager
    except ImportError as missing:
        sys.exit(f"{sys.executable} has no {missing.name}, which a kernel for Jupyter needs: install "
            "ipykernel by pip in a venv, elsewhere by sudo apt install python3-ipykernel.")
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "kernel.json").write_text(json.dumps(spec(), indent=1))
        return KernelSpecManager().install_kernel_spec(folder, "stepgrad", user=prefix is None,
            prefix=prefix)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["install"] | ["install", "--prefix", _] as wish:
            print(install(*wish[2:]))
        case _:
            sys.exit("usage: python3 -m stepgrad.kernel install [--prefix FOLDER]")
