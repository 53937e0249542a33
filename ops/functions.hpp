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

Tensor leaky_relu(Arg x, Scalar negative_slope);
Tensor hardtanh(Arg x, Scalar min_val, Scalar max_val);
Tensor elu(Arg x, Scalar alpha);
Tensor softplus(Arg x, Scalar beta, Scalar threshold);

// Made of other ops. No gradient passes a step, as with trunc.
Tensor floor(Arg x);
Tensor ceil(Arg x);
Tensor sign(Arg x);  // 1, -1, or 0 for zeros and NaN

}  // namespace stepgrad
