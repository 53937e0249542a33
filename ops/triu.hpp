#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The upper triangle of each matrix of x [.., m, n]: element (i, j) stays where j - i >= diagonal
// and is 0 elsewhere, as torch.triu. ShapeError: fewer than two dimensions.
[[nodiscard]] Tensor triu(Arg x, int64_t diagonal = 0);

}
