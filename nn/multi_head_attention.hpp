#pragma once

#include "nn/linear.hpp"
#include "nn/scaled_dot_product_attention.hpp"

namespace stepgrad::nn {

// n_head attentions side by side, each with its own projections of Q, K and V to d_head numbers;
// their outputs are concatenated and projected back (Vaswani et al. 2017, 3.2.2).
//
//   Q: [batch, n_q, d_model]   K, V: [batch, n_k, d_model]   output: [batch, n_q, d_model]
//   attn_mask, or none: broadcasts to [batch, n_q, n_k]; 1 where a query must not look
//   attn_prob: [batch, n_head, n_q, n_k]
struct MultiHeadAttention : Module<MultiHeadAttention> {
  // ValueError: a size that is not positive, or without d_head, d_model not a multiple of n_head.
  MultiHeadAttention(int64_t d_model, int64_t n_head,
      OpCall = Loc::here());  // d_head = d_model / n_head
  MultiHeadAttention(int64_t d_model, int64_t n_head, int64_t d_head, OpCall = Loc::here());

  Attended forward(Tensor Q, Tensor K, Tensor V, Tensor attn_mask = {});  // ShapeError

  void parts(auto visit) {
    visit("W_Q", W_Q), visit("W_K", W_K), visit("W_V", W_V);
    visit("scaled_dot_attn", scaled_dot_attn), visit("linear", linear);
  }

  int64_t n_head, d_head;
  Linear W_Q, W_K, W_V;
  ScaledDotProductAttention scaled_dot_attn;
  Linear linear;

 private:
  Tensor split_heads(const Tensor& x) const;
};

}
