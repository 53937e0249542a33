#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// a to the power of b, element by element, broadcast as in NumPy; NaN for a negative a and a b that
// is not whole. The gradient is 0 for a where b = 0, for b where a = 0 and b >= 0, as PyTorch's,
// and for both where none arrives. ShapeError.
Tensor pow(Arg a, Arg b);

}  // namespace stepgrad
