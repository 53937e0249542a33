#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Functions of each element, PyTorch's by these names.
[[nodiscard]] Tensor sin(Arg x);
[[nodiscard]] Tensor cos(Arg x);
[[nodiscard]] Tensor tan(Arg x);
[[nodiscard]] Tensor asin(Arg x);
[[nodiscard]] Tensor acos(Arg x);
[[nodiscard]] Tensor atan(Arg x);
[[nodiscard]] Tensor sinh(Arg x);
[[nodiscard]] Tensor cosh(Arg x);
[[nodiscard]] Tensor asinh(Arg x);
[[nodiscard]] Tensor acosh(Arg x);
[[nodiscard]] Tensor atanh(Arg x);
[[nodiscard]] Tensor log2(Arg x);
[[nodiscard]] Tensor log10(Arg x);
[[nodiscard]] Tensor log1p(Arg x);
[[nodiscard]] Tensor exp2(Arg x);
[[nodiscard]] Tensor expm1(Arg x);
[[nodiscard]] Tensor erfc(Arg x);

[[nodiscard]] Tensor leaky_relu(Arg x, Scalar negative_slope);
[[nodiscard]] Tensor hardtanh(Arg x, Scalar min_val, Scalar max_val);
[[nodiscard]] Tensor elu(Arg x, Scalar alpha);
[[nodiscard]] Tensor softplus(Arg x, Scalar beta, Scalar threshold);

// Made of other ops. No gradient passes a step, as with trunc.
[[nodiscard]] Tensor floor(Arg x);
[[nodiscard]] Tensor ceil(Arg x);
[[nodiscard]] Tensor sign(Arg x);  // 1, -1, or 0 for zeros and NaN

}
