#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Each element rounded to the nearest bfloat16, ties to even: 8 significant bits and a float's
// range. The numbers stay in fp32; the gradient is rounded likewise. PyTorch's
// x.bfloat16().float().
Tensor bfloat16(Arg x);

}  // namespace stepgrad
