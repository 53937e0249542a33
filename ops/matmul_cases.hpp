#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// matmul(a, b) where it is not one product [..., k] · [k, n]: of a row on the left, of a column or
// a batch of matrices on the right, or within an Autocast.
Tensor matmul_cases(Arg a, Arg b);

// ShapeError: a has other columns than b has rows.
void check_inner_sizes(const Shape& a, const Shape& b);

}  // namespace stepgrad
