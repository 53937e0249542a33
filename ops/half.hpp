#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Each element rounded to the nearest IEEE half, ties to even: 11 significant bits, and infinite
// from 65520 on. Values stay in fp32; the gradient is rounded the same way. PyTorch's
// x.half().float().
[[nodiscard]] Tensor half(Arg x);

}
