#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The variance Σ (x - mean)² / (n - correction) over `dims`, or of all elements. correction = 1:
// unbiased, as torch.var; layer_norm uses 0. NaN if n <= correction. With keepdim the sizes become
// 1; otherwise the dimensions are removed. IndexError; ShapeError: a dimension is named twice.
[[nodiscard]] Tensor var(Arg x, Dims dims = {}, bool keepdim = false, int64_t correction = 1);

}
