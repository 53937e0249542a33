#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The approximation of gelu by tanh (Hendrycks & Gimpel 2016), as PyTorch's approximate='tanh':
// x (1 + tanh(√(2/π) (x + 0.044715 x³)))/2. The gradient at an infinity is NaN, as for gelu and
// silu.
[[nodiscard]] Tensor gelu_tanh(Arg x);

}
