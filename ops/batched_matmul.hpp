#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// A row of products: [..., m, k] · [..., k, n], leading sizes broadcast. What matmul calls for an
// operand on the right that has more than two dimensions. ShapeError.
Tensor batched_matmul(Arg a, Arg b);

}  // namespace stepgrad
