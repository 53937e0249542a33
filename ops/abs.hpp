#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// |x|, with the gradient 0 at 0, as PyTorch's.
[[nodiscard]] Tensor abs(Arg x);

}
