#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// A fused op, as one node that never holds all probabilities:
//
//   matmul(dropout(softmax(masked_fill(matmul(q, k.transpose(-1, -2)) * scale, mask, fill)), p), v)
//
// with the same bits, the same draws of a dropout with probability p, and gradients that differ in
// rounding only. It saves only q, k and v: backward recomputes the probabilities, a few rows at a
// time. Keys that the mask hides from a whole block of queries are skipped; if their v is infinite,
// the plain ops give NaN instead.
//
// q: [.., n_q, d]   k: [.., n_k, d]   v: [.., n_k, d_v]
// mask, or undefined: broadcasts to [.., n_q, n_k]; nonzero where query and key are masked
// causal: query i also ignores keys after key i
// Under an Autocast, or if leading sizes differ but broadcast, the plain ops run.
// ShapeError; ValueError: p not in [0, 1).
[[nodiscard]] Tensor fused_attention(
    Arg q, Arg k, Arg v, const Tensor& mask, Scalar scale, Scalar fill = -1e9, bool causal = false, double p = 0);

}
