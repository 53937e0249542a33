#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The whole part of each element, towards 0: PyTorch's x.int(). No gradient passes, as through a
// comparison.
[[nodiscard]] Tensor trunc(Arg x);

}
