#pragma once

#include <functional>

#include "demos/parts/text.hpp"
#include "nn/positionwise_feed_forward.hpp"

namespace stepgrad::demo {

// Predicts the next character from the last `context` ones: their vectors from a table are
// concatenated, sent through the notebook's position-wise network, and mapped to one logit per
// character.
//
// table: [characters, d_model / context]   w: [d_model, characters]   b: [characters]
//
// d_model and d_ff are the notebook's for any context.
struct LanguageModel : nn::Module<LanguageModel> {
  static constexpr int64_t d_model = 512, d_ff = 2048;

  // `context` divides d_model.
  LanguageModel(int64_t characters, int64_t context);

  Tensor forward(Tensor ids);  // [B, context] -> [B, characters]

  void parts(auto visit) { visit("table", table), visit("ffn", ffn), visit("w", w), visit("b", b); }

  int64_t context;
  Tensor table;
  nn::PositionwiseFeedForward ffn;
  Tensor w, b;  // they begin at zero: before training, every character is equally likely
};

constexpr int64_t batch_size = 128;  // positions of the text

// Learns by AdamW from `steps` batches, drawn at random from the text before its held-out part.
// After each step, calls `after(the steps done, the loss of the last batch)`.
void train(LanguageModel& model, const Text& text, int64_t steps, const std::function<void(int64_t, double)>& after);

// The mean cross-entropy over the whole held-out part, in nats a character.
double held_out_loss(LanguageModel& model, const Text& text);

// Characters drawn one by one from the model's probabilities, starting like the last line of the
// training text.
std::u32string sample(LanguageModel& model, const Text& text, int64_t length);

}
