"""Parts of torch that scripts import whether or not they use them. Their functions answer as on a
machine with one CPU, or refuse in one sentence when called."""

import contextlib
import sys
import types

from stepgrad.calls import titled

from .nn.attention import SDPBackend

_HERE = __package__

# A module: its functions and their answers, and its values; sdp_kernel() for gpt-fast.
_ANSWERS = {
    "backends": {},
    "backends.cudnn": {"enabled": False, "benchmark": False, "deterministic": True, "allow_tf32": False,
    "is_available()": False, "version()": None},
    "backends.cuda": {"sdp_kernel()": contextlib.nullcontext(), "SDPBackend": SDPBackend, "enable_flash_sdp()": None,
    "enable_math_sdp()": None, "enable_mem_efficient_sdp()": None},
    "backends.cuda.matmul": {"allow_tf32": False, "allow_fp16_reduced_precision_reduction": False},
    "backends.mps": {"is_available()": False, "is_built()": False},
    "distributed": {"is_available()": False, "is_initialized()": False, "is_nccl_available()": False,
    "is_mpi_available()": False, "is_gloo_available()": False},
    "version": {"cuda": None, "__version__": "2.0.0+stepgrad"},
    "mps": {"empty_cache()": None, "manual_seed()": None},
    "accelerator": {"is_available()": False, "device_count()": 0, "current_accelerator()": None},
    "cuda": {"is_available()": False, "device_count()": 0, "is_initialized()": False, "empty_cache()": None,
    "is_bf16_supported()": False, "memory_allocated()": 0, "max_memory_allocated()": 0,
    "memory_reserved()": 0, "reset_peak_memory_stats()": None, "manual_seed()": None,
    "manual_seed_all()": None},
    "": {"set_float32_matmul_precision()": None, "use_deterministic_algorithms()": None},
}

# Functions that refuse, with the reason.
_REFUSALS = {
    "distributed": ("""init_process_group destroy_process_group barrier all_reduce all_gather broadcast reduce scatter
        gather get_rank get_world_size new_group ReduceOp""",
        "there is one process here; the engine's processes are demos/run distributed, in C++"),
    "multiprocessing": ("spawn Process Queue Pool set_start_method",
    "tensors do not go between processes here; Python's own multiprocessing does"),
    "hub": ("load load_state_dict_from_url download_url_to_file", "nothing is downloaded here"),
    "profiler": ("profile record_function schedule tensorboard_trace_handler ProfilerActivity",
    "there is no profiler here; stepgrad.set_ledger and perf look inside"),
    "cuda": ("""synchronize current_device set_device get_device_name get_device_properties get_device_capability
        current_stream stream Stream Event mem_get_info memory_summary""",
        "there is no CUDA here: stepgrad computes on the CPU"),
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
    "distributions": "categorical distribution multinomial normal",
    "autograd": "anomaly_mode grad_mode variable",
    "utils.data": "dataloader dataset distributed sampler",
}


def _refusal(room, name, reason):
    def refuse(*args, **kwargs):
        raise (AssertionError if room == "cuda" else NotImplementedError)(f"torch.{room}.{name}: {reason}")
    return titled(refuse, name)


def _forwarded(package):
    def attribute(name):
        if name.startswith("__"):
            raise AttributeError(f"module '{package.__name__}' has no attribute '{name}'")
        return getattr(package, name)
    return attribute


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
    for name, (names, reason) in _REFUSALS.items():
        for key in names.split():
            setattr(_module(name), key, _refusal(name, key, reason))
    for package, files in _FILES.items():
        for file in files.split():
            _module(f"{package}.{file}".strip(".")).__getattr__ = _forwarded(_module(package))
