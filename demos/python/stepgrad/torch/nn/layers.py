"""Layers with parameters, and dropout. functional.py computes them."""

import math

import _stepgrad

from stepgrad.tensor import on_cpu

from . import functional as F
from . import init
from .module import Module
from .parameter import Parameter, UninitializedParameter, check_dtype

__all__ = """Linear Conv1d Embedding LayerNorm RMSNorm GroupNorm BatchNorm1d Dropout Identity PReLU
LazyLinear""".split()


def _uninitialised(*size):
    return Parameter(_stepgrad._empty(size, _stepgrad.float32))


def _check_dtype(device, dtype):
    if device is not None:
        on_cpu(device)
    check_dtype(dtype)


class _Weighted(Module):
    """With a weight [outputs, inputs, ...] and a bias."""

    def _register(self, bias, *sizes):
        self.weight = _uninitialised(*sizes)
        self.register_parameter("bias", _uninitialised(sizes[0]) if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            n = math.prod(self.weight.shape[1:])
            bound = 1 / math.sqrt(n) if n else 0
            init.uniform_(self.bias, -bound, bound)


class Linear(_Weighted):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        _check_dtype(device, dtype)
        self.in_features, self.out_features = in_features, out_features
        self._register(bias, out_features, in_features)

    def forward(self, input):
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self):
        return (f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}")


class Conv1d(_Weighted):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1,
            bias=True, padding_mode="zeros", device=None, dtype=None):
        super().__init__()
        _check_dtype(device, dtype)
        if in_channels % groups or out_channels % groups:
            raise ValueError("in_channels and out_channels must be divisible by groups")
        if padding_mode != "zeros":
            raise NotImplementedError(f"Conv1d: padding_mode '{padding_mode}'")
        one = F._one
        if isinstance(padding, str) and padding not in ("same", "valid"):
            raise ValueError(f"Invalid padding string {padding!r}, should be one of 'valid', 'same'")
        if padding == "same" and one(stride) != 1:
            raise ValueError("padding='same' is not supported for strided convolutions")
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride, self.dilation = (one(kernel_size),), (one(stride),), (one(dilation),)
        self.padding = padding if isinstance(padding, str) else (one(padding),)
        self._register(bias, out_channels, in_channels // groups, one(kernel_size))

    def forward(self, input):
        return F.conv1d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)

    def extra_repr(self):
        text = (f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}")
        text += f", padding={self.padding}" if self.padding != (0,) else ""
        text += f", dilation={self.dilation}" if self.dilation != (1,) else ""
        text += f", groups={self.groups}" if self.groups != 1 else ""
        return text + ("" if self.bias is not None else ", bias=False")


class Embedding(Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0,
            scale_grad_by_freq=False, sparse=False, _weight=None, _freeze=False, device=None, dtype=None):
        super().__init__()
        _check_dtype(device, dtype)
        padding_idx = F._padding(padding_idx, num_embeddings)
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.padding_idx, self.max_norm, self.norm_type = padding_idx, max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        if _weight is not None:
            if tuple(_weight.shape) != (num_embeddings, embedding_dim):
                raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
            self.weight = Parameter(_weight, requires_grad=not _freeze)
            return
        self.weight = _uninitialised(num_embeddings, embedding_dim)
        init.normal_(self.weight)
        if padding_idx is not None:
            with _stepgrad._NoGrad():
                self.weight[padding_idx] = 0.0

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0,
            scale_grad_by_freq=False, sparse=False):
        if embeddings.dim() != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        return cls(*embeddings.shape, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse, embeddings, freeze)

    def forward(self, input):
        return F.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type,
            self.scale_grad_by_freq, self.sparse)

    def extra_repr(self):
        text = f"{self.num_embeddings}, {self.embedding_dim}"
        usual = {"padding_idx": None, "max_norm": None, "norm_type": 2, "scale_grad_by_freq": False, "sparse": False}
        values = {name: getattr(self, name) for name, value in usual.items() if getattr(self, name) != value}
        return text + "".join(f", {name}={value}" for name, value in values.items())


class _Norm(Module):
    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, device=None, dtype=None,
            bias=True):
        super().__init__()
        _check_dtype(device, dtype)
        sizes = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.normalized_shape, self.eps = sizes, eps
        self.elementwise_affine = elementwise_affine
        for name, wanted in (("weight", elementwise_affine), ("bias", elementwise_affine and bias)):
            self.register_parameter(name, _uninitialised(*sizes) if wanted else None)
        self.reset_parameters()

    def reset_parameters(self):
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    _extra_repr = "{normalized_shape}, eps={eps}, elementwise_affine={elementwise_affine}"


class LayerNorm(_Norm):
    def forward(self, input):
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


class RMSNorm(_Norm):
    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__(normalized_shape, eps, elementwise_affine, device, dtype, bias=False)

    def forward(self, input):
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps)


def _register_scale(module, n, affine):
    """A weight of ones and a bias of zeros, or None."""
    for name, make in (("weight", _stepgrad._ones), ("bias", _stepgrad._zeros)):
        module.register_parameter(name, Parameter(make((n,), _stepgrad.float32)) if affine else None)


class GroupNorm(Module):
    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None):
        super().__init__()
        _check_dtype(device, dtype)
        if num_channels % num_groups:
            raise ValueError("num_channels must be divisible by num_groups")
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        _register_scale(self, num_channels, affine)

    def forward(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    _extra_repr = "{num_groups}, {num_channels}, eps={eps}, affine={affine}"


class BatchNorm1d(Module):
    """For [batch, channels] and [batch, channels, length]."""

    _version = 2

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True,
            device=None, dtype=None):
        super().__init__()
        _check_dtype(device, dtype)
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        _register_scale(self, num_features, affine)
        size, kept = (num_features,), track_running_stats
        self.register_buffer("running_mean", _stepgrad._zeros(size, _stepgrad.float32) if kept else None)
        self.register_buffer("running_var", _stepgrad._ones(size, _stepgrad.float32) if kept else None)
        self.register_buffer("num_batches_tracked", _stepgrad._zeros((), _stepgrad.int64) if kept else None)

    def forward(self, input):
        if input.dim() not in (2, 3):
            raise ValueError(f"expected 2D or 3D input (got {input.dim()}D input)")
        counted, momentum = self.training and self.track_running_stats, self.momentum or 0.0
        if counted and self.momentum is None:
            momentum = 1 / (self.num_batches_tracked.item() + 1)
        y = F.batch_norm(input, self.running_mean, self.running_var, self.weight, self.bias,
            self.training or self.running_mean is None, momentum, self.eps)
        if counted:
            self.num_batches_tracked.add_(1)
        return y

    _extra_repr = ("{num_features}, eps={eps}, momentum={momentum}, affine={affine}, "
        "track_running_stats={track_running_stats}")


class Dropout(Module):
    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        F._check_share(p)
        self.p, self.inplace = p, inplace

    def forward(self, input):
        return F.dropout(input, self.p, self.training, self.inplace)

    _extra_repr = "p={p}, inplace={inplace}"


class PReLU(Module):
    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        _check_dtype(device, dtype)
        self.num_parameters = num_parameters
        self.weight = Parameter(_stepgrad._full((num_parameters,), init, _stepgrad.float32))

    def forward(self, input):
        return F.prelu(input, self.weight)

    _extra_repr = "num_parameters={num_parameters}"


class Identity(Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


class LazyLinear(Linear):
    """Takes its in_features from the first input, or a file, and is a Linear from the first input on."""

    cls_to_become = Linear

    def _register(self, bias, out_features, in_features):
        self.weight = UninitializedParameter()
        self.register_parameter("bias", UninitializedParameter() if bias else None)

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        super().__init__(0, out_features, bias, device, dtype)

    def has_uninitialized_params(self):
        return any(isinstance(p, UninitializedParameter) for p in self._parameters.values())

    def reset_parameters(self):
        if not self.has_uninitialized_params():
            super().reset_parameters()

    def initialize_parameters(self, input):
        if self.has_uninitialized_params():
            self.in_features = input.size(-1)
            self.weight.materialize((self.out_features, self.in_features))
            if self.bias is not None:
                self.bias.materialize((self.out_features,))
            self.reset_parameters()

    def __call__(self, input):
        self.initialize_parameters(input)
        self.__class__ = self.cls_to_become
        return self(input)

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars or self.has_uninitialized_params())

    def _load_from_state_dict(self, state_dict, prefix, *others):
        for name, p in self._parameters.items():
            x = state_dict.get(prefix + name)
            if isinstance(p, UninitializedParameter) and not isinstance(x, (UninitializedParameter, type(None))):
                p.materialize(x.shape)
        super()._load_from_state_dict(state_dict, prefix, *others)
