#pragma once

#include "core/tensor.hpp"

namespace stepgrad {

// The square root of each element, NaN below 0. The gradient at 0 is infinite, as PyTorch's.
Tensor sqrt(Arg x);

}  // namespace stepgrad
