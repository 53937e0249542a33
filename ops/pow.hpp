#pragma once

#include "core/tensor.hpp"

namespace stepgrad {

// a to the power of b, element by element, broadcast as in NumPy; NaN for a negative a and a b that
// is not whole. The gradient is 0 for a where b = 0, and for b where a = 0. ShapeError.
Tensor pow(Arg a, Arg b);

}  // namespace stepgrad
