#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The mean of all elements, or over the dimensions named (which become 1 with keepdim, else go).
// Over no elements it is NaN, as PyTorch's. IndexError; ShapeError: a dimension named twice.
[[nodiscard]] Tensor mean(Arg x, Dims dims = {}, bool keepdim = false);

}
