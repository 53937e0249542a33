#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// max(0, x). As in PyTorch, and unlike clamp(x, 0), the gradient at 0 is 0, and that of a NaN
// passes.
[[nodiscard]] Tensor relu(Arg x);

}
