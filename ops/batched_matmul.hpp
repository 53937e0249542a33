#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// [..., m, k] · [..., k, n]; leading sizes broadcast. matmul calls it if the right operand has more
// than two dimensions. ShapeError.
[[nodiscard]] Tensor batched_matmul(Arg a, Arg b);

// ShapeError: one is a single number, or a's columns are not as many as b's rows.
void check_inner_sizes(const Shape& a, const Shape& b);

}
