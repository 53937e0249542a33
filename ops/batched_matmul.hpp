#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// [..., m, k] · [..., k, n]; leading sizes broadcast. matmul calls it if the right operand has more
// than two dimensions. ShapeError.
Tensor batched_matmul(Arg a, Arg b);

}  // namespace stepgrad
