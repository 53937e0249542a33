#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// x with rows of `source` added to it: out[ids[r]] += source[r], in rising r. It is what embedding,
// which takes rows out, is the other way round. As torch.index_add along dimension 0.
//   x: [m, n]   ids: [rows]   source: [rows, n]
// ShapeError; IndexError: an id that is no whole number in [0, m).
Tensor index_add(Arg x, Arg ids, Arg source);

}  // namespace stepgrad
