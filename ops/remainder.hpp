#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// PyTorch's % and //: the remainder has B's sign, and A = ⌊A/B⌋∘B + remainder. Shapes broadcast.
[[nodiscard]] Tensor remainder(Arg a, Arg b);
[[nodiscard]] Tensor floor_divide(Arg a, Arg b);  // has no gradient

}
