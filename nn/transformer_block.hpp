#pragma once

#include "nn/dropout.hpp"
#include "nn/feed_forward.hpp"
#include "nn/layer_norm.hpp"
#include "nn/multi_head_attention.hpp"

namespace stepgrad::nn {

// Self-attention, then a feed-forward, each with dropout, added to its input and then normalised:
// the post-norm block of Vaswani et al. 2017.
//   x: [batch, n, d_model]   mask, or none: broadcasts to [batch, n, n], as in MultiHeadAttention
struct TransformerBlock : Module<TransformerBlock> {
  // ValueError: a size that is not positive, dropout not in [0, 1), or d_model not a multiple of
  // n_heads.
  explicit TransformerBlock(
      int64_t d_model = 512, int64_t n_heads = 8, int64_t d_ff = 2048, double dropout = 0.1, OpCall = Loc::here());

  Tensor forward(Tensor x, Tensor mask = {});  // ShapeError

  void parts(auto visit) {
    visit("attention", attention), visit("norm1", norm1), visit("dropout1", dropout1);
    visit("ffn", ffn), visit("norm2", norm2), visit("dropout2", dropout2);
  }

  MultiHeadAttention attention;
  LayerNorm norm1;
  Dropout dropout1;

  FeedForward ffn;
  LayerNorm norm2;
  Dropout dropout2;
};

}
