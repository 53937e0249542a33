#pragma once

#include <functional>
#include <optional>
#include <variant>

#include "demos/parts/sequence_feed_forward.hpp"
#include "nn/nn.hpp"

namespace stepgrad::demo {

// Any layer after a block's attention.
struct NoFeedForward : nn::Module<NoFeedForward> {
  void parts(auto) {}
};
using AnyFeedForward = std::variant<NoFeedForward, nn::FeedForward, nn::GatedFeedForward, SequenceFeedForward,
    nn::MoEFeedForward, nn::SparseMoEFeedForward>;
using MakeFeedForward = std::function<AnyFeedForward()>;

// nn::TransformerBlock, but with any feed-forward.
struct Block : nn::Module<Block> {
  Block(int64_t d_model, int64_t n_heads, AnyFeedForward feed_forward, double dropout);

  Tensor forward(Tensor x, Tensor mask);

  void parts(auto visit) {
    visit("attention", attention), visit("norm1", norm1), visit("dropout1", dropout1);
    std::visit([&](auto& any) { visit("ffn", any); }, ffn);
    if (norm2) visit("norm2", *norm2);
    visit("dropout2", dropout2);
  }

  nn::MultiHeadAttention attention;
  nn::LayerNorm norm1;
  nn::Dropout dropout1;
  AnyFeedForward ffn;
  std::optional<nn::LayerNorm> norm2;  // goes with the feed-forward
  nn::Dropout dropout2;
  bool training = true;

  // Set by forward(), for experts: the loss for even use, if they are sparse, and each expert's
  // share of the work: [n_experts].
  Tensor balance_loss, usage;
};

// The Transformers' size and training settings.
struct Size {
  int64_t d_model = 64, n_heads = 4, n_layers = 2, context = 64, batch = 16;
  static constexpr double dropout = 0.1;
};

// Predicts each next character from those before it.        ids: [batch, context]
struct CausalTransformer : nn::Module<CausalTransformer> {
  CausalTransformer(int64_t characters, const Size& size, const MakeFeedForward& make);

  Tensor forward(Tensor ids);  // [batch, context, characters], logits

  void parts(auto visit) { visit("embedding", embedding), visit("blocks", blocks), visit("head", head); }

  nn::Embedding embedding;
  Tensor positions;  // [context, d_model], the sinusoid table; not a parameter
  Tensor mask;       // [1, context, context]
  std::vector<Block> blocks;
  nn::Linear head;
};

}
