#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Functions of each element, PyTorch's by these names.
Tensor sin(Arg x);
Tensor cos(Arg x);
Tensor tan(Arg x);
Tensor asin(Arg x);
Tensor acos(Arg x);
Tensor atan(Arg x);
Tensor sinh(Arg x);
Tensor cosh(Arg x);
Tensor asinh(Arg x);
Tensor acosh(Arg x);
Tensor atanh(Arg x);
Tensor log2(Arg x);
Tensor log10(Arg x);
Tensor log1p(Arg x);
Tensor exp2(Arg x);
Tensor expm1(Arg x);
Tensor erfc(Arg x);

// With PyTorch's further numbers: negative_slope; min_val, max_val; alpha; beta, threshold.
Tensor leaky_relu(Arg x, Scalar a, Scalar unused = 0);
Tensor hardtanh(Arg x, Scalar a, Scalar b);
Tensor elu(Arg x, Scalar a, Scalar unused = 0);
Tensor softplus(Arg x, Scalar a, Scalar b);

// Made of other ops. No gradient passes a step, as with trunc.
Tensor floor(Arg x);
Tensor ceil(Arg x);
Tensor sign(Arg x);  // 1, -1, or 0 for zeros and NaN

}  // namespace stepgrad
