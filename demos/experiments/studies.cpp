#include "demos/experiments/studies.hpp"

#include "ops/ops.hpp"

namespace stepgrad::demo {
namespace {

constexpr double p = Size::dropout;
constexpr const char* without_norm =
    "Without FFN the block ends behind norm1: its norm2 goes, too.";

// Two layers, the hidden one `ratio` times as wide as the model.
Variant wide(const Size& size, const char* name, int64_t ratio, nn::Activation activation = relu) {
  const int64_t d_model = size.d_model;
  return {name + (" " + std::to_string(ratio)) + "x",
          [=] { return nn::FeedForward(d_model, ratio * d_model, p, activation); }};
}
Variant relu_wide(const Size& size, int64_t ratio) { return wide(size, "ReLU", ratio); }

// The width of the size: "ReLU 4x", or "ReLU 100" with --d-ff 100.
int64_t width(const Size& size) { return size.d_ff ? size.d_ff : 4 * size.d_model; }
Variant usual(const Size& size, const char* name, nn::Activation activation = relu) {
  if (!size.d_ff) return wide(size, name, 4, activation);
  return {name + (" " + std::to_string(size.d_ff)), [=, d = size.d_model, d_ff = size.d_ff] {
            return nn::FeedForward(d, d_ff, p, activation);
          }};
}

// Three matrices instead of two: 8/3 the width has as many parameters as 4 (Shazeer 2020).
Variant gated(const Size& size, const char* name, nn::Activation activation, bool bias) {
  const int64_t d_model = size.d_model, d_ff = (2 * width(size) + 1) / 3;
  return {name + (size.d_ff ? " " + std::to_string(d_ff) : std::string(" 8/3x")),
          [=] { return nn::GatedFeedForward(d_model, d_ff, p, activation, bias); }};
}

Variant none() {
  return {"no FFN", [] { return NoFeedForward(); }};
}

Variant along_sequence(const Size& size, int64_t ratio) {
  return {"sequence-wise " + std::to_string(ratio) + "x",
          [=, n = size.context] { return SequenceFeedForward(n, ratio, p); }};
}

Variant dense_experts(const Size& size) {
  return {"MoE, all 4",
          [d = size.d_model, d_ff = width(size)] { return nn::MoEFeedForward(d, d_ff, 4, p); }};
}
Variant best_experts(const Size& size, int64_t k) {
  return {"MoE, best " + std::to_string(k) + " of 4", [=, d = size.d_model, d_ff = width(size)] {
            return nn::SparseMoEFeedForward(d, d_ff, 4, k, p);
          }};
}

Study ratios(const Size& size) {
  return {"ratios",
          "How wide should the hidden layer be, d_ff / d_model?",
          {relu_wide(size, 1), relu_wide(size, 2), relu_wide(size, 4), relu_wide(size, 8)},
          {{"ReLU 2x", "ReLU 1x", "perplexity 38.7 against 45.3"},
           {"ReLU 4x", "ReLU 2x", "32.1 against 38.7"},
           {"ReLU 4x", "ReLU 8x", "32.1 against 33.5: overfitting begins"}},
          ""};
}

Study ablation(const Size& size) {
  return {"ablation",
          "What does the feed-forward do for the model?",
          {none(), relu_wide(size, 1), relu_wide(size, 2), relu_wide(size, 4), relu_wide(size, 8)},
          {{"ReLU 1x", "no FFN", "attention alone hardly transforms features"},
           {"ReLU 4x", "no FFN", "two thirds of a block's parameters are the feed-forward's"}},
          without_norm};
}

Study activations(const Size& size) {
  const Variant relu4 = usual(size, "ReLU"), gelu4 = usual(size, "GELU", gelu),
                swiglu = gated(size, "SwiGLU", silu, false);
  return {"activations",
          "Which activation? The gated ones have no more parameters.",
          {relu4, gelu4, usual(size, "GELU tanh", gelu_tanh), usual(size, "SiLU", silu),
           gated(size, "GEGLU", gelu, true), swiglu},
          {{gelu4.name, relu4.name, "GELU was found to do better after the first Transformer"},
           {swiglu.name, gelu4.name, "SwiGLU is said to be the best"},
           {swiglu.name, relu4.name, "and ReLU the simplest"}},
          ""};
}

Study sequence(const Size& size) {
  const Variant relu4 = usual(size, "ReLU"), along = along_sequence(size, 4);
  return {"sequence",
          "Each position by itself, or each feature along the sequence?",
          {none(), relu4, along},
          {{relu4.name, along.name, "attention mixes positions already; features need it"},
           {along.name, "no FFN", "some processing is better than none"}},
          without_norm};
}

Study experts(const Size& size) {
  const Variant relu4 = usual(size, "ReLU"), best1 = best_experts(size, 1);
  return {"experts",
          "Do four experts know more than one, and is each of them used?",
          {relu4, dense_experts(size), best_experts(size, 2), best1},
          {{"MoE, all 4", relu4.name, "four times the parameters and the work"},
           {best1.name, relu4.name, "four times the parameters, the same work"}},
          ""};
}

}  // namespace

std::vector<Study> studies(const Size& size) {
  return {ratios(size), ablation(size), activations(size), sequence(size), experts(size)};
}

}  // namespace stepgrad::demo
