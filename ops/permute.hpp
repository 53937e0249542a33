#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// x with its dimensions in the order of `dims`, as a copy. IndexError; ShapeError: a
// dimension is missing or named twice.
[[nodiscard]] Tensor permute(Arg x, Dims dims);

// x with two dimensions exchanged, as a copy. IndexError.
[[nodiscard]] Tensor transpose(Arg x, int dim0, int dim1);

// The transpose of a matrix; x itself if it has fewer dimensions. ShapeError: x has more than two.
[[nodiscard]] Tensor t(Arg x);

// op(x, dim) for an op that works along the last dimension only: transposes x there and back. A
// scalar has one dimension here, as in PyTorch.
[[nodiscard]] Tensor along_last(Tensor (*op)(Arg, int), Arg x, int dim);

}
