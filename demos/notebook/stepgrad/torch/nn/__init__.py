"""torch.nn, as far as it is here."""

from . import functional, init, utils  # noqa: F401
from .attention import MultiheadAttention, TransformerEncoder, TransformerEncoderLayer  # noqa: F401
from .containers import ModuleDict, ModuleList, ParameterList, Sequential  # noqa: F401
from .layers import *  # noqa: F401,F403
from .module import Module, Parameter  # noqa: F401
