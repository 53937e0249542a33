#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The sum of all elements, or over the dimensions named (which become 1 with keepdim, else go).
// Over no elements it is 0. IndexError; ShapeError: a dimension named twice; ValueError: of
// integers, more than a Scalar counts.
[[nodiscard]] Tensor sum(Arg x, Dims dims = {}, bool keepdim = false);

}
