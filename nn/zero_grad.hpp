#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad::nn {

// Writes zeros into existing gradients, or removes them (set_to_none, PyTorch's default since 2.0).
void zero_grad(const Tensors& parameters, bool set_to_none = false, Loc loc = Loc::here());

}
