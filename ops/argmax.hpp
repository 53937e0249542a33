#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The index of the largest or smallest element along `dim`, or in the flattened tensor; the first
// of equal elements; a NaN wins. With keepdim the size along dim becomes 1; otherwise the dimension
// is removed. No gradient. IndexError; ShapeError: no elements, or more than a Scalar counts.
[[nodiscard]] Tensor argmax(Arg x, int dim, bool keepdim = false);
[[nodiscard]] Tensor argmin(Arg x, int dim, bool keepdim = false);  // = argmax(-x)
[[nodiscard]] Tensor argmax(Arg x);
[[nodiscard]] Tensor argmin(Arg x);

}
