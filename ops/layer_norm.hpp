#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// y = (x - mean)/√(Σ(x - mean)²/n + eps)∘weight + bias for each row (Ba et al. 2016), as
// torch.nn.functional.layer_norm over the last dimension. Squares may overflow a float.
//   x: [.., n]   weight, bias: [n]
// ShapeError.
[[nodiscard]] Tensor layer_norm(Arg x, Arg weight, Arg bias, Scalar eps = Scalar(1e-5));

}
