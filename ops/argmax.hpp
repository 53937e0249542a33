#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Where the largest or the smallest element is along `dim`, whose size becomes 1 with keepdim or
// else goes; without a dim, among all elements in order. The first of equal ones; a NaN wins. It
// has no gradient. IndexError; ShapeError: no elements, or more than a Scalar counts.
Tensor argmax(Arg x, int dim, bool keepdim = false);
Tensor argmin(Arg x, int dim, bool keepdim = false);  // = argmax(-x)
Tensor argmax(Arg x);
Tensor argmin(Arg x);

}  // namespace stepgrad
