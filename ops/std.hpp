#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The standard deviation √var(x), as torch.std; not called std, which is a namespace in C++. Where
// it is 0, the gradient is 0, as in PyTorch.
[[nodiscard]] Tensor stddev(Arg x, Dims dims = {}, bool keepdim = false, int64_t correction = 1);

}
