#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The product of all elements, or of those along `dim`, as torch.prod; 1 if there are none. With
// keepdim the size along dim becomes 1; otherwise the dimension is removed. IndexError.
[[nodiscard]] Tensor prod(Arg x);
[[nodiscard]] Tensor prod(Arg x, int dim, bool keepdim = false);

}
