#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The largest or smallest element along `dim`, as torch.amax and torch.amin: elements that tie
// share its gradient equally; a NaN wins. With keepdim the size along dim becomes 1; otherwise the
// dimension is removed. IndexError; ShapeError: no elements along `dim`.
[[nodiscard]] Tensor amax(Arg x, int dim, bool keepdim = false);
[[nodiscard]] Tensor amin(Arg x, int dim, bool keepdim = false);  // = -amax(-x)

}
