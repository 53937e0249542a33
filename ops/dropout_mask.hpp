#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// A mask M of x's shape for x∘M: each element is 1 with probability keep_prob, else 0.
// M = rand_like(x) < keep_prob, with the same draws. ValueError: not 0 < keep_prob <= 1.
[[nodiscard]] Tensor dropout_mask(Arg x, Scalar keep_prob);

}
