#pragma once

#include <vector>

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Splits x along `dim`, as torch.split and torch.chunk: into parts of `size` (the last may be
// smaller), of the given sizes, or into at most `chunks` parts of equal size. Along dimension 0 the
// parts share x's memory. IndexError; ValueError: a size or count is not positive, or the sizes
// do not add up to x's.
[[nodiscard]] Tensors split(Arg x, int64_t size, int dim = 0);
[[nodiscard]] Tensors split(Arg x, const std::vector<int64_t>& sizes, int dim = 0);
[[nodiscard]] Tensors chunk(Arg x, int64_t chunks, int dim = 0);

}
