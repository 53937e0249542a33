#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Joins tensors along `dim`, as torch.concat; cat is the same. stack() joins scalars.
// ShapeError: no tensors, or their other sizes differ; IndexError.
[[nodiscard]] Tensor concat(const Tensors& xs, int dim = 0, CallLine loc = Loc::here());
[[nodiscard]] inline Tensor cat(const Tensors& xs, int dim = 0, CallLine loc = Loc::here()) {
  return concat(xs, dim, loc);
}

}
