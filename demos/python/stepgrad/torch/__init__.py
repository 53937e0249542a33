"""torch for stepgrad: after `import stepgrad.torch`, `import torch` is this package.

What is not here raises AttributeError or ImportError, which names it.
"""

import sys as _sys

if "torch" in _sys.modules and _sys.modules["torch"].__name__ != __name__:
    raise ImportError("import stepgrad.torch: the real torch is loaded: start a new Python and import this first")

import stepgrad as _engine
from stepgrad import Tensor  # noqa: F401
from stepgrad.printing import set_printoptions  # noqa: F401
from stepgrad.size import Size  # noqa: F401
from stepgrad.tensor import device  # noqa: F401

from .creation import *  # noqa: F401,F403
from .creation import inclusive as range  # noqa: A004,F401
from .drawn import *  # noqa: F401,F403
from .functions import *  # noqa: F401,F403
from .random import *  # noqa: F401,F403
from .modes import (  # noqa: F401
    autocast,
    compile,
    enable_grad,
    is_grad_enabled,
    no_grad,
    inference_mode,
    set_grad_enabled,
)
from _stepgrad import bfloat16, bool, dtype, float16, float32  # noqa: A004,F401
from _stepgrad import int8, int16, int32, int64, uint8  # noqa: F401
from _stepgrad import set_num_threads  # noqa: F401

preserve_format = "torch.preserve_format"
Tensor.__module__ = "torch"
Tensor.__name__, dtype.__name__ = "Tensor", "dtype"  # in messages
float, half, int, long = float32, float16, int32, int64  # noqa: A001
__version__ = "2.0.0+stepgrad"  # programs check the number; README lists differences

from . import amp, autograd, cuda, distributions, jit, nn, optim, testing, utils  # noqa: E402,F401
from .serialization import *  # noqa: E402,F401,F403
from ._utils import classes as _storages  # noqa: E402
from . import elsewhere  # noqa: E402

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
