#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Along `dim`, the elements that `index` names: Y[i, j] = X[index[i, j], j] for dim = 0, as
// torch.gather.        index, Y: no larger than x, but of any size along dim
// ShapeError; IndexError: an index that is no whole number in [0, size of x along dim).
[[nodiscard]] Tensor gather(Arg x, int dim, Arg index);

}
