"""Parts of torch that scripts import whether or not they use them. Their functions answer as on a
machine with one CPU, or refuse in one sentence when called."""

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
    "distributed": {"is_available()": False, "is_initialized()": False, "is_nccl_available()": False,
                    "is_mpi_available()": False, "is_gloo_available()": False},
    "multiprocessing": {},
    "hub": {},
    "profiler": {},
    "version": {"cuda": None, "__version__": "2.0.0+stepgrad"},
    "accelerator": {"is_available()": False, "device_count()": 0, "current_accelerator()": None},
    "cuda": {"is_available()": False, "device_count()": 0, "is_initialized()": False, "empty_cache()": None,
             "is_bf16_supported()": False, "memory_allocated()": 0, "max_memory_allocated()": 0,
             "memory_reserved()": 0, "reset_peak_memory_stats()": None, "manual_seed()": None,
             "manual_seed_all()": None},
}

# Functions that refuse, with the reason.
_REFUSALS = {
    "distributed": ("""init_process_group destroy_process_group barrier all_reduce all_gather broadcast reduce
        scatter gather get_rank get_world_size new_group ReduceOp""",
        "there is one process here; the engine's processes are demos/run distributed, in C++"),
    "multiprocessing": ("spawn Process Queue Pool set_start_method",
                        "tensors do not go between processes here; Python's own multiprocessing does"),
    "hub": ("load load_state_dict_from_url download_url_to_file", "nothing is downloaded here"),
    "profiler": ("profile record_function schedule tensorboard_trace_handler ProfilerActivity",
                 "there is no profiler here; stepgrad.set_ledger and perf look inside"),
    "cuda": ("""synchronize current_device set_device get_device_name get_device_properties
        get_device_capability current_stream stream Stream Event
        mem_get_info memory_summary""", "there is no CUDA here: stepgrad computes on the CPU"),
}


def _refusal(room, name, reason, error=NotImplementedError):
    def refuse(*args, **kwargs):
        raise error(f"torch.{room}.{name}: {reason}")

    refuse.__name__ = name
    return refuse


def _answer(value):
    def answer(*args, **kwargs):
        return value

    return answer


def set_float32_matmul_precision(precision):
    """Changes nothing here."""


def use_deterministic_algorithms(mode, *, warn_only=False):
    """Changes nothing here."""


def _room(name):
    """The module, which may have a file already, and is an attribute of its parent."""
    full = f"{_HERE}.{name}"
    module = sys.modules.setdefault(full, types.ModuleType(full, "As on a machine with one CPU."))
    parent, _, last = full.rpartition(".")
    setattr(sys.modules[parent], last, module)
    return module


def furnish():
    for name, answers in _ANSWERS.items():
        module = _room(name)
        for key, value in answers.items():
            setattr(module, key.removesuffix("()"), _answer(value) if key.endswith("()") else value)
    for name, (names, reason) in _REFUSALS.items():
        error = AssertionError if name == "cuda" else NotImplementedError
        for key in names.split():
            setattr(_room(name), key, _refusal(name, key, reason, error))
    for setting in (set_float32_matmul_precision, use_deterministic_algorithms):
        setattr(sys.modules[_HERE], setting.__name__, setting)
    for name, (room, names) in _ALIASES.items():
        module, source = _room(name), sys.modules[f"{_HERE}.{room}" if room else _HERE]
        for key in names.split():
            setattr(module, key, getattr(source, key))


# Other names of modules that exist here.
_ALIASES = {
    "nn.parameter": ("nn", "Parameter"),
    "nn.modules": ("nn", "Module Linear Dropout LayerNorm ModuleList Sequential"),
    "nn.modules.module": ("nn", "Module"),
    "nn.modules.container": ("nn", "ModuleList Sequential ModuleDict"),
    "nn.modules.normalization": ("nn", "LayerNorm"),
    "nn.modules.loss": ("nn", "CrossEntropyLoss MSELoss"),
    "nn.modules.transformer": ("nn", """Transformer TransformerEncoder TransformerDecoder
        TransformerEncoderLayer TransformerDecoderLayer"""),
    "nn.parallel": ("nn", "DataParallel DistributedDataParallel"),
    "nn.utils.clip_grad": ("nn.utils", "clip_grad_norm_ clip_grad_value_"),
    "optim.optimizer": ("optim", "Optimizer"),
    "utils.data.dataset": ("utils.data", """Dataset IterableDataset TensorDataset ConcatDataset Subset
        random_split"""),
    "utils.data.dataloader": ("utils.data", "DataLoader default_collate"),
    "utils.data.sampler": ("utils.data", """Sampler SequentialSampler RandomSampler BatchSampler
        WeightedRandomSampler"""),
    "utils.data.distributed": ("utils.data", "DistributedSampler"),
    "jit": ("modes", "script trace is_scripting"),
}
