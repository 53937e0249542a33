#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad::nn {

// An op like relu, gelu or silu that a module applies between its layers.
using Activation = Tensor (*)(Arg);

}
