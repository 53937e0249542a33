#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// A fused op: matmul(dropout(clamp(matmul(x, w1) + b1, 0)), w2) + b2 as one node, with the same
// bits, the same draws of a dropout with probability p, and gradients that differ in rounding only.
// It saves one array of the hidden layer, padded to whole panels of columns or rows, and one bit
// per element, instead of three arrays. The bit says whether the gradient passes. If dY is
// infinite, a dropped element's gradient is 0 here and NaN with plain ops.
//
// x: [.., d_model]   w1: [d_model, d_ff]   b1: [d_ff]   w2: [d_ff, d_model]   b2: [d_model]
// Under an Autocast the plain ops run.
// relu: no gradient where the clamp's input is 0, as PyTorch's relu has it.
// b1 and b2 may both be undefined. ShapeError; ValueError: p not in [0, 1).
[[nodiscard]] Tensor fused_feed_forward(
    Arg x, Arg w1, const Tensor& b1, Arg w2, const Tensor& b2, double p, bool relu = false);

}
