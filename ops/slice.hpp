#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The elements begin, ..., end - 1 along `dim`: Python's x[.., begin:end]. Along dimension 0 they
// share x's memory, along others they are a copy. Negative bounds count from the end; no
// bound is clamped. IndexError: outside [0, size], or end before begin.
[[nodiscard]] Tensor slice(Arg x, int dim, int64_t begin, int64_t end);

}
