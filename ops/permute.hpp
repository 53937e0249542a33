#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// x with its dimensions in the order of `dims`, as a copy. IndexError; ShapeError: not each
// dimension once.
Tensor permute(Arg x, Dims dims);

// x with two dimensions exchanged, as a copy. IndexError.
Tensor transpose(Arg x, int dim0, int dim1);

// The transpose of a matrix; of fewer dimensions, x itself. ShapeError: more.
Tensor t(Arg x);

// op(x, dim) of an op along the last dimension alone, with x transposed there and back. A number
// has one dimension here, as in PyTorch.
Tensor along_last(Tensor (*op)(Arg, int), Arg x, int dim);

}  // namespace stepgrad
