#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Limits each element to [min, max]. At a bound the gradient passes, as in PyTorch; NaN stays NaN.
// ValueError: min > max. In place: Tensor::clamp_.
[[nodiscard]] Tensor clamp(Arg x, Scalar min, Scalar max = infinity);

}
