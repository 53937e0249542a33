#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Y[j] = X[0] + ... + X[j] along `dim`, as torch.cumsum. IndexError; ValueError: of
// integers, more than a Scalar counts.
[[nodiscard]] Tensor cumsum(Arg x, int dim);

}
