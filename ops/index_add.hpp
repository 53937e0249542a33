#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// A copy of x with out[ids[r]] += source[r], in rising r: the gradient of embedding. As
// torch.index_add along dimension 0.
//   x: [m, n]   ids: [rows]   source: [rows, n]
// ShapeError; IndexError: an id that is no whole number in [0, m).
[[nodiscard]] Tensor index_add(Arg x, Arg ids, Arg source);

}
