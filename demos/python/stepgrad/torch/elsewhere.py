"""Parts of torch that scripts import whether or not they use them. Their functions answer as on a
machine with one CPU, or refuse in one sentence when called."""

import functools
import sys
import types

_HERE = __package__

# A module: its functions and their answers, and its values.
_ANSWERS = {
    "backends": {},
    "backends.cudnn": {"enabled": False, "benchmark": False, "deterministic": True, "allow_tf32": False,
                       "is_available()": False, "version()": None},
    "backends.cuda": {},
    "backends.cuda.matmul": {"allow_tf32": False, "allow_fp16_reduced_precision_reduction": False},
    "backends.mps": {"is_available()": False, "is_built()": False},
    "distributed": {"is_available()": False, "is_initialized()": False, "is_nccl_available()": False},
    "version": {"cuda": None, "__version__": "2.0.0+stepgrad"},
    "accelerator": {"is_available()": False, "device_count()": 0, "current_accelerator()": None},
    "cuda": {"is_available()": False, "device_count()": 0, "is_initialized()": False, "empty_cache()": None,
             "is_bf16_supported()": False, "memory_allocated()": 0, "max_memory_allocated()": 0,
             "memory_reserved()": 0, "reset_peak_memory_stats()": None, "manual_seed()": None,
             "manual_seed_all()": None},
    "": {"set_float32_matmul_precision()": None, "use_deterministic_algorithms()": None},
}

# Modules of which all other names refuse when called, and why.
_REFUSALS = {
    "distributed": "there is one process here; the engine's processes are demos/run distributed, in C++",
    "multiprocessing": "tensors do not go between processes here; Python's own multiprocessing does",
    "hub": "nothing is downloaded here",
    "profiler": "there is no profiler here; stepgrad.set_ledger and perf look inside",
    "cuda": "there is no CUDA here: stepgrad computes on the CPU",
}

# Files of torch's whose package is one module here: each has what the package has.
_FILES = {
    "": "functional types",
    "nn": "modules parallel",
    "nn.modules": """activation batchnorm container conv dropout flatten linear loss module normalization sparse
        transformer""",
    "nn.parallel": "data_parallel distributed",
    "nn.utils": "clip_grad",
    "optim": "adam adamw optimizer rmsprop sgd",
    "distributions": "categorical distribution normal",
    "autograd": "anomaly_mode grad_mode variable",
    "utils.data": "dataloader dataset distributed sampler",
}


def _refusing(room, name):
    """The attribute `name` of a module that refuses."""
    if name.startswith("__"):
        raise AttributeError(f"module 'torch.{room}' has no attribute '{name}'")

    def refuse(*args, **kwargs):
        raise (AssertionError if room == "cuda" else NotImplementedError)(f"torch.{room}.{name}: {_REFUSALS[room]}")

    return refuse


def _answer(value):
    def answer(*args, **kwargs):
        return value

    return answer


def _module(name):
    """The module, which may have a file already, and is an attribute of its parent."""
    full = f"{_HERE}.{name}".rstrip(".")
    module = sys.modules.setdefault(full, types.ModuleType(full, "As on a machine with one CPU."))
    parent, _, last = full.rpartition(".")
    setattr(sys.modules[parent], last, module)
    return module


def furnish():
    for name, answers in _ANSWERS.items():
        for key, value in answers.items():
            setattr(_module(name), key.removesuffix("()"), _answer(value) if key.endswith("()") else value)
        _module(name)
    for name in _REFUSALS:
        _module(name).__getattr__ = functools.partial(_refusing, name)
    for package, files in _FILES.items():
        for file in files.split():
            _module(f"{package}.{file}".strip(".")).__getattr__ = functools.partial(getattr, _module(package))
