#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The natural logarithm of each element: -inf at 0, where the gradient is infinite, and NaN below.
// Where no gradient arrives it is 0: where(x > 0, log(x), 0) has a finite one everywhere.
Tensor log(Arg x);

}  // namespace stepgrad
