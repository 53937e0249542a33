"""The rooms of the tree that mutants are made in, and the tests that can see a change of each."""

import pathlib

# By the beginning of the file's name; the longest one counts.
ROOMS = {
    "core/tensor": "tensor", "core/tape": "tape", "core/watch": "watch", "core/memory": "memory",
    "core/kernels": "kernels", "core/trace": "trace", "core/trace/page": "page",
    "core/debug": "debuggers", "core/files": "files", "core": "tape", "ops": "ops", "nn": "nn",
    "nn/files": "files", "nn/text": "data", "nn/adamw": "optimizers", "nn/sgd": "optimizers",
    "nn/grad_scaler": "optimizers", "nn/clip_grad": "optimizers", "nn/distributed": "ranks",
    "demos/python/binding": "binding", "demos/python/stepgrad": "Python", "demos/exercise": "exercises",
    "demos/tab": "tab",
}

# The programs of Catch2 that can see a change, by the beginning of the file's name.
PROGRAMS = {
    "core/kernels/simd": ["kernel_tests", "float_tests"],
    "core/kernels": ["kernel_tests", "double_tests", "float_tests"],
    "core/trace": ["float_tests", "double_tests"],
    "core/tensor/print": ["float_tests"],
    "core/files": ["float_tests", "fault_tests"],
    "core/memory": ["float_tests", "fault_tests", "double_tests"],
    "core/tape/tape.cpp": ["float_tests", "double_tests", "fault_tests", "slow_tests"],
    "core": ["float_tests", "double_tests"],
    "ops": ["double_tests", "float_tests"],
    "nn/text": ["vocabulary_tests"],
    "nn/text/pad_sequence": ["float_tests"],
    "nn": ["float_tests", "double_tests"],
    "nn/distributed": [],
    "demos": [],
}
# Tests of CTest's that can, too, and the targets that these need.
FILES = ("files", ["NumPy and other programs read and write the same files"])
RANKS = ("what_one_computes distributed_training",
    ["N processes compute the same as one", "Weights have the same bits for any number of ranks",
    "A rank that dies, is silent or differs is named, and all ranks end",
    "A rank that is slow is not taken for a silent one"])
PYTHON = ("stepgrad_python",
    ["Statements of public code run as under torch",
    "Random programs change state as under torch",
    "Random calls of torch's API give torch's results",
    "The tables of differences from torch are true",
    "Errors in Python arrive, and change nothing",
    "GradScaler follows torch's documentation",
    "The Python module has its own names, numbers and arrays", "The Python module shows the tape",
    "The documents' cells run in Python as under torch",
    "Views and writes to them are as under torch",
    "Files are loaded, and no file does harm", "Python collects cycles through the tape",
    "Threads, forks and guards keep to themselves in Python", "A notebook runs on the kernel stepgrad (C++)"])
PAGES = ("trace_pages float_tests lessons playground stepgrad_python",
    [f"A browser steps through a tape's page: {path.stem}"
    for path in sorted((pathlib.Path(__file__).parents[1] / "trace/browser").glob("*.js"))])
USERS = "gdb and lldb know users' own ops and modules"
DEBUGGER = ["Tensors are read and shown without a debugger", "gdb shows tensors, steps to gradients, and has commands", USERS]
GDB = [*DEBUGGER, "gdb calls the program, or not at all"]
LLDB = ["lldb shows tensors, steps to gradients, and has commands", USERS]
THREADS = "A training is bitwise equal for any number of threads"
KILLS = "A training that goes on grows no memory, and ends alike after kills"
CTESTS = {
    "core/debug": ("all", [*GDB, *LLDB]), "core/debug/stepgrad_format": ("stepgrad", DEBUGGER[:1]), "core/debug/stepgrad_gdb": ("all", GDB),
    "core/debug/stepgrad_lldb": ("all", LLDB),
    "core/trace/page": PAGES, "core/trace": PAGES,
    "core/watch/going_back.cpp": ("all", DEBUGGER[1:2]),
    "core/watch/paranoid.cpp": ("gradient_check", ["Paranoid mode is turned on from outside"]),
    "core/tensor/print": ("stepgrad_python", ["Random calls of torch's API give torch's results"]),
    "core/files": ("training", [KILLS]),
    "demos/exercise": ("exercise", ["An exercise has a gap that is found, hints, and a right solution",
    "Solutions pass, and wrong ones are refused for their reason"]),
    "demos/tab": ("lessons playground notebook",
    ["A browser's tab runs cells and checks exercises, without a network"]),
    "nn/files": FILES, "nn/distributed": RANKS, "demos/python": PYTHON,
    "core/kernels/simd/": ("training", [THREADS]),
    "core/kernels/table.cpp": ("float_tests", ["A STEPGRAD_SIMD that names no kernels is refused"]),
}


def of(table, file):
    """The entry of the longest beginning of the file's name."""
    found = [key for key in table if file.startswith(key)]
    return table[max(found, key=len)] if found else None


def room(file):
    return of(ROOMS, file)
