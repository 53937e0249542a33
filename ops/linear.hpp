#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// x·weightᵀ         x: [.., in]   weight: [out, in]   result: [.., out]
// As torch.nn.functional.linear without its bias. ShapeError.
[[nodiscard]] Tensor linear(Arg x, Arg weight);

// x·weightᵀ + bias       bias: [out]
// Under an Autocast the sum is rounded once, to the narrower format, as PyTorch's is. ShapeError.
[[nodiscard]] Tensor linear(Arg x, Arg weight, Arg bias);

}
