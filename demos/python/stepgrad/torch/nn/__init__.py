"""torch.nn."""

from . import functional, init, utils
from .attention import *
from .containers import *
from .layers import *
from .module import Module
from .parameter import Parameter, UninitializedParameter
from .table import *

del module  # noqa: F821: nn.module is a common typo
