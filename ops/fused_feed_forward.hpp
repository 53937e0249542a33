#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// A fused op: matmul(dropout(clamp(matmul(x, w1) + b1, 0)), w2) + b2 as one node, with the same
// bits, the same draws of a dropout with probability p, and gradients that differ in rounding only.
// Of the hidden layer it keeps one array, padded to whole panels of columns or rows, and one bit an
// element, where the plain ops keep three. The bit says whether a gradient passes: to a dropped
// element none does, where the plain ops make NaN of an infinite one.
//
// x: [.., d_model]   w1: [d_model, d_ff]   b1: [d_ff]   w2: [d_ff, d_model]   b2: [d_model]
// Within an Autocast(bfloat16), too; products of another format are left to the plain ops.
// b1 and b2 may both be undefined. ShapeError; ValueError: p not in [0, 1).
Tensor fused_feed_forward(Arg x, Arg w1, const Tensor& b1, Arg w2, const Tensor& b2, double p);

}  // namespace stepgrad
