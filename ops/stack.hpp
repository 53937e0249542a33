#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Tensors of one shape one beside the other along a new dimension `dim`, as torch.stack.
// ShapeError: none at all, or their shapes differ; IndexError.
[[nodiscard]] Tensor stack(const Tensors& xs, int dim = 0, CallLine loc = Loc::here());

}
