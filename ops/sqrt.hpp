#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The square root of each element, NaN below 0. The gradient at 0 is infinite, as PyTorch's,
// but 0 where none arrives: where(x > 0, sqrt(x), 0) has a finite one everywhere.
Tensor sqrt(Arg x);

}  // namespace stepgrad
