#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The matrix product, by PyTorch's rules: [..., m, k] · [k, n], or batched [..., m, k] · [..., k,
// n] with leading sizes that broadcast. An operand of one dimension is a row on the left and a
// column on the right, and that dimension is gone from the result. ShapeError.
[[nodiscard]] Tensor matmul(Arg a, Arg b);

}
