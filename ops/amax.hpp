#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The largest or the smallest element along `dim`, whose size becomes 1 with keepdim or else goes.
// As torch.amax and torch.amin: elements that tie for it share its gradient equally, and a NaN
// wins. IndexError; ShapeError: no elements along `dim`.
Tensor amax(Arg x, int dim, bool keepdim = false);
Tensor amin(Arg x, int dim, bool keepdim = false);  // = -amax(-x)

}  // namespace stepgrad
