#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// n numbers at equal distances from begin to end, both among them, as torch.linspace. [begin] for
// n = 1. ValueError: n is negative.
[[nodiscard]] Tensor linspace(double begin, double end, int64_t n, Loc loc = Loc::here());

}
