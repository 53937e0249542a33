#pragma once

#include "core/tensor.hpp"

namespace stepgrad {

// A mask M of x's shape for x∘M: each element is 1/keep_prob with probability keep_prob, else 0.
// M = (rand_like(x) < keep_prob) / keep_prob, bit for bit. ValueError: not 0 < keep_prob <= 1.
Tensor dropout_mask(Arg x, Scalar keep_prob);

}  // namespace stepgrad
