#pragma once

#include "core/tensor.hpp"

namespace stepgrad {

// IndexError, `op` in front, unless every element of `ids` is a whole number in [0, n).
void check_ids(const char* op, const Tensor& ids, int64_t n);

}  // namespace stepgrad
