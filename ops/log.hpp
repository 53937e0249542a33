#pragma once

#include "core/tensor.hpp"

namespace stepgrad {

// The natural logarithm of each element: -inf at 0, where the gradient is infinite, and NaN below.
Tensor log(Arg x);

}  // namespace stepgrad
