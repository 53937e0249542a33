#include "nn/scaled_dot_product_attention.hpp"

#include <cmath>

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "ops/fused_attention.hpp"
#include "ops/matmul.hpp"
#include "ops/softmax.hpp"

namespace stepgrad::nn {

ScaledDotProductAttention::ScaledDotProductAttention(int64_t d_head, OpCall) : scale(1 / std::sqrt(Scalar(d_head))) {
  check<ValueError>(d_head > 0, "ScaledDotProductAttention: d_head ", d_head, " must be positive");
}

Attended ScaledDotProductAttention::forward(Tensor Q, Tensor K, Tensor V, Tensor attn_mask) {
  check_operands("ScaledDotProductAttention", Arg(Q), Arg(K), Arg(V));
  if (fused_ops()) return {fused_attention(Q, K, V, attn_mask, scale), {}};

  // [.., n_q, n_k]
  Tensor scores = matmul(Q, K.transpose(-1, -2)).mul_(scale);
  if (attn_mask.defined()) scores.masked_fill_(attn_mask, Scalar(-1e9));
  Tensor attn_prob = softmax(scores, -1);
  // [.., n_q, d_v]
  Tensor context = matmul(attn_prob, V);
  return {context, attn_prob};
}

}
