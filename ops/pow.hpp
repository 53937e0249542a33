#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// a to the power of b, element by element, broadcast as in NumPy; NaN for a negative a and a b that
// is not whole. The gradient of a is 0 where b = 0, that of b where a = 0 and b >= 0, as in
// PyTorch. ShapeError.
[[nodiscard]] Tensor pow(Arg a, Arg b);

}
