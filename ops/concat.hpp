#pragma once

#include <vector>

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Tensors one after the other along `dim`, as torch.concat, which cat is another name of.
// Numbers have no dimension to stand in one after the other along: stack() joins these.
// ShapeError: none at all, or their other sizes differ; IndexError.
Tensor concat(const std::vector<Tensor>& xs, int dim = 0, Loc loc = Loc::here());
inline Tensor cat(const std::vector<Tensor>& xs, int dim = 0, Loc loc = Loc::here()) {
  return concat(xs, dim, loc);
}

}  // namespace stepgrad
