#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The Gaussian error linear unit x Φ(x), exactly (Hendrycks & Gimpel 2016); PyTorch's default.
// gelu_tanh is the other form.
[[nodiscard]] Tensor gelu(Arg x);

}
