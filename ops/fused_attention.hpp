#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// A fused op, as one node that never holds all probabilities:
//
//   matmul(dropout(softmax(masked_fill(matmul(q, k.transpose(-1, -2)) * scale, mask, fill)), p), v)
//
// with the same bits, the same draws of a dropout with probability p, and gradients that differ in
// rounding only. Its gradient computes the probabilities once more, a few rows at a time, so that
// it keeps no more than q, k and v. Keys that nobody in a block of queries may look at are passed
// over, where the plain ops make NaN of an infinite v.
//
// q: [.., n_q, d]   k: [.., n_k, d]   v: [.., n_k, d_v]; where leading sizes are not the same but
// broadcast, the plain ops run
// mask, or none: broadcasts to [.., n_q, n_k]; not 0 where a query must not look
// causal: nor may query i look at a key behind key i
// Within an Autocast the plain ops run. ShapeError; ValueError: p not in [0, 1).
Tensor fused_attention(Arg q, Arg k, Arg v, const Tensor& mask, Scalar scale, Scalar fill = -1e9,
                       bool causal = false, double p = 0);

}  // namespace stepgrad
