#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// a where mask is not 0, else b, all three broadcast as in NumPy. An element that was not
// chosen gets gradient 0, even if it is NaN. ShapeError.
[[nodiscard]] Tensor where(Arg mask, Arg a, Arg b);

}
