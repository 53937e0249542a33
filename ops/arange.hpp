#pragma once

#include "core/tensor.hpp"

namespace stepgrad {

// [0, 1, .., end - 1], or [begin, .., end - 1]. ValueError: end before begin.
Tensor arange(int64_t end);
Tensor arange(int64_t begin, int64_t end);

}  // namespace stepgrad
