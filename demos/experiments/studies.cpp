#include "demos/experiments/studies.hpp"

#include "ops/ops.hpp"

namespace stepgrad::demo {
namespace {

constexpr double p = Size::dropout;
constexpr const char* without_norm = "Without FFN the block ends behind norm1: its norm2 goes, too.";

// Two layers, the hidden one `ratio` times as wide as the model.
Variant wide(const Size& size, const char* name, int64_t ratio, nn::Activation activation = relu) {
  const int64_t d_model = size.d_model;
  return {name + (" " + std::to_string(ratio)) + "x",
      [=] { return nn::FeedForward(d_model, ratio * d_model, p, activation); }};
}
Variant relu_wide(const Size& size, int64_t ratio) { return wide(size, "ReLU", ratio); }

// Three matrices instead of two: 8/3 the width has as many parameters as 4 (Shazeer 2020).
Variant gated(const Size& size, const char* name, nn::Activation activation, bool bias) {
  const int64_t d_model = size.d_model, d_ff = (8 * d_model + 1) / 3;
  return {name, [=] { return nn::GatedFeedForward(d_model, d_ff, p, activation, bias); }};
}

Variant none() {
  return {"no FFN", [] { return NoFeedForward(); }};
}

Variant along_sequence(const Size& size) {
  return {"sequence-wise 4x", [n = size.context] { return SequenceFeedForward(n, 4, p); }};
}

Variant dense_experts(const Size& size) {
  return {"MoE, all 4", [d = size.d_model] { return nn::MoEFeedForward(d, 4 * d, 4, p); }};
}
Variant best_experts(const Size& size, int64_t k) {
  return {"MoE, best " + std::to_string(k) + " of 4",
      [=, d = size.d_model] { return nn::SparseMoEFeedForward(d, 4 * d, 4, k, p); }};
}

Study ratios(const Size& size) {
  return {"ratios", "How wide should the hidden layer be, d_ff / d_model?",
      {relu_wide(size, 1), relu_wide(size, 2), relu_wide(size, 4), relu_wide(size, 8)},
      {{"ReLU 2x", "ReLU 1x", "perplexity 38.7 against 45.3"}, {"ReLU 4x", "ReLU 2x", "32.1 against 38.7"},
          {"ReLU 4x", "ReLU 8x", "32.1 against 33.5: overfitting begins"}},
      ""};
}

Study ablation(const Size& size) {
  return {"ablation", "What does the feed-forward do for the model?",
      {none(), relu_wide(size, 1), relu_wide(size, 2), relu_wide(size, 4), relu_wide(size, 8)},
      {{"ReLU 1x", "no FFN", "attention alone hardly transforms features"},
          {"ReLU 4x", "no FFN", "two thirds of a block's parameters are the feed-forward's"}},
      without_norm};
}

Study activations(const Size& size) {
  return {"activations", "Which activation? The gated ones have no more parameters.",
      {relu_wide(size, 4), wide(size, "GELU", 4, gelu), wide(size, "GELU tanh", 4, gelu_tanh),
          wide(size, "SiLU", 4, silu), gated(size, "GEGLU 8/3x", gelu, true), gated(size, "SwiGLU 8/3x", silu, false)},
      {{"GELU 4x", "ReLU 4x", "GELU was found to do better after the first Transformer"},
          {"SwiGLU 8/3x", "GELU 4x", "SwiGLU is said to be the best"},
          {"SwiGLU 8/3x", "ReLU 4x", "and ReLU the simplest"}},
      ""};
}

Study sequence(const Size& size) {
  return {"sequence", "Each position by itself, or each feature along the sequence?",
      {none(), relu_wide(size, 4), along_sequence(size)},
      {{"ReLU 4x", "sequence-wise 4x", "attention mixes positions already; features need it"},
          {"sequence-wise 4x", "no FFN", "some processing is better than none"}},
      without_norm};
}

Study experts(const Size& size) {
  return {"experts", "Do four experts know more than one, and is each of them used?",
      {relu_wide(size, 4), dense_experts(size), best_experts(size, 2), best_experts(size, 1)},
      {{"MoE, all 4", "ReLU 4x", "four times the parameters and the work"},
          {"MoE, best 1 of 4", "ReLU 4x", "four times the parameters, the same work"}},
      ""};
}

}

std::vector<Study> studies(const Size& size) {
  return {ratios(size), ablation(size), activations(size), sequence(size), experts(size)};
}

}
