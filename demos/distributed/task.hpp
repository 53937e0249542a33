#pragma once

#include <memory>

#include "demos/distributed/options.hpp"
#include "demos/parts/text.hpp"
#include "nn/files/state.hpp"

namespace stepgrad::demo {

// A model, and the batches of a text that it learns from.
class Task {
 public:
  virtual ~Task() = default;
  virtual nn::NamedTensors named_parameters() = 0;

  // The next batch, drawn by the random numbers that all ranks share: their state is also the
  // position in the text.
  virtual void draw_batch() = 0;
  virtual Tensor loss(int64_t first, int64_t last) = 0;  // the mean over these examples of it

  // Nats per character, summed over this rank's share of the held-out part.
  virtual int64_t held_out_parts() const = 0;
  virtual double held_out_loss(int64_t part) = 0;
  virtual int64_t held_out_characters() const = 0;

  int64_t examples;  // of a batch
  double peak_lr;
};

// The options' model with its initial weights.
std::unique_ptr<Task> make_task(const Options& options, const Text& text);

}  // namespace stepgrad::demo
