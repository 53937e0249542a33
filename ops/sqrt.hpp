#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The square root of each element, NaN below 0. The gradient at 0 is infinite, and NaN where 0
// arrives: not where(x > 0, sqrt(x), 0), but sqrt(where(x > 0, x, 1)) has a finite one everywhere.
[[nodiscard]] Tensor sqrt(Arg x);

}
