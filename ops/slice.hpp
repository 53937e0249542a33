#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The elements begin, ..., end - 1 along `dim`, as a copy: Python's x[.., begin:end]. Negative ones
// count from the end; nothing is clamped. IndexError: outside [0, size], or end before begin.
Tensor slice(Arg x, int dim, int64_t begin, int64_t end);

}  // namespace stepgrad
