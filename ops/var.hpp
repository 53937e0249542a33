#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The variance over the dimensions named, or of all elements: Σ (x - mean)² / (n - correction).
// With correction = 1 it is unbiased, as torch.var; layer_norm's is that with 0. NaN for n <=
// correction. The dimensions become 1 with keepdim, else go. IndexError; ShapeError: a dimension
// named twice.
Tensor var(Arg x, Dims dims = {}, bool keepdim = false, int64_t correction = 1);

}  // namespace stepgrad
