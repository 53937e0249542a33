#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The largest or the smallest of all elements; those that tie for it share its gradient.
// ShapeError: none at all.
Tensor max(Arg x);
Tensor min(Arg x);

// Along `dim`, with its index: the first of equal ones, which alone gets the gradient, as
// torch.max(x, dim). The size along dim becomes 1 with keepdim or else goes. A NaN wins.
// IndexError; ShapeError: no elements along `dim`, or more than a Scalar counts. amax and amin
// share among equal ones; maximum(a, b) is of two.
ValuesAndIndices max(Arg x, int dim, bool keepdim = false);
ValuesAndIndices min(Arg x, int dim, bool keepdim = false);

}  // namespace stepgrad
