#pragma once

#include "demos/parts/causal_transformer.hpp"
#include "demos/parts/text.hpp"

namespace stepgrad::demo {

// A model's results for one seed.
struct Result {
  int64_t parameters = 0, steps = 0;
  double loss = 0, accuracy = 0;           // on the held-out part: nats a character, share guessed right
  double training_loss = 0;                // over the last tenth of the steps
  double seconds = 0;                      // a step
  std::vector<std::vector<double>> usage;  // [layer][expert] on the held-out part, if any
};

// Trains by AdamW for `steps` batches that depend only on the text, size and seed, so that models
// with the same seed see the same batches. Calls after(step, loss).
Result learn(const Text& text, const Size& size, const MakeFeedForward& make, int64_t seed, int64_t steps,
    const std::function<void(int64_t, double)>& after);

}
