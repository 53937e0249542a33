#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The natural logarithm of each element: -inf at 0, where the gradient is infinite, and NaN below.
// where(x > 0, log(x), 0) has the gradient 0·∞ = NaN at 0: use log(where(x > 0, x, 1)).
[[nodiscard]] Tensor log(Arg x);

}
