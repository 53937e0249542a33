#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// A view of x with another shape: it shares x's memory. One size may be -1 and is inferred.
// ShapeError: the number of elements differs.
[[nodiscard]] Tensor reshape(Arg x, Shape shape);

// [..., n] as [rows, n], also where n is 0.
[[nodiscard]] Tensor as_rows(const Tensor& x);

// Inserts a dimension of size 1 before `dim` (-1: after the last), or removes it. squeeze does
// nothing if the size is not 1, as PyTorch. IndexError.
[[nodiscard]] Tensor unsqueeze(Arg x, int dim);
[[nodiscard]] Tensor squeeze(Arg x, int dim);

}
