#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Every element held within [min, max]. The gradient passes at a bound, as PyTorch's does; a NaN
// stays one. ValueError: min > max. In place: Tensor::clamp_.
Tensor clamp(Arg x, Scalar min, Scalar max = infinity);

}  // namespace stepgrad
