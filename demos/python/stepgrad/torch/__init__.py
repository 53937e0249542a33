"""torch for stepgrad: after `import stepgrad.torch`, `import torch` is this package.

What is not here raises AttributeError or ImportError, which names it.
"""

import sys as _sys

if "torch" in _sys.modules and _sys.modules["torch"].__name__ != __name__:
    raise ImportError("import stepgrad.torch: the real torch is loaded: start a new Python and import this first")

import stepgrad as _engine
from stepgrad import Tensor
from stepgrad.printing import set_printoptions
from stepgrad.size import Size
from stepgrad.tensor import device

from .creation import *
from .creation import inclusive as range
from .drawn import *
from .functions import *
from .random import *
from .modes import (
    autocast,
    compile,
    enable_grad,
    is_grad_enabled,
    no_grad,
    inference_mode,
    set_grad_enabled,
)
from _stepgrad import bfloat16, bool, dtype, float16, float32
from _stepgrad import int8, int16, int32, int64, uint8
from _stepgrad import get_num_threads, set_num_threads

preserve_format = "torch.preserve_format"
Tensor.__module__ = "torch"
Tensor.__name__, dtype.__name__ = "Tensor", "dtype"  # in messages
float, half, int, long, short = float32, float16, int32, int64, int16
__version__ = "2.0.0+stepgrad"  # programs check the number; README lists differences

from . import amp, autograd, cuda, distributions, jit, linalg, nn, optim, testing, utils
from .serialization import *
from ._utils import classes as _storages
from . import elsewhere

globals().update(_storages)  # pickle looks for them here

elsewhere.furnish()


def __getattr__(name):
    if name in ("float64", "double", "DoubleTensor"):
        raise AttributeError(f"torch.{name}: the engine's numbers are float32, and there are no others")
    raise AttributeError(f"module 'torch' has no attribute '{name}'")


def _take_the_name():
    for name, module in list(_sys.modules.items()):
        if name == __name__ or name.startswith(__name__ + "."):
            _sys.modules["torch" + name[len(__name__) :]] = module


_take_the_name()
