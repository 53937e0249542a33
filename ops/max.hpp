#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The largest or smallest of all elements; elements that tie share its gradient. ShapeError: x is
// empty.
[[nodiscard]] Tensor max(Arg x);
[[nodiscard]] Tensor min(Arg x);

// The largest or smallest along `dim`, and its index, as torch.max(x, dim). The first of equal
// elements is taken and gets all of the gradient (amax and amin share it). With keepdim the size
// along dim becomes 1; otherwise the dimension is removed. A NaN wins.
// IndexError; ShapeError: no elements along `dim`, or more than a Scalar counts.
[[nodiscard]] ValuesAndIndices max(Arg x, int dim, bool keepdim = false);
[[nodiscard]] ValuesAndIndices min(Arg x, int dim, bool keepdim = false);

}
