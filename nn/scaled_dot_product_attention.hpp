#pragma once

#include "nn/module.hpp"

namespace stepgrad::nn {

// What attention gives: the values that it has mixed, and in which proportions.
struct Attended {
  Tensor output;
  Tensor attn_prob;  // each row adds up to 1; undefined if fused: then they are never all there
};

// softmax(Q·Kᵀ/√d_head)·V (Vaswani et al. 2017, 3.2.1). Scores are set to -1e9 where attn_mask is
// not 0, so their probabilities are exactly 0. In a row that is masked all over, all scores are
// equal then and so are the probabilities, 1/n_k: finite, and with no gradient for Q and K.
//
//   Q: [.., n_q, d_head]   K: [.., n_k, d_head]   V: [.., n_k, d_v]   output: [.., n_q, d_v]
//   attn_mask, or none: broadcasts to attn_prob: [.., n_q, n_k]
struct ScaledDotProductAttention : Module<ScaledDotProductAttention> {
  explicit ScaledDotProductAttention(int64_t d_head);  // ValueError: not positive

  Attended forward(Tensor Q, Tensor K, Tensor V, Tensor attn_mask = {});  // ShapeError

  template <class Visit>
  void parts(Visit) {}

  Scalar scale;  // 1/√d_head
};

}  // namespace stepgrad::nn
