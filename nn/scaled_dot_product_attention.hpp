#pragma once

#include "nn/module.hpp"

namespace stepgrad::nn {

// Attention's result: the mixed values, and their proportions.
struct Attended {
  Tensor output;
  Tensor attn_prob;  // each row adds up to 1; undefined if fused, which never has all rows
};

// softmax(Q·Kᵀ/√d_head)·V (Vaswani et al. 2017, 3.2.1). Scores are set to -1e9 where attn_mask is
// not 0, so their probabilities are exactly 0. A row that is masked all over has equal scores, so
// its probabilities are 1/n_k: finite, and without gradient for Q and K.
//
//   Q: [.., n_q, d_head]   K: [.., n_k, d_head]   V: [.., n_k, d_v]   output: [.., n_q, d_v]
//   attn_mask, or none: broadcasts to attn_prob: [.., n_q, n_k]
struct ScaledDotProductAttention : Module<ScaledDotProductAttention> {
  explicit ScaledDotProductAttention(int64_t d_head,
      OpCall = Loc::here());  // ValueError: not positive

  Attended forward(Tensor Q, Tensor K, Tensor V, Tensor attn_mask = {});  // ShapeError

  void parts(auto) {}

  Scalar scale;  // 1/√d_head
};

}
