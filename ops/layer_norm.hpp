#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Each row of x to mean 0 and variance 1, times weight plus bias (Ba et al. 2016). As
// torch.nn.functional.layer_norm over the last dimension: the variance is Σ(x - mean)²/n, and eps
// stands under the root. Squares of a row may be beyond what a number holds.
//   x: [.., n]   weight, bias: [n]
// ShapeError.
Tensor layer_norm(Arg x, Arg weight, Arg bias, Scalar eps = Scalar(1e-5));

}  // namespace stepgrad
