#include "nn/transformer_block.hpp"

#include "ops/add.hpp"

namespace stepgrad::nn {

TransformerBlock::TransformerBlock(int64_t d_model, int64_t n_heads, int64_t d_ff, double dropout, OpCall)
    : attention(d_model, n_heads),
      norm1(d_model),
      dropout1(dropout),
      ffn(d_model, d_ff, dropout),
      norm2(d_model),
      dropout2(dropout) {
  name_parameters();
}

Tensor TransformerBlock::forward(Tensor x, Tensor mask) {
  // Attention with residual
  Tensor attn_out = attention(x, x, x, mask).output;
  x = norm1(x + dropout1(attn_out));

  // FFN with residual
  Tensor ffn_out = ffn(x);
  x = norm2(x + dropout2(ffn_out));

  return x;
}

}
