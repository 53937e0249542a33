#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Each element rounded to the nearest bfloat16, ties to even: 8 significant bits and a float's
// range. Values stay in fp32; the gradient is rounded the same way. PyTorch's
// x.bfloat16().float().
[[nodiscard]] Tensor bfloat16(Arg x);

}
