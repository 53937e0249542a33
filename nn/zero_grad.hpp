#pragma once

#include <vector>

#include "core/tensor/tensor.hpp"

namespace stepgrad::nn {

// Writes zeros into the gradients that exist, or drops them: set_to_none, PyTorch's default since
// version 2.
void zero_grad(const std::vector<Tensor>& parameters, bool set_to_none = false);

}  // namespace stepgrad::nn
