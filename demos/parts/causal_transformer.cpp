#include "demos/parts/causal_transformer.hpp"

#include "ops/ops.hpp"

namespace stepgrad::demo {

Block::Block(int64_t d_model, int64_t n_heads, AnyFeedForward feed_forward, double dropout)
    : attention(d_model, n_heads), norm1(d_model), dropout1(dropout), ffn(std::move(feed_forward)), dropout2(dropout) {
  if (!std::holds_alternative<NoFeedForward>(ffn)) norm2.emplace(d_model);
}

namespace {

// The output of any feed-forward.
struct Apply {
  Block& block;
  const Tensor& x;

  Tensor operator()(NoFeedForward&) const { return x; }
  Tensor operator()(auto& ffn) const { return ffn(x); }
  Tensor operator()(nn::MoEFeedForward& ffn) const {
    if (!block.training) block.usage = softmax(ffn.gate(x), -1).mean({0, 1});
    return ffn(x);
  }
  Tensor operator()(nn::SparseMoEFeedForward& ffn) const {
    auto [output, balance_loss, usage] = ffn(x);
    block.balance_loss = balance_loss, block.usage = usage;
    return output;
  }
};

}

Tensor Block::forward(Tensor x, Tensor mask) {
  x = norm1(x + dropout1(attention(x, x, x, mask).output));
  if (std::holds_alternative<NoFeedForward>(ffn)) return x;
  return (*norm2)(x + dropout2(std::visit(Apply{*this, x}, ffn)));
}

CausalTransformer::CausalTransformer(int64_t characters, const Size& size, const MakeFeedForward& make)
    : embedding(characters, size.d_model),
      positions(nn::get_sinusoid_encoding_table(size.context, size.d_model)),
      mask(nn::get_attn_decoder_mask(Tensor::zeros({1, size.context}))),
      head(size.d_model, characters) {
  for (int64_t i = 0; i < size.n_layers; ++i) {
    blocks.emplace_back(size.d_model, size.n_heads, make(), Size::dropout);
  }
  name_parameters();
}

Tensor CausalTransformer::forward(Tensor ids) {
  Tensor x = embedding(ids) + positions;  // [batch, context, d_model]
  for (Block& block : blocks) x = block(x, mask);
  return head(x);
}

}
