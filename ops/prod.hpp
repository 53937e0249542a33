#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The product of all elements, or of those along `dim`, as torch.prod; 1 of none. The size along
// dim becomes 1 with keepdim or else goes. IndexError.
Tensor prod(Arg x);
Tensor prod(Arg x, int dim, bool keepdim = false);

}  // namespace stepgrad
