#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// matmul(a, b) if it is not one product [..., k] · [k, n]: a row on the left, a column or a batch
// of matrices on the right, or an Autocast.
Tensor matmul_cases(Arg a, Arg b);

// ShapeError: a's columns are not as many as b's rows.
void check_inner_sizes(const Shape& a, const Shape& b);

}  // namespace stepgrad
