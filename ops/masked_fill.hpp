#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// `value` where mask is not 0, else x. The mask broadcasts to x. ShapeError.
// In place: Tensor::masked_fill_.
[[nodiscard]] Tensor masked_fill(Arg x, Arg mask, Scalar value);

}
