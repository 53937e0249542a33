#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The standard deviation, √var(x), see there: torch.std, and as a method x.std(), but std is a
// namespace in C++. Where it is 0, so is the gradient, as PyTorch's.
Tensor stddev(Arg x, Dims dims = {}, bool keepdim = false, int64_t correction = 1);

}  // namespace stepgrad
