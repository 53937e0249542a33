#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The same numbers under another shape; they are shared, not copied. One size may be -1 and is
// worked out. ShapeError: the number of elements differs.
Tensor reshape(Arg x, Shape shape);

// [..., n] as [rows, n], also where n is 0.
Tensor as_rows(const Tensor& x);

// A dimension of size 1 put in before `dim` (-1: after the last), or taken out. IndexError; squeeze
// leaves a dimension of another size alone, as PyTorch does.
Tensor unsqueeze(Arg x, int dim);
Tensor squeeze(Arg x, int dim);

}  // namespace stepgrad
