"""torch.nn."""

from . import functional, init, utils  # noqa: F401
from .attention import *  # noqa: F401,F403
from .containers import *  # noqa: F401,F403
from .layers import *  # noqa: F401,F403
from .module import Module  # noqa: F401
from .parameter import Parameter, UninitializedParameter  # noqa: F401
from .table import *  # noqa: F401,F403
