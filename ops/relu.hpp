#pragma once

#include "core/tensor.hpp"

namespace stepgrad {

// max(0, x). Unlike clamp(x, 0), the gradient at 0 is 0, as in PyTorch.
Tensor relu(Arg x);

}  // namespace stepgrad
