#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The larger or the smaller of a and b, element by element, broadcast as in NumPy; a NaN wins.
// Where a and b are equal, each gets half of the gradient, as in PyTorch. ShapeError.
[[nodiscard]] Tensor maximum(Arg a, Arg b);
[[nodiscard]] Tensor minimum(Arg a, Arg b);  // = -maximum(-a, -b)

}
