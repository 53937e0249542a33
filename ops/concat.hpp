#pragma once

#include <vector>

#include "core/tensor.hpp"

namespace stepgrad {

// Tensors one after the other along `dim`, as torch.concat. ShapeError: none at all, or their other
// sizes differ; IndexError.
Tensor concat(const std::vector<Tensor>& xs, int dim = 0, Loc loc = Loc::here());

}  // namespace stepgrad
