"""stepgrad from Python: the engine under its own names. `import stepgrad.torch` makes `torch` of it."""

from _stepgrad import (
    Stepper,
    Tensor,
    empty_cache,
    manual_seed,
    memory_stats,
    set_detect_nan,
    set_ledger,
)

from . import lines as _lines
from . import algebra as _algebra, elements as _elements, parts as _parts  # methods of Tensor in Python
from . import counts as _counts, places as _places, reductions as _reductions
from . import grad_fn as _grad_fn
from .checkpoint import load_checkpoint, save_checkpoint
from .debugging import debug, explain, tape, trace, trace_refusal

_grad_fn.methods_shown()
_lines.install()
