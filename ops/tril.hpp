#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The lower triangle of each matrix of x [.., m, n]: element (i, j) stays where j - i <= diagonal
// and is 0 elsewhere, as torch.tril. ShapeError: fewer than two dimensions.
[[nodiscard]] Tensor tril(Arg x, int64_t diagonal = 0);

}
