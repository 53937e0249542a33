#pragma once

#include "core/tensor.hpp"

namespace stepgrad {

// x·weightᵀ         x: [.., in]   weight: [out, in]   result: [.., out]
// As torch.nn.functional.linear without its bias. ShapeError.
Tensor linear(Arg x, Arg weight);

}  // namespace stepgrad
