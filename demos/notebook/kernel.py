"""Registers the Jupyter kernel "stepgrad (C++)" for this user.

usage: kernel.py FOLDER_OF_THE_MODULE [--prefix FOLDER]
"""

import json
import os
import sys
import tempfile

from jupyter_client.kernelspec import KernelSpecManager

HERE = os.path.dirname(os.path.abspath(__file__))


def spec(module):
    """An ordinary IPython kernel in which `import torch` is stepgrad from the first cell on."""
    return {
        "argv": [
            "/usr/bin/python3", "-m", "ipykernel_launcher", "-f", "{connection_file}",
            "--IPKernelApp.exec_lines=import stepgrad.torch as _",
        ],
        "display_name": "stepgrad (C++)",
        "language": "python",
        "env": {"PYTHONPATH": f"{HERE}:{os.path.abspath(module)}"},
        "metadata": {"debugger": True},
    }


def install(module, prefix=None):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "kernel.json"), "w") as file:
            json.dump(spec(module), file, indent=1)
        manager = KernelSpecManager()
        return manager.install_kernel_spec(folder, "stepgrad", user=prefix is None, prefix=prefix)


if __name__ == "__main__":
    install(sys.argv[1], sys.argv[3] if "--prefix" in sys.argv else None)
