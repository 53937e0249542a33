#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// a where mask is not 0, else b, all three broadcast as in NumPy. What was not chosen gets no
// gradient, be it a NaN. ShapeError.
Tensor where(Arg mask, Arg a, Arg b);

}  // namespace stepgrad
